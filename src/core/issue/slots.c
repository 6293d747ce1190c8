// Counts issue slots, and the cycles of blocks and warps.
#include "core/issue/slots.h"

// Whether the scheduler's turn in this cycle is over.
static bool turn_is_over(const Issue *issue, unsigned scheduler)
{
    unsigned all = issue->schedulers, before = all - issue->began;
    return (scheduler + before) % all < (issue->at + before) % all;
}

void issue_count_slots(Issue *issue, SmContext *context, uint64_t until)
{
    for (unsigned i = 0; i < issue->schedulers; i++)
        count_slots(context, &issue->scheduler[i], issue->set_words, until);
    if (issue->grouped) issue_count_issuable(issue, context, until);
}

void issue_end_turns(Issue *issue, SmContext *context)
{
    for (unsigned i = 0; i < issue->schedulers; i++)
        if (turn_is_over(issue, i))
            count_slots(context, &issue->scheduler[i], issue->set_words, context->now + 1);
}

uint64_t issue_stalled_slots(const Issue *issue, const SmContext *context)
{
    uint64_t stalled = 0;
    for (unsigned slot = 0; slot < ISSUE_SLOTS; slot++)
        if (slot != SLOT_ISSUED && slot != SLOT_IDLE) stalled += context->count.issue.slots[slot];
    for (unsigned i = 0; i < issue->schedulers; i++) {
        const Scheduler *s = &issue->scheduler[i];
        uint64_t until = context->now + turn_is_over(issue, i);
        if (until > s->counted && stall_reason(s, issue->set_words) != SLOT_IDLE)
            stalled += until - s->counted;
    }
    return stalled;
}

void issue_count_cycles(Issue *issue, SmContext *context, const Blocks *blocks, uint64_t until)
{
    uint64_t cycles = until - issue->cycles_counted;
    if (blocks->blocks_live) context->count.sm.active_cycles += cycles;
    context->count.sm.warp_cycles += cycles * blocks->warps_live;
    context->count.sm.cycles += cycles;
    issue->cycles_counted = until;
}
