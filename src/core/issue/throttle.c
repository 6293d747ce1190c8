// Asks a mechanism which warps may issue.
#include "core/issue/throttle.h"

void throttle_begin(Throttle *t, SmContext *context)
{
    context->warps_changed = true;
    t->ask_at = UINT64_MAX;
    t->answered = false;
}

// The slots of the live blocks, the oldest first: a block's warps start one after the other.
static unsigned blocks_by_age(const Blocks *blocks, uint16_t *order)
{
    unsigned count = 0;
    for (unsigned b = 0; b < blocks->block_slots; b++) {
        if (!blocks->blocks[b].live) continue;
        uint64_t age = blocks->warps[blocks->blocks[b].first_warp].age;
        unsigned at = count++;
        for (; at && blocks->warps[blocks->blocks[order[at - 1]].first_warp].age > age; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)b;
    }
    return count;
}

static bool is_load(const UOp *op)
{
    return op->code == UOP_TEX || op->code == UOP_SULD ||
           (op->code == UOP_LD && (op->space == SPACE_GLOBAL || op->space == SPACE_LOCAL ||
                                   op->space == SPACE_GENERIC));
}

bool throttle_holds(const Throttle *t, const Warp *w, const UOp *op)
{
    if (op->code == UOP_BAR) return false;
    return !hd_warps_have(&t->anything, w->id) ||
           (is_load(op) && !hd_warps_have(&t->loads, w->id));
}

void throttle_ask(Throttle *t, SmContext *context, const Blocks *blocks)
{
    HdWarps warps = {.warps = t->warps, .schedulers = context->config.core->schedulers,
                     .cycle = context->now, .committed = context->count.sm.committed};
    unsigned live = blocks_by_age(blocks, t->order);
    for (unsigned b = 0; b < live; b++) {
        const Block *block = &blocks->blocks[t->order[b]];
        for (unsigned i = 0; i < block->warps; i++) {
            const Warp *w = &blocks->warps[block->first_warp + i];
            if (w->live && !w->at_barrier) t->warps[warps.count++] = warp_for_mechanism(w);
        }
    }
    HdIssuable allowed;
    core_hooks_decide_issuable(t->hooks, &warps, &allowed);
    context->warps_changed = t->hooks->reconsider_warps = false;
    t->ask_at = allowed.ask_at;
    t->loads = allowed.loads;
    t->anything = allowed.anything;
    t->asked = warps.count;
    t->answered = true;
}

uint64_t throttle_next(const Throttle *t, const SmContext *context)
{
    uint64_t soonest = context->now + 1;
    bool now = context->warps_changed || t->hooks->reconsider_warps || t->answered;
    return now || t->ask_at < soonest ? soonest : t->ask_at;
}
