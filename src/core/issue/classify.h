// The classification of usual warps, which only the scoreboard and the fetch stage make wait, and
// the move of a warp between the sets of its scheduler.
#ifndef HEDDLE_CORE_ISSUE_CLASSIFY_H
#define HEDDLE_CORE_ISSUE_CLASSIFY_H

#include "core/issue/slots.h"

// The scheduler has something to do.
static inline void note_turn(Issue *issue, SmContext *context, const Warp *w)
{
    issue->turn |= w->issue.home->bit;
    context->issue_due = 0;
}

// The warp's buffer holds instructions that it will not execute next: its scheduler drops them in
// its turn.
static inline void note_stale(Issue *issue, SmContext *context, const Warp *w)
{
    w->issue.sets->stale |= w->issue.bit;
    note_turn(issue, context, w);
}

// Moves the warp to another set than its own. The caller has counted its wait and its scheduler's
// slots.
ALWAYS_INLINE void warp_place(Warp *w, unsigned set)
{
    static const uint8_t states[WARP_SETS] = {
        [SET_READY ... SET_WAVE] = WARP_READY, [SET_WAVE_FULL] = WARP_WAVE_TABLE,
        [SET_THROTTLED] = WARP_THROTTLED,
        [SET_MEMORY] = WARP_MEMORY, [SET_DEPENDENCY] = WARP_DEPENDENCY, [SET_FETCH] = WARP_FETCH,
        [SET_BARRIER] = WARP_BARRIER, [SET_NONE] = WARP_NONE};
    WarpSets *sets = w->issue.sets;
    unsigned from = w->issue.set;
    uint64_t left = sets->of[from] & ~w->issue.bit;
    sets->of[from] = left;
    sets->of[set] |= w->issue.bit;
    sets->present = (sets->present & ~((uint32_t)!left << from)) | UINT32_C(1) << set;
    w->issue.state = states[set];
    w->issue.set = (uint8_t)set;
}

// set: not the warp's. words: Issue.set_words.
ALWAYS_INLINE void move_to(Issue *issue, SmContext *context, Warp *w, unsigned set, unsigned words)
{
    count_slots(context, w->issue.home, words, context->now);
    warp_count_wait(context, w, w->pc_base + w->pc);
    warp_place(w, set);
    if (set <= SET_WAVE) note_turn(issue, context, w);
}

// The state of an instruction whose registers lie in few words (UOpTiming.needs), with results
// pending: WARP_READY, WARP_MEMORY or WARP_DEPENDENCY.
ALWAYS_INLINE WarpState scoreboard_needs(const Warp *w, const UOpTiming *t)
{
    uint64_t any = w->scoreboard.pending[t->need_word[0]] & t->needs[0];
    uint64_t memory = any & w->scoreboard.memory[t->need_word[0]];
    for (unsigned i = 1; i < t->need_words; i++) {
        uint64_t pending = w->scoreboard.pending[t->need_word[i]] & t->needs[i];
        any |= pending;
        memory |= pending & w->scoreboard.memory[t->need_word[i]];
    }
    return memory ? WARP_MEMORY : any ? WARP_DEPENDENCY : WARP_READY;
}

// The set of a warp for what its next instruction waits for. SET_UNKNOWN: the warp, the instruction
// or the machine is not usual. Also notes a buffer that holds other instructions. simple:
// Issue.simple.
enum { SET_UNKNOWN = WARP_SETS };
ALWAYS_INLINE unsigned usual_set(Issue *issue, SmContext *context, const Warp *w, bool simple)
{
    if (!warp_goes_on(w) || !simple) return SET_UNKNOWN;
    if (!warp_has_instruction(w)) {
        if (w->fetch.buffered) note_stale(issue, context, w);
        return SET_FETCH;
    }
    const UOpTiming *timing = &w->timing[w->pc];
    if (!timing->need_words) return SET_UNKNOWN;
    if (w->scoreboard.count) {
        WarpState state = scoreboard_needs(w, timing);
        if (state != WARP_READY) return state == WARP_MEMORY ? SET_MEMORY : SET_DEPENDENCY;
    }
    return SET_READY + issue->port_of[timing->row];
}

// As warp_classify, built into its caller.
ALWAYS_INLINE void warp_classify_here(Issue *issue, SmContext *context, Warp *w)
{
    unsigned set = usual_set(issue, context, w, issue->simple);
    if (set == SET_UNKNOWN) warp_classify_unusual(issue, context, w);
    else if (set != w->issue.set) move_to(issue, context, w, set, 1);
}

#endif
