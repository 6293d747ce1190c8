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

// The first by Scheduler.before of these warps, which are of word k of a set and not none.
ALWAYS_INLINE unsigned first_of(const Scheduler *s, unsigned k, uint64_t warps)
{
    const uint64_t *before = &s->before[k * 64];
    unsigned first;
    uint64_t left = warps;
    do {
        first = (unsigned)__builtin_ctzll(left);
        left = warps & before[first];
    } while (left);
    return k * 64 + first;
}

// The first of these warps, which are not none.
static inline unsigned pick_first(const Scheduler *s, unsigned words, const WarpSet *set)
{
    unsigned best = 0;
    uint64_t key = UINT64_MAX;
    for (unsigned k = 0; k < words; k++) {
        if (!set->word[k]) continue;
        unsigned local = first_of(s, k, set->word[k]);
        if (s->key[local] >= key) continue;
        key = s->key[local];
        best = local;
    }
    return best;
}

// Those of these warps, which are not none, that have the lowest key.
static inline WarpSet lowest_of(const Scheduler *s, unsigned words, const WarpSet *set)
{
    WarpSet lowest = {0};
    uint64_t key = UINT64_MAX;
    for (unsigned k = 0; k < words; k++)
        for (uint64_t left = set->word[k]; left; left &= left - 1) {
            unsigned local = k * 64 + (unsigned)__builtin_ctzll(left);
            if (s->key[local] > key) continue;
            if (s->key[local] < key) lowest = (WarpSet){0};
            key = s->key[local];
            warpset_add(&lowest, local);
        }
    return lowest;
}

// Which of these warps, which are not none, comes first if `last` issued last.
static inline unsigned pick_in_order(const Issue *issue, const Scheduler *s, unsigned last,
                                     const WarpSet *set)
{
    unsigned words = issue->set_words, behind = last + 1;
    if (s->greedy && warpset_has(set, last)) return last;
    if (!issue->order.rotates) return pick_first(s, words, set);
    WarpSet first = issue->order.ranked ? lowest_of(s, words, set) : *set;
    return warpset_next(&first, words, behind < words * 64 ? behind : 0);
}

// The warp of the set that the scheduler tries now; NULL: none. Removes those that it may not try.
static inline Warp *pick(Issue *issue, const SmContext *context, Scheduler *s, WarpSet *set)
{
    unsigned words = issue->set_words;
    Warp *chosen;
    if (issue->choice.on && choice_ask(issue, context, s, set, &chosen)) return chosen;
    if (issue->policy->limit && !issue->order.decided)
        issue->policy->limit(s, words, context->config.core->two_level_active, set);
    if (!warpset_any(set, words)) return NULL;
    return s->warps[pick_in_order(issue, s, s->last, set)];
}

// pick for a set that is not empty, if the way is not ISSUE_ANY.
ALWAYS_INLINE Warp *pick_usual(const Scheduler *s, uint64_t set)
{
    if (s->before)
        return s->warps[(set & s->greedy) >> s->last & 1 ? s->last : first_of(s, 0, set)];
    uint64_t behind = set & ~UINT64_C(1) << s->last;
    return s->warps[__builtin_ctzll(behind ? behind : set)];
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
    // issue->first moves on after a cycle with an issue. With TURN_CYCLE the turn moves on in each
    // cycle, so that a unit that accepts an instruction every 8 cycles always serves the same
    // scheduler.
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
