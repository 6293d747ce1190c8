// Warps that a mechanism throttles: when it is asked which warps may issue, and its answer.
//
// The answer is valid until something changes on which it was based (SmContext.warps_changed) or
// the cycle that the mechanism named, so that nothing is asked in the cycles between. A warp that
// is blocked at a barrier (or asleep) is not among those asked about: it takes no place, and the
// others reach the barrier.
#ifndef HEDDLE_CORE_ISSUE_THROTTLE_H
#define HEDDLE_CORE_ISSUE_THROTTLE_H

#include "core/blocks/blocks.h"
#include "core/warpset.h"
#include "hooks/core_hooks.h"

typedef struct Throttle {
    bool on;            // a mechanism decides
    CacheHooks *hooks;  // the mechanisms
    uint64_t ask_at;    // the cycle in which to ask at the latest
    HdWarpSet loads, anything;   // the answer: warps that may issue loads; any instruction
    HdWarp warps[WARPSET_MOST];  // the warps asked about last
    uint16_t order[WARPSET_MOST]; // block slots, the oldest block first
} Throttle;
_Static_assert((int)WARPSET_MOST == (int)HD_MAX_WARPS, "a mechanism's sets hold an SM's warps");

void throttle_begin(Throttle *throttle, SmContext *sm);
static inline bool throttle_due(const Throttle *throttle, const SmContext *sm)
{
    return sm->warps_changed || sm->now >= throttle->ask_at;
}
// Asks the mechanism. Returns how many of Throttle.warps it was asked about.
unsigned throttle_ask(Throttle *throttle, SmContext *sm, const Blocks *blocks);
// May the warp not issue this instruction? Barriers are never throttled.
bool throttle_holds(const Throttle *throttle, const Warp *w, const UOp *op);
// The next cycle in which to ask; UINT64_MAX: none.
uint64_t throttle_next(const Throttle *throttle, const SmContext *sm, const Blocks *blocks);

#endif
