// Finds the end of the data by a token, and checks the invariants of a launch.
#include "end.h"

#include "prefetcher.h"
#include "ring.h"
#include "table.h"

// ---- the token ----

static bool fifos_empty(const HdPlace *place)
{
    for (unsigned fifo = 0; fifo < IRU_FIFOS; fifo++)
        if (iru_queue(place, fifo)->count) return false;
    return true;
}

// What the token does at each slice. false: it waits.
static bool stop_here(HdPlace *place, IruToken *token)
{
    IruLaunch *launch = iru_launch(place);
    switch (token->lap) {
    case IRU_COUNTING:
        if (!iru_prefetcher_done(place) || !fifos_empty(place) || !iru_ring_empty(place))
            return false;
        token->sum += launch->placed;
        break;
    case IRU_ENDED: launch->ended = 1; break;
    case IRU_EMPTYING:
        if (iru_table_elements(place)) return false;
        break;
    default: launch->drained = 1;
    }
    return true;
}

// At the last slice. false: the token is not needed any more.
static bool next_lap(HdPlace *place, IruToken *token)
{
    if (token->lap == IRU_DRAINED) return false;
    if (token->lap == IRU_COUNTING) ((IruCounted *)place->counters)->laps++;
    if (token->lap != IRU_COUNTING || token->sum == iru_configuration(place)->count)
        token->lap = (token->lap + 1u) & 3;
    token->sum = 0;
    return true;
}

static void receive(HdPlace *place, IruCycle *c)
{
    const IruToken *token = hd_received(place, IRU_TOKENS);
    if (!token) return;
    *(IruToken *)place->structures[IRU_TOKEN_HERE] = *token;
    iru_launch(place)->has_token = 1;
    hd_drop_received(place, IRU_TOKENS);
    c->moved = true;
}

void iru_token_cycle(HdPlace *place, IruCycle *c)
{
    IruLaunch *launch = iru_launch(place);
    IruToken *token = place->structures[IRU_TOKEN_HERE];
    receive(place, c);
    if (!launch->has_token) return;
    if (place->places > 1 && !hd_may_send(place, IRU_TOKENS)) return;
    if (!stop_here(place, token)) return;
    c->moved = true;
    bool goes_on = place->number + 1 < place->places || next_lap(place, token);
    if (goes_on && place->places > 1) hd_send(place, IRU_TOKENS, token);
    if (!goes_on || place->places > 1) launch->has_token = 0;
}

// ---- invariants ----

void iru_check_slice(HdPlace *place)
{
    bool requests = iru_queue(place, IRU_REQUEST_QUEUE)->count;
    for (unsigned group = 0; group < IRU_GROUPS; group++)
        requests = requests || iru_group(place, group)->of.used;
    if (requests) hd_fault(place, HD_NO_PC, "a request is left: expected all to be answered");
}

static IruBalance sum_of(HdPlace *gpu, unsigned *slices)
{
    IruBalance sum = {0};
    const IruBalance *b;
    for (*slices = 0; (b = hd_exchanged(gpu, IRU_BALANCES, HD_L2, *slices)) != NULL; ++*slices) {
        sum.read += b->read;
        sum.placed += b->placed;
        sum.merged += b->merged;
        sum.delivered += b->delivered;
        sum.asked += b->asked;
        sum.enabled += b->enabled;
        sum.disabled += b->disabled;
        sum.partly += b->partly;
        sum.count = b->count;
        sum.filter = b->filter;
        sum.active = b->active;
    }
    return sum;
}

void iru_check_all(HdPlace *gpu, const HdKernel *kernel)
{
    unsigned slices;
    const IruBalance sum = sum_of(gpu, &slices);
    if (!sum.active) return;
    uint32_t given = sum.delivered + sum.merged;
    if (given < sum.count) {
        hd_fault(gpu, kernel->engine_pc, "%u of %u elements are left at the end of the kernel: "
                                       "expected threads that load all", sum.count - given,
                 sum.count);
        return;
    }
    if (!kernel->timed) return; // functional requests are not counted
    if (sum.read != sum.count || sum.placed != sum.count || given != sum.count)
        hd_fault(gpu, HD_NO_PC, "invariant: %u elements, %u read, %u inserted or merged, %u "
                                "delivered, %u merged", sum.count, sum.read, sum.placed,
                 sum.delivered, sum.merged);
    else if (sum.asked != sum.enabled + sum.disabled || sum.enabled != sum.delivered ||
             (!sum.filter && sum.merged))
        hd_fault(gpu, HD_NO_PC, "invariant: %u lanes asked, %u enabled, %u disabled, %u elements "
                                "delivered, %u merged", sum.asked, sum.enabled, sum.disabled,
                 sum.delivered, sum.merged);
    else if (sum.partly > slices)
        hd_fault(gpu, HD_NO_PC, "invariant: %u partly disabled replies of %u slices", sum.partly,
                 slices);
}
