// The fetch stage: warps that want instructions fetch them through the L1I, round robin, and they
// are decoded. What nearly all fetches need is inlined into the SM's cycle.
#ifndef HEDDLE_CORE_FRONTEND_FETCH_H
#define HEDDLE_CORE_FRONTEND_FETCH_H

#include "core/frontend/frontend.h"

#include "base/inline.h"

// As fetch_cycle, in unusual cases, or with tries that are made although they stall (--no-skip).
void fetch_cycle_any(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks);
// Looks up a fetch that is not from the same sector as the last one. Returns whether it is to be
// made as from there: it hits, and f->last_hit is its sector. Otherwise it is made.
bool fetch_look_up(Frontend *f, SmContext *context, Warp *w);
// Gives the warp that waits longest the instructions of the line that has arrived.
void fetch_take_filled(Frontend *f, SmContext *context, const Blocks *blocks);
// Passes exited warps (Frontend.exited), round robin, up to a warp that fetches, which it returns.
// NULL: there is none.
Warp *fetch_pass_exited(Frontend *f, const Blocks *blocks);
// Notes whether all warps that may fetch have stalled: then nothing changes their outcome but what
// calls frontend_changed.
void fetch_note_blocked(Frontend *f, const SmContext *context);
// Decodes `count` instructions of the warp's fetch, if frontend.branch = stall or the wheel has no
// room.
void fetch_decode_any(const Frontend *f, SmContext *context, const Warp *w, unsigned count);

static inline EventPayload fetch_event(const Warp *w, unsigned count)
{
    return (EventPayload){.fetched = {count, w->fetch.pc}};
}
// Decodes the instructions of the warp's fetch. They are limited by fetch width, buffer, what the
// fetch can `reach` and, in the warp's function, by the function's end.
static inline void fetch_decode(const Frontend *f, SmContext *context, const Warp *w,
                                uint32_t reach)
{
    unsigned count = reach < f->fetch_most ? reach : f->fetch_most;
    uint32_t first = w->fetch.pc - w->pc_base, ops = w->op_count;
    if (first < ops && count > ops - first) count = ops - first;
    uint64_t time = context->now + f->decode;
    if (f->to_branch || !wheel_has_room(&context->wheel, time)) {
        fetch_decode_any(f, context, w, count);
        return;
    }
    uint32_t event = wheel_take_free(&context->wheel, EVENT_FETCHED, w->id, fetch_event(w, count));
    wheel_append(&context->wheel, event, time);
}

// The warp waits for its instructions. words: Frontend.set_words.
static inline void fetch_begin(Frontend *f, Warp *w, unsigned words)
{
    f->stalled = 0;
    w->fetch.in_flight = true;
    warpset_remove(&f->fetch_wanted, words > 1 ? w->id : w->id % 64);
}

// The warp slot that fetches next: round robin.
static inline unsigned fetch_next_slot(const Frontend *f, unsigned words)
{
    if (words > 1) return warpset_next(&f->fetch_wanted, words, (f->fetch_last + 1) % (words * 64));
    uint64_t wanted = f->fetch_wanted.word[0], later = wanted & ~UINT64_C(1) << f->fetch_last;
    return (unsigned)__builtin_ctzll(later ? later : wanted);
}

// The fetches of a cycle. A fetch that stalls is tried again.
ALWAYS_INLINE void fetch_wanted(Frontend *f, SmContext *context, const Blocks *blocks,
                                unsigned words)
{
    for (unsigned left = f->fetches; left && warpset_any(&f->fetch_wanted, words); left--) {
        if (f->filled_count) {
            fetch_take_filled(f, context, blocks);
            continue;
        }
        Warp *w = &blocks->warps[fetch_next_slot(f, words)];
        if (!w->flags.live && !(w = fetch_pass_exited(f, blocks))) return;
        f->fetch_last = w->id;
        context->count.sm.fetches++;
        if (w->fetch.pc - f->last_hit.first < f->last_hit.count)
            controller_count_load_hit(&f->l1i);
        else if (!fetch_look_up(f, context, w))
            continue;
        fetch_begin(f, w, words);
        fetch_decode(f, context, w, f->last_hit.first + f->last_hit.reach - w->fetch.pc);
    }
}

// Runs one cycle: looks up instructions in the shared store, then fetches.
ALWAYS_INLINE void fetch_cycle(Frontend *f, SmContext *context, Issue *issue, const Blocks *blocks)
{
    if (f->blocked || !f->usual) {
        fetch_cycle_any(f, context, issue, blocks);
        return;
    }
    fetch_wanted(f, context, blocks, 1);
    f->due = f->fetch_wanted.word[0] ? 0 : UINT64_MAX;
    if (f->stalled) fetch_note_blocked(f, context);
}

#endif
