// Which scheduler has its turn, and which warp it tries: the ready warps whose port has room, in
// the order of its policy.
//
// `words` is Issue.set_words: 1, except with ISSUE_ANY.
#ifndef HEDDLE_CORE_ISSUE_PICK_H
#define HEDDLE_CORE_ISSUE_PICK_H

#include "core/inject/injector.h"
#include "core/issue/scheduler.h"
#include "core/trace_warp.h"

#include "base/inline.h"

ALWAYS_INLINE uint64_t ready_at(const WarpSets *sets, unsigned port)
{
    return sets->of[SET_READY + port];
}
ALWAYS_INLINE uint64_t ready_at_any(const WarpSets *sets)
{
    return ready_at(sets, PORT_SP) | ready_at(sets, PORT_SFU) | ready_at(sets, PORT_DP) |
           ready_at(sets, PORT_INT) | ready_at(sets, PORT_MEM);
}

ALWAYS_INLINE bool any_stale(const Scheduler *s, unsigned words)
{
    uint64_t stale = 0;
    for (unsigned k = 0; k < words; k++) stale |= s->sets[k].stale;
    return stale;
}
// Whether warps or waves are ready.
ALWAYS_INLINE bool any_ready(const Scheduler *s, unsigned words)
{
    uint32_t present = 0;
    for (unsigned k = 0; k < words; k++) present |= s->sets[k].present;
    return present & PRESENT_READY;
}
// Whether a scheduler has something to do.
ALWAYS_INLINE bool has_turn(const Scheduler *s, unsigned words)
{
    return any_ready(s, words) || any_stale(s, words);
}

// The ready warps of these whose port has room.
ALWAYS_INLINE uint64_t candidates(const WarpSets *sets, const Operands *operands, uint64_t now)
{
    if (ports_have_room(operands, now)) return ready_at_any(sets);
    uint64_t set = 0;
    for (uint32_t ready = sets->present & PRESENT_PORTS; ready; ready &= ready - 1) {
        unsigned p = (unsigned)__builtin_ctz(ready);
        if (port_has_room(operands, p, now)) set |= ready_at(sets, p);
    }
    return set;
}

// The oldest of these warps, which are of word k of a set and not none.
ALWAYS_INLINE unsigned oldest_of(const Scheduler *s, unsigned k, uint64_t warps)
{
    const uint64_t *older = &s->older[k * 64];
    unsigned oldest;
    uint64_t left = warps;
    do {
        oldest = (unsigned)__builtin_ctzll(left);
        left = warps & older[oldest];
    } while (left);
    return k * 64 + oldest;
}

static inline unsigned pick_oldest(const Scheduler *s, unsigned words, const WarpSet *set)
{
    unsigned best = 0;
    uint64_t age = UINT64_MAX;
    for (unsigned k = 0; k < words; k++) {
        if (!set->word[k]) continue;
        unsigned local = oldest_of(s, k, set->word[k]);
        uint64_t next = s->warps[local]->age;
        if (next >= age) continue;
        age = next;
        best = local;
    }
    return best;
}

static inline unsigned pick_round_robin(const Scheduler *s, unsigned words, const WarpSet *set)
{
    unsigned from = s->last + 1u;
    return warpset_next(set, words, from < words * 64 ? from : 0);
}

// The warps of a word that leave the active set of a two-level scheduler in its next turn.
static inline uint64_t two_level_leave(const Scheduler *s, unsigned k)
{
    const WarpSets *sets = &s->sets[k];
    return s->active.word[k] & ~(ready_at_any(sets) | sets->of[SET_DEPENDENCY] |
                                 sets->of[SET_FETCH]);
}

// Updates the active set of a two-level scheduler: warps that wait for memory or have exited leave
// the set, and the oldest ready warps outside replace them. Restricts `set` to the active set.
static inline void two_level_update(const SmContext *context, Scheduler *s, unsigned words,
                                    WarpSet *set)
{
    WarpSet outside = *set;
    for (unsigned k = 0; k < words; k++) {
        uint64_t leave = two_level_leave(s, k);
        s->active.word[k] &= ~leave;
        s->active_count -= (unsigned)__builtin_popcountll(leave);
        outside.word[k] &= ~s->active.word[k];
    }
    while (s->active_count < context->config.core->two_level_active && warpset_any(&outside,
                                                                                   words)) {
        unsigned local = pick_oldest(s, words, &outside);
        warpset_add(&s->active, local);
        warpset_remove(&outside, local);
        s->active_count++;
    }
    for (unsigned k = 0; k < words; k++) set->word[k] &= s->active.word[k];
}

