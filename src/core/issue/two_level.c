// The two-level policy: round robin among few active warps, which pending ones replace when they
// wait for memory.
#include "core/issue/pick.h"

uint64_t two_level_leaving(const Scheduler *s, unsigned word)
{
    const WarpSets *sets = &s->sets[word];
    uint64_t stay = ready_at_any(sets) | sets->of[SET_DEPENDENCY] | sets->of[SET_FETCH];
    return s->active.warps.word[word] & ~stay;
}

void two_level_limit(Scheduler *s, unsigned words, unsigned most, WarpSet *set)
{
    ActiveWarps *active = &s->active;
    WarpSet outside = *set;
    for (unsigned k = 0; k < words; k++) {
        uint64_t leaving = two_level_leaving(s, k);
        active->warps.word[k] &= ~leaving;
        active->count -= (unsigned)__builtin_popcountll(leaving);
        outside.word[k] &= ~active->warps.word[k];
    }
    for (; active->count < most && warpset_any(&outside, words); active->count++) {
        unsigned local = pick_first(s, words, &outside);
        warpset_add(&active->warps, local);
        warpset_remove(&outside, local);
    }
    for (unsigned k = 0; k < words; k++) set->word[k] &= active->warps.word[k];
}

void two_level_set_aside(Scheduler *s, unsigned local)
{
    if (!warpset_has(&s->active.warps, local)) return;
    warpset_remove(&s->active.warps, local);
    s->active.count--;
}
