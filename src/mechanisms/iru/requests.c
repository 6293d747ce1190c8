// The request buffer, its arrivals, and the timeout (segura2022iru, section 3.2.2).
#include "requests.h"

#include "queue.h"
#include "seek.h"

enum { CYCLE_MASK = (1 << 30) - 1 };

// ---- own requests ----

bool iru_take_request(HdPlace *place, const HdEngineRequest *request)
{
    IruCounted *counted = place->counters;
    IruWaits *waits = iru_waits(place);
    if (iru_queue_full(place, IRU_REQUEST_QUEUE)) {
        counted->stalls_requests += !waits->request;
        waits->request = 1;
        return false;
    }
    waits->request = 0;
    unsigned at = iru_queue_at(place, IRU_REQUEST_QUEUE,
                               iru_queue(place, IRU_REQUEST_QUEUE)->count++);
    ((IruRequest *)place->structures[IRU_REQUEST_BUFFER])[at] =
        (IruRequest){.number = request->number, .lanes = request->lanes};
    ((IruArrival *)place->structures[IRU_ARRIVALS])[at] =
        (IruArrival){.cycle = request->cycle & CYCLE_MASK, .instruction = request->instruction & 3};
    unsigned lanes = (unsigned)__builtin_popcount(request->lanes);
    counted->asked += lanes;
    iru_balance(place)->asked += lanes;
    return true;
}

// From when the timeout of the oldest own request counts: its arrival, or its turn, if that was
// later.
static unsigned counts_since(const HdPlace *place, const IruArrival *arrival, const IruCycle *c)
{
    const IruTurn *turn = place->structures[IRU_TURNS];
    uint64_t age = (c->cycle - arrival->cycle) & CYCLE_MASK;
    uint64_t turn_age = (c->cycle - turn->cycle) & CYCLE_MASK;
    bool by_turn = iru_parameter(place, IRU_SINCE) == IRU_SINCE_TURN && turn->known;
    return by_turn && turn_age < age ? turn->cycle : arrival->cycle;
}

static bool oldest_own(const HdPlace *place, IruPending *request, const IruCycle *c)
{
    if (!iru_queue(place, IRU_REQUEST_QUEUE)->count) return false;
    unsigned at = iru_queue_at(place, IRU_REQUEST_QUEUE, 0);
    const IruRequest *own = (IruRequest *)place->structures[IRU_REQUEST_BUFFER] + at;
    const IruArrival *arrival = (IruArrival *)place->structures[IRU_ARRIVALS] + at;
    *request = (IruPending){.number = own->number, .lanes = own->lanes,
                            .instruction = arrival->instruction,
                            .since = counts_since(place, arrival, c) & CYCLE_MASK};
    return true;
}

static void pop_own(const HdPlace *place, const IruCycle *c)
{
    iru_queue_pop(place, IRU_REQUEST_QUEUE);
    *(IruTurn *)place->structures[IRU_TURNS] =
        (IruTurn){.cycle = c->cycle & CYCLE_MASK, .known = 1};
}

// ---- of both kinds ----

bool iru_oldest(const HdPlace *place, IruOrigin origin, IruPending *request, const IruCycle *c)
{
    if (origin == IRU_OWN) return oldest_own(place, request, c);
    const IruPending *seeker = iru_seeker(place);
    if (seeker) *request = *seeker;
    return seeker;
}

void iru_pop_oldest(HdPlace *place, IruOrigin origin, const IruCycle *c)
{
    if (origin == IRU_OWN) pop_own(place, c);
    else iru_seeker_leave(place);
}

bool iru_requests_wait(const HdPlace *place)
{
    return iru_queue(place, IRU_REQUEST_QUEUE)->count || iru_seeker(place);
}

bool iru_is_late(const HdPlace *place, const IruPending *request, IruCycle *c)
{
    uint64_t age = (c->cycle - request->since) & CYCLE_MASK;
    unsigned timeout = iru_parameter(place, IRU_TIMEOUT);
    if (age >= timeout) return true;
    iru_wake(c, c->cycle + timeout - age);
    return false;
}