// The warp that the scheduler tries now, or NULL.
static inline Warp *pick(const SmContext *context, Scheduler *s, unsigned words, WarpSet *set)
{
    SchedulerPolicy policy = context->config.core->policy;
    if (policy == SCHEDULE_TWO_LEVEL) two_level_update(context, s, words, set);
    if (!warpset_any(set, words)) return NULL;
    unsigned local;
    if (policy != SCHEDULE_GTO) local = pick_round_robin(s, words, set);
    else if (warpset_has(set, s->last)) local = s->last;
    else local = pick_oldest(s, words, set);
    return s->warps[local];
}

// As pick, except with ISSUE_ANY, of warps that are not none.
ALWAYS_INLINE Warp *pick_usual(const Scheduler *s, uint64_t set)
{
    if (s->older) return s->warps[set >> s->last & 1 ? s->last : oldest_of(s, 0, set)];
    uint64_t behind = set & ~UINT64_C(1) << s->last;
    return s->warps[__builtin_ctzll(behind ? behind : set)];
}

static inline IssueOutcome issue_warp(const Issue *issue, const SmContext *context, Warp *w)
{
    if (injector_is_active(w)) return sm_issue_injected(issue->sm, w);
    SmTrace *trace = trace_of(context, w->id);
    return trace ? sm_issue_traced(issue->sm, w, trace) : sm_issue(issue->sm, w);
}

// With frontend.flush = scheduler, a warp drops what is behind its taken branch at once.
ALWAYS_INLINE void flush_issued(Issue *issue, SmContext *context, Warp *w)
{
    if (context->config.frontend->flush == FLUSH_SCHEDULER && w->sets->stale & w->bit)
        issue_flush_stale(issue, context, w);
}

// ---- turns ----

// The schedulers that may have something to do in this cycle and whose turn is not over, a bit
// each, rotated: bit 0 is the one whose turn comes first, number `began`. An issue may add some: a
// barrier opens.
typedef struct Turns {
    uint32_t due;
    unsigned at; // the bit whose turn it is
    unsigned issued;
} Turns;

ALWAYS_INLINE uint32_t turns_rotated(const Issue *issue)
{
    return issue->turn >> issue->began | issue->turn << (-issue->began & 31);
}

ALWAYS_INLINE Turns turns_begin(Issue *issue, const SmContext *context)
{
    // issue->first moves on only behind a cycle with an issue: with TURN_CYCLE, a unit that accepts
    // an instruction every 8 cycles always serves the same scheduler.
    unsigned first = issue->first;
    if (issue->turn_by_cycle)
        first = (unsigned)((context->now - issue->turn_zero) % issue->schedulers);
    issue->began = first;
    return (Turns){.due = turns_rotated(issue)};
}

// The next scheduler that may have something to do, or NULL.
ALWAYS_INLINE Scheduler *turns_next(Issue *issue, Turns *turns)
{
    if (!turns->due) return NULL;
    turns->at = (unsigned)__builtin_ctz(turns->due);
    issue->at = (turns->at + issue->began) & 31;
    return &issue->scheduler[issue->at];
}

// The turn of the scheduler is over. Its slots are counted.
ALWAYS_INLINE void turns_end(Issue *issue, const SmContext *context, Scheduler *s, Turns *turns,
                             bool issues, unsigned words)
{
    if (!has_turn(s, words)) issue->turn &= ~s->bit;
    turns->due = turns_rotated(issue) & ~UINT32_C(1) << turns->at;
    if (__builtin_expect(!issues, 0)) return;
    s->counted = context->now + 1;
    if (!turns->issued++) issue->first = s->next;
}

ALWAYS_INLINE void turns_finish(Issue *issue, SmContext *context, const Turns *turns)
{
    context->count.issue.issued += turns->issued;
    issue->at = issue->began;
}

#endif
