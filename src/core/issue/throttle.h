// Throttling: when a mechanism decides which warps may issue, and its decision.
//
// A decision is valid until its inputs change (SmContext.warp_changes) or until the cycle that the
// mechanism named, so it is not asked in every cycle. A warp that is blocked at a barrier or sleeps
// is not part of the question: it does not count against a limit, and the others can reach the
// barrier. So when warps leave a barrier, the mechanism is asked before they are classified: the
// last answer does not have them, and they may be able to issue in the same cycle. Warps that a
// scheduler has tried or issues meanwhile are reclassified in the next cycle.
#ifndef HEDDLE_CORE_ISSUE_THROTTLE_H
#define HEDDLE_CORE_ISSUE_THROTTLE_H

#include "core/issue/asked_warps.h"
#include "hooks/core_hooks.h"

typedef struct Throttle {
    bool on;            // a mechanism decides
    CacheHooks *hooks;  // the mechanisms
    NextQuestion next;
    HdWarpSet loads, anything;   // the decision: warps that may issue loads; any instruction
    HdWarp warps[WARPSET_MOST];  // the warps asked about last
    unsigned asked;              // their number
    bool answered;               // they have not been reclassified since
} Throttle;

void throttle_begin(Throttle *throttle, const SmContext *context);
static inline bool throttle_due(const Throttle *throttle, const SmContext *context)
{
    return question_due(&throttle->next, context, throttle->hooks->reconsider.warps);
}
// Asks the mechanism about the warps that could issue.
void throttle_ask(Throttle *throttle, const SmContext *context, const Blocks *blocks);
// Whether the warp may not issue this instruction. Barriers are never throttled.
bool throttle_holds(const Throttle *throttle, const Warp *w, const UOp *op);
// The next cycle in which to ask the mechanism, or to reclassify warps, on an SM with blocks;
// UINT64_MAX: none.
uint64_t throttle_next(const Throttle *throttle, const SmContext *context);

#endif
