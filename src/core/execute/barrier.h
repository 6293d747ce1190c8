// Barriers of a block (bar, barrier): arrivals, votes, and results.
//
// A barrier is complete when the expected warps (with independent threads: threads) have arrived.
// Exited ones count as arrived at a barrier of the whole block. The caller looks for complete
// barriers when a warp has arrived or lanes have exited, lets each warp pass, and resets the
// barrier.
#ifndef HEDDLE_CORE_EXECUTE_BARRIER_H
#define HEDDLE_CORE_EXECUTE_BARRIER_H

#include "core/warp.h"

// Records the arrival of a warp, which is then blocked unless the instruction is bar.arrive. false:
// a fault.
bool barrier_arrive(SmContext *context, Warp *w, const UOp *op, LaneMask lanes);

static inline bool barrier_complete(const Block *block, const Barrier *barrier)
{
    if (!barrier->arrived) return false;
    if (barrier->expected) return barrier->arrived >= barrier->expected;
    return barrier->arrived + block->ended >= block->participants;
}

// Whether the warp (with a divergence stack) is blocked at this barrier. If so, writes the result
// of bar.red.
bool barrier_pass(Warp *w, unsigned number);
// Does the same for the splits of a warp with independent threads, and releases them. Returns as
// splits_pass_barrier does.
bool barrier_pass_splits(SmContext *context, Warp *w, unsigned number);

#endif
