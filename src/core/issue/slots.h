// The slots of a scheduler in which it issues nothing.
//
// They are counted when one of its warps changes what it waits for, for all the cycles before, and
// when the scheduler has its turn. So cycles in which nothing changes cost nothing.
#ifndef HEDDLE_CORE_ISSUE_SLOTS_H
#define HEDDLE_CORE_ISSUE_SLOTS_H

#include "core/issue/scheduler.h"

// Why a scheduler issues nothing: the first of its sets that has warps says it. words:
// Issue.set_words.
static inline IssueSlot stall_reason(const Scheduler *s, unsigned words)
{
    static const uint8_t reasons[WARP_SETS] = {
        [SET_READY + PORT_SP] = SLOT_UNIT, [SET_READY + PORT_SFU] = SLOT_UNIT,
        [SET_READY + PORT_DP] = SLOT_UNIT, [SET_READY + PORT_INT] = SLOT_UNIT,
        [SET_READY + PORT_MEM] = SLOT_LSU,
        [SET_WAVE] = SLOT_UNIT, [SET_WAVE_FULL] = SLOT_WAVE_TABLE,
        [SET_THROTTLED] = SLOT_THROTTLED, [SET_MEMORY] = SLOT_MEMORY,
        [SET_DEPENDENCY] = SLOT_DEPENDENCY, [SET_FETCH] = SLOT_FETCH,
        [SET_BARRIER] = SLOT_BARRIER, [SET_NONE] = SLOT_IDLE};
    uint32_t present = s->sets[0].present;
    for (unsigned k = 1; k < words; k++) present |= s->sets[k].present;
    return reasons[__builtin_ctz(present | UINT32_C(1) << SET_NONE)];
}

// Counts the slots of a scheduler in the cycles before `until`: for the reason that it has now.
static inline void count_slots(SmContext *context, Scheduler *s, unsigned words, uint64_t until)
{
    if (until <= s->counted) return;
    context->count.issue.slots[stall_reason(s, words)] += until - s->counted;
    s->counted = until;
}

#endif
