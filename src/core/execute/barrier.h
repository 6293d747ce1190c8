// Barriers of a block (bar, barrier): who has arrived, votes, and their results.
//
// A barrier is complete when the warps that it expects have arrived; with independent threads, the
// threads. What has exited counts as arrived at a barrier of the whole block. The caller looks for
// complete barriers when a warp has arrived or lanes have exited, lets each warp pass, and resets
// the barrier.
#ifndef HEDDLE_CORE_EXECUTE_BARRIER_H
#define HEDDLE_CORE_EXECUTE_BARRIER_H

#include "core/warp.h"

// The warp arrives at a barrier, and waits there unless the instruction is bar.arrive. false: a
// fault.
bool barrier_arrive(SmContext *sm, Warp *w, const UOp *op, LaneMask lanes);

static inline bool barrier_complete(const Block *block, const Barrier *barrier)
{
    if (!barrier->arrived) return false;
    if (barrier->expected) return barrier->arrived >= barrier->expected;
    return barrier->arrived + block->ended >= block->units;
}

// Does the warp (of a stack) wait at this barrier? Then bar.red has its result.
bool barrier_pass(Warp *w, unsigned number);
// The same for the splits of a warp with independent threads. Returns as its_pass_barrier does.
bool barrier_pass_splits(SmContext *sm, Warp *w, unsigned number);

#endif
