// Throttling: when a mechanism decides which warps may issue, and its decision.
//
// A decision is valid until its inputs change (SmContext.warps_changed) or until the cycle that the
// mechanism named, so it is not asked in every cycle. A warp that is blocked at a barrier or sleeps
// is not part of the question: it does not count against a limit, and the others can reach the
// barrier.
#ifndef HEDDLE_CORE_ISSUE_THROTTLE_H
#define HEDDLE_CORE_ISSUE_THROTTLE_H

#include "core/blocks/blocks.h"
#include "core/warpset.h"
#include "hooks/core_hooks.h"

typedef struct Throttle {
    bool on;            // a mechanism decides
    CacheHooks *hooks;  // the mechanisms
    uint64_t ask_at;    // the latest cycle of the next decision
    HdWarpSet loads, anything;   // the decision: warps that may issue loads; any instruction
    HdWarp warps[WARPSET_MOST];  // the warps asked about last
    uint16_t order[WARPSET_MOST]; // block slots, the oldest block first
} Throttle;
_Static_assert((int)WARPSET_MOST == (int)HD_MAX_WARPS, "a mechanism's sets hold an SM's warps");

void throttle_begin(Throttle *throttle, SmContext *sm);
static inline bool throttle_due(const Throttle *throttle, const SmContext *sm)
{
    return sm->warps_changed || throttle->hooks->reconsider_warps || sm->now >= throttle->ask_at;
}
// Asks the mechanism about the warps that could issue, and returns their number in Throttle.warps.
unsigned throttle_ask(Throttle *throttle, SmContext *sm, const Blocks *blocks);
// Whether the warp may not issue this instruction. Barriers are never throttled.
bool throttle_holds(const Throttle *throttle, const Warp *w, const UOp *op);
// The next cycle in which to ask the mechanism; UINT64_MAX: none.
uint64_t throttle_next(const Throttle *throttle, const SmContext *sm, const Blocks *blocks);

#endif
