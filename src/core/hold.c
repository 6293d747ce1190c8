// Warps that a mechanism holds back: when it is asked which may issue, and what it is told of them.
//
// The answer stands until something changes by which it was given, so that nothing is asked in the
// cycles between. A warp at a barrier (or asleep) is not among those asked about: it takes nobody's
// place, and the others get to the barrier.
#include "core/sm_internal.h"

#include <string.h>

void hold_begin(Sm *sm)
{
    sm->hold.stale = true;
    sm->hold.again = UINT64_MAX;
}

HdWarp hold_warp(const Warp *w)
{
    return (HdWarp){.age = w->age, .slot = w->id, .scheduler = w->scheduler, .block = w->block,
                    .index = (uint16_t)w->exec.warp_in_block};
}

// The places of the blocks that are here, the oldest first: a block's warps start one after the
// other.
static unsigned blocks_by_age(Sm *sm, uint16_t *order)
{
    unsigned count = 0;
    for (unsigned b = 0; b < sm->block_places; b++) {
        if (!sm->blocks[b].live) continue;
        uint64_t age = sm->warps[sm->blocks[b].first_warp].age;
        unsigned at = count++;
        for (; at && sm->warps[sm->blocks[order[at - 1]].first_warp].age > age; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)b;
    }
    return count;
}

static unsigned list_warps(Sm *sm)
{
    Hold *h = &sm->hold;
    unsigned count = 0, blocks = blocks_by_age(sm, h->blocks);
    for (unsigned b = 0; b < blocks; b++) {
        const Block *block = &sm->blocks[h->blocks[b]];
        for (unsigned i = 0; i < block->warps; i++) {
            const Warp *w = &sm->warps[block->first_warp + i];
            if (w->live && !w->at_barrier) h->warps[count++] = hold_warp(w);
        }
    }
    return count;
}

static bool is_load(const UOp *op)
{
    return op->code == UOP_TEX || op->code == UOP_SULD ||
           (op->code == UOP_LD && (op->space == SPACE_GLOBAL || op->space == SPACE_LOCAL ||
                                   op->space == SPACE_GENERIC));
}

static bool holds(const Hold *h, const Warp *w, const UOp *op)
{
    if (op->code == UOP_BAR) return false;
    return !hd_warps_have(&h->anything, w->id) ||
           (is_load(op) && !hd_warps_have(&h->loads, w->id));
}

// The answer is new: what does it mean for a warp that could issue, or was held back?
static void reconsider(Sm *sm, Warp *w)
{
    bool gave_up = w->state == WARP_THROTTLED && !frontend_ready(w);
    if (gave_up && holds(&sm->hold, w, &w->ops[w->pc])) return;
    warp_classify(sm, w);
    if (gave_up) frontend_want(sm, w);
}

void hold_cycle(Sm *sm)
{
    Hold *h = &sm->hold;
    if (!h->stale && sm->now < h->again) return;
    HdWarps warps = {.warps = h->warps, .count = list_warps(sm), .schedulers = sm->schedulers,
                     .cycle = sm->now, .committed = sm->count.sm.committed};
    HdIssuable issuable;
    core_hooks_allow(sm->l1_hooks, &warps, &issuable);
    h->stale = false;
    h->again = issuable.ask_at;
    h->loads = issuable.loads;
    h->anything = issuable.anything;
    for (unsigned i = 0; i < warps.count; i++) {
        Warp *w = &sm->warps[h->warps[i].slot];
        if (w->state == WARP_READY || w->state == WARP_THROTTLED) reconsider(sm, w);
    }
}

bool hold_back(Sm *sm, Warp *w, const UOp *op)
{
    if (!holds(&sm->hold, w, op)) return false;
    if (w->store_entry) store_give_up(sm, w);
    return true;
}

uint64_t hold_next(const Sm *sm)
{
    if (!sm->blocks_live && !sm->queued_count) return UINT64_MAX;
    uint64_t soonest = sm->now + 1;
    return sm->hold.stale || sm->hold.again < soonest ? soonest : sm->hold.again;
}

bool hold_any(const Sm *sm)
{
    for (unsigned s = 0; s < sm->schedulers; s++)
        if (warpset_any(&sm->scheduler[s].state[WARP_THROTTLED], sm->set_words)) return true;
    return false;
}
