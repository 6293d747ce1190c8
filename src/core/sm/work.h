// The work of an SM and of its warps that mechanisms read (HdWork). Counted only if one does.
#ifndef HEDDLE_CORE_SM_WORK_H
#define HEDDLE_CORE_SM_WORK_H

#include "core/warp.h"

typedef struct Sm Sm;

// Counts from now on, for the mechanisms at the SM (Sm.hooks). false and err: out of memory.
bool work_attach(Sm *sm, HdError *err);

// The warp has issued an instruction of these lanes, whose results, if it has any, are written at
// `cycle`. 0: it is a memory instruction, which commits with its data.
void work_issue(SmContext *context, const Warp *w, LaneMask lanes, const UOpTiming *timing,
                uint64_t cycle);
// The SM's counters start again from zero: keeps the stalls that are counted so far.
void work_keep_stalls(Sm *sm);
// An instruction of this many lanes has committed.
void work_commit(SmContext *context, const Warp *w, unsigned lanes);
// A warp starts in the slot.
static inline void work_start(SmContext *context, unsigned slot)
{
    if (context->work) context->work[1 + slot] = (HdWork){.stalled = context->now};
}

#endif
