// The order in which schedulers try their ready warps: of core.policy, or a mechanism's
// (HdCoreHooks.decide_order).
//
// A mechanism is asked when the warps change, and at the cycle that it named. Its answer becomes
// the tables of the schedulers (Scheduler.before, key), which the policies by age use as well, so
// that a turn costs the same with and without it.
#ifndef HEDDLE_CORE_ISSUE_ORDER_H
#define HEDDLE_CORE_ISSUE_ORDER_H

#include "core/issue/asked_warps.h"
#include "hooks/core_hooks.h"

typedef struct Issue Issue;

typedef struct WarpOrder {
    bool on;           // a mechanism decides
    CacheHooks *hooks; // the mechanisms
    NextQuestion next;
    HdWarp *warps;     // the warps of a question, [WARPSET_MOST]
    HdOrder *answer;
    bool decided;      // the order in use is a mechanism's
    bool rotates;      // in use: Policy.rotates or HdOrder.rotates
    bool ranked;       // of an order that rotates: ranks differ, and Scheduler.key has them
} WarpOrder;

// A mechanism decides. false: out of memory.
bool order_attach(Issue *issue, CacheHooks *hooks, HdTables *tables);
// Uses the order of core.policy, and asks as soon as there are warps.
void order_begin(Issue *issue, const SmContext *context);

static inline bool order_due(const WarpOrder *order, const SmContext *context)
{
    return question_due(&order->next, context, order->hooks->reconsider.order);
}
// Asks the mechanism, and uses its answer.
void order_ask(Issue *issue, const SmContext *context, const Blocks *blocks);
// The next cycle in which to ask, on an SM with blocks; UINT64_MAX: none.
static inline uint64_t order_next(const WarpOrder *order, const SmContext *context)
{
    return question_cycle(&order->next, context, order->hooks->reconsider.order);
}

#endif
