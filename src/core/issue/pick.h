// Which warp a scheduler tries: the ready warps whose port has room, in the order of its policy;
// and its issue.
//
// `words` is Issue.set_words, `usual` Issue.usual. issue_cycle is built for usual machines, and for
// all.
#ifndef HEDDLE_CORE_ISSUE_PICK_H
#define HEDDLE_CORE_ISSUE_PICK_H

#include "core/inject/injector.h"
#include "core/issue/scheduler.h"
#include "core/trace_warp.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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
// Whether a scheduler has something to do: warps or waves that are ready, or stale warps.
ALWAYS_INLINE bool has_turn(const Scheduler *s, unsigned words)
{
    uint32_t present = 0;
    for (unsigned k = 0; k < words; k++) present |= s->sets[k].present;
    return present & PRESENT_READY || any_stale(s, words);
}

// The ready warps whose port has room.
ALWAYS_INLINE void candidates(const Scheduler *s, const Operands *operands, uint64_t now,
                              unsigned words, WarpSet *set)
{
    for (unsigned k = 0; k < words; k++) set->word[k] = ready_at_any(&s->sets[k]);
    if (ports_have_room(operands, now)) return;
    for (unsigned p = 0; p < PORTS; p++) {
        if (port_has_room(operands, p, now)) continue;
        for (unsigned k = 0; k < words; k++) set->word[k] &= ~ready_at(&s->sets[k], p);
    }
}

// The word of a set that has warp i.
ALWAYS_INLINE unsigned word_of(unsigned words, unsigned i) { return words == 1 ? 0 : i / 64; }

// The warp is not tried again in this cycle.
ALWAYS_INLINE void leave(unsigned words, WarpSet *set, const Warp *w)
{
    set->word[word_of(words, w->local)] &= ~w->bit;
}

ALWAYS_INLINE unsigned pick_oldest(const Scheduler *s, unsigned words, const WarpSet *set)
{
    unsigned best = 0;
    uint64_t age = UINT64_MAX;
    for (unsigned k = 0; k < words; k++) {
        for (uint64_t bits = set->word[k]; bits; bits &= bits - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t its = s->warps[local]->age;
            if (its < age) {
                age = its;
                best = local;
            }
        }
    }
    return best;
}

ALWAYS_INLINE unsigned pick_round_robin(const Scheduler *s, unsigned words, const WarpSet *set)
{
    unsigned from = s->last + 1 < words * 64 ? s->last + 1 : 0;
    return warpset_next(set, words, from);
}

// Updates the active set of a two-level scheduler: warps that wait for memory or have exited leave
// the set, and the oldest ready warps outside replace them. Restricts `set` to the active set.
static inline void two_level_update(const SmContext *sm, Scheduler *s, unsigned words, WarpSet *set)
{
    WarpSet outside = *set;
    for (unsigned k = 0; k < words; k++) {
        const WarpSets *sets = &s->sets[k];
        uint64_t leave = s->active.word[k] & ~(ready_at_any(sets) | sets->of[SET_DEPENDENCY] |
                                               sets->of[SET_FETCH]);
        s->active.word[k] &= ~leave;
        s->active_count -= (unsigned)__builtin_popcountll(leave);
        outside.word[k] &= ~s->active.word[k];
    }
    while (s->active_count < sm->config.core->two_level_active && warpset_any(&outside, words)) {
        unsigned local = pick_oldest(s, words, &outside);
        warpset_add(&s->active, local);
        warpset_remove(&outside, local);
        s->active_count++;
    }
    for (unsigned k = 0; k < words; k++) set->word[k] &= s->active.word[k];
}

// The warp that the scheduler tries now, or NULL.
ALWAYS_INLINE Warp *pick(const SmContext *sm, Scheduler *s, unsigned words, WarpSet *set,
                         bool usual)
{
    SchedulerPolicy policy = sm->config.core->policy;
    if (!usual && policy == SCHEDULE_TWO_LEVEL) two_level_update(sm, s, words, set);
    if (!warpset_any(set, words)) return NULL;
    unsigned local;
    if (policy != SCHEDULE_GTO)
        local = pick_round_robin(s, words, set);
    else if (set->word[word_of(words, s->last)] >> s->last % 64 & 1)
        local = s->last;
    else
        local = pick_oldest(s, words, set);
    return s->warps[local];
}

ALWAYS_INLINE IssueOutcome issue_warp(const Issue *issue, const SmContext *sm, Warp *w, bool usual)
{
    if (!usual && injector_is_active(w)) return sm_issue_injected(issue->sm, w);
    SmTrace *trace = trace_of(sm, w->id);
    return trace ? sm_issue_traced(issue->sm, w, trace) : sm_issue(issue->sm, w);
}

// With frontend.flush = scheduler, a warp drops what is behind its taken branch at once.
ALWAYS_INLINE void flush_issued(Issue *issue, SmContext *sm, Warp *w)
{
    if (sm->config.frontend->flush == FLUSH_SCHEDULER && w->sets->stale & w->bit)
        issue_flush_stale(issue, sm, w);
}

#endif
