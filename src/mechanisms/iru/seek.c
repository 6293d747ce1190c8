// Announces full entries to the slices before this one, and sends requests to those announced.
#include "seek.h"

#include "requests.h"
#include "table.h"

static IruReadyState *state_of(const HdPlace *place)
{
    return place->structures[IRU_READY_STATES];
}

static bool balances(const HdPlace *place)
{
    return place->parameters[IRU_BALANCING] == IRU_BALANCE_READY && place->places > 1;
}

const IruPending *iru_seeker(const HdPlace *place)
{
    return balances(place) ? hd_received(place, IRU_SEEKERS) : NULL;
}

void iru_seeker_leave(HdPlace *place)
{
    hd_drop_received(place, IRU_SEEKERS);
    state_of(place)->again = 1;
}

void iru_seek_receive(HdPlace *place, IruCycle *c)
{
    if (!balances(place)) return;
    const IruReadiness *next = hd_received(place, IRU_ANNOUNCEMENTS);
    if (!next) return;
    state_of(place)->ahead = next->ready;
    state_of(place)->ahead_hops = next->hops;
    hd_drop_received(place, IRU_ANNOUNCEMENTS);
    c->moved = true;
}

// ---- requests ----

// Whether the request may seek: a full entry suffices, but this slice has none that does.
static bool may_seek(HdPlace *place, const IruPending *request, IruCycle *c)
{
    unsigned lanes = (unsigned)__builtin_popcount(request->lanes);
    return lanes <= iru_parameter(place, IRU_ENTRY) && iru_table_most(place) < lanes &&
           !iru_is_late(place, request, c);
}

// One that seeks already goes on before an own one.
static void send_request(HdPlace *place, IruCycle *c)
{
    IruPending request;
    for (IruOrigin origin = IRU_SEEKING; origin < IRU_ORIGINS; origin++) {
        if (!iru_oldest(place, origin, &request, c) || !may_seek(place, &request, c)) continue;
        if (!hd_send(place, IRU_SEEKERS, &request)) return;
        state_of(place)->ahead = 0;
        iru_pop_oldest(place, origin, c);
        ((IruCounted *)place->counters)->request_hops++;
        ((IruCounted *)place->counters)->seeks++;
        c->moved = true;
        return;
    }
}

// ---- announcements ----

// The nearest full entry from here on. A request that waits here is the first to get one.
static IruReadiness nearest(HdPlace *place)
{
    const IruReadyState *state = state_of(place);
    if (iru_requests_wait(place)) return (IruReadiness){0};
    if (iru_table_most(place) == iru_parameter(place, IRU_ENTRY)) return (IruReadiness){.ready = 1};
    unsigned hops = state->ahead_hops + 1;
    if (!state->ahead || hops >= place->places) return (IruReadiness){0};
    return (IruReadiness){.ready = 1, .hops = hops & 255};
}

static void announce(HdPlace *place)
{
    IruReadyState *state = state_of(place);
    IruReadiness now = nearest(place);
    bool same = now.ready == state->announced && now.hops == state->announced_hops;
    if ((same && !state->again) || !hd_send(place, IRU_ANNOUNCEMENTS, &now)) return;
    state->announced = now.ready;
    state->announced_hops = now.hops;
    state->again = 0;
}

void iru_seek_send(HdPlace *place, IruCycle *c)
{
    if (!balances(place)) return;
    if (state_of(place)->ahead) send_request(place, c);
    announce(place);
}
