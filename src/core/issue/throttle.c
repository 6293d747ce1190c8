// Asks a mechanism which warps may issue.
#include "core/issue/throttle.h"

void throttle_begin(Throttle *t, const SmContext *context)
{
    question_begin(&t->next, context);
    t->answered = false;
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

void throttle_ask(Throttle *t, const SmContext *context, const Blocks *blocks)
{
    HdWarps warps = {.warps = t->warps, .schedulers = context->config.core->schedulers,
                     .cycle = context->now, .committed = context->count.sm.committed,
                     .count = list_warps(blocks, false, t->warps)};
    HdIssuable allowed;
    core_hooks_decide_issuable(t->hooks, &warps, &allowed);
    question_asked(&t->next, context, allowed.ask_at);
    t->hooks->reconsider.warps = false;
    t->loads = allowed.loads;
    t->anything = allowed.anything;
    t->asked = warps.count;
    t->answered = true;
}

uint64_t throttle_next(const Throttle *t, const SmContext *context)
{
    return question_cycle(&t->next, context, t->hooks->reconsider.warps || t->answered);
}
