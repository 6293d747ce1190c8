// Counts issue slots, and the cycles of blocks and warps.
#include "core/issue/slots.h"

#include "core/issue/pick.h"

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

void issue_count_to(Issue *issue, SmContext *context, const Blocks *blocks, uint64_t end)
{
    issue_count_slots(issue, context, end);
    issue_count_cycles(issue, context, blocks, end);
    waves_count_waiting(&issue->waves, context, end);
}

// ---- issuable warps ----

static IssuableBin bin_of(unsigned count)
{
    return count < 2    ? (IssuableBin)count
           : count <= 4 ? BIN_2_4
           : count <= 8 ? BIN_5_8
           : count <= 16 ? BIN_9_16
                         : BIN_MORE;
}

void issue_count_issuable(Issue *issue, SmContext *context, uint64_t until)
{
    if (until <= issue->issuable_counted) return;
    uint64_t cycles = until - issue->issuable_counted;
    issue->issuable_counted = until;
    unsigned warps = 0, scalars = 0;
    for (unsigned i = 0; i < issue->schedulers; i++)
        for (unsigned k = 0; k < issue->set_words; k++) {
            const WarpSets *sets = &issue->scheduler[i].sets[k];
            uint64_t ready = ready_at_any(sets) | sets->of[SET_WAVE] | sets->of[SET_WAVE_FULL];
            warps += (unsigned)__builtin_popcountll(ready);
            scalars += (unsigned)__builtin_popcountll(ready & sets->scalar);
        }
    scalars += issue->waves.ahead;
    context->count.groups.issuable_warps[bin_of(warps)] += cycles;
    context->count.groups.issuable_scalars[bin_of(scalars)] += cycles;
}
