// Counts issue slots, and the cycles of blocks and warps.
#include "core/issue/slots.h"

// Whether the scheduler's turn in this cycle is over.
static bool turn_is_over(const Issue *issue, unsigned scheduler)
{
    unsigned all = issue->schedulers, before = all - issue->began;
    return (scheduler + before) % all < (issue->at + before) % all;
}

void issue_count_slots(Issue *issue, SmContext *sm, uint64_t until)
{
    for (unsigned i = 0; i < issue->schedulers; i++)
        count_slots(sm, &issue->scheduler[i], issue->set_words, until);
    if (issue->grouped) issue_count_issuable(issue, sm, until);
}

void issue_end_turns(Issue *issue, SmContext *sm)
{
    for (unsigned i = 0; i < issue->schedulers; i++)
        if (turn_is_over(issue, i))
            count_slots(sm, &issue->scheduler[i], issue->set_words, sm->now + 1);
}

uint64_t issue_stalled_slots(const Issue *issue, const SmContext *sm)
{
    uint64_t stalled = 0;
    for (unsigned slot = 0; slot < ISSUE_SLOTS; slot++)
        if (slot != SLOT_ISSUED && slot != SLOT_IDLE) stalled += sm->count.issue.slots[slot];
    for (unsigned i = 0; i < issue->schedulers; i++) {
        const Scheduler *s = &issue->scheduler[i];
        uint64_t until = sm->now + turn_is_over(issue, i);
        if (until > s->counted && stall_reason(s, issue->set_words) != SLOT_IDLE)
            stalled += until - s->counted;
    }
    return stalled;
}

void issue_count_cycles(Issue *issue, SmContext *sm, const Blocks *blocks, uint64_t until)
{
    uint64_t cycles = until - issue->cycles_counted;
    if (blocks->blocks_live) sm->count.sm.active_cycles += cycles;
    sm->count.sm.warp_cycles += cycles * blocks->warps_live;
    sm->count.sm.cycles += cycles;
    issue->cycles_counted = until;
}
