// Sets of a scheduler's warps. `words` is the number of 64-bit words in use: 1 on a machine with up
// to 64 warps per scheduler.
#ifndef HEDDLE_CORE_WARPSET_H
#define HEDDLE_CORE_WARPSET_H

#include <stdbool.h>
#include <stdint.h>

enum { WARPSET_WORDS = 8, WARPSET_MOST = WARPSET_WORDS * 64 };

typedef struct WarpSet {
    uint64_t word[WARPSET_WORDS];
} WarpSet;

static inline void warpset_add(WarpSet *s, unsigned i)
{
    s->word[i >> 6] |= UINT64_C(1) << (i & 63);
}
static inline void warpset_remove(WarpSet *s, unsigned i)
{
    s->word[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}
static inline bool warpset_has(const WarpSet *s, unsigned i)
{
    return s->word[i >> 6] >> (i & 63) & 1;
}
static inline bool warpset_any(const WarpSet *s, unsigned words)
{
    uint64_t any = s->word[0];
    for (unsigned w = 1; w < words; w++) any |= s->word[w];
    return any != 0;
}
static inline unsigned warpset_count(const WarpSet *s, unsigned words)
{
    unsigned count = 0;
    for (unsigned w = 0; w < words; w++) count += (unsigned)__builtin_popcountll(s->word[w]);
    return count;
}
// Returns the first member at or after `from`, wrapping round. The set must not be empty.
static inline unsigned warpset_next(const WarpSet *s, unsigned words, unsigned from)
{
    unsigned w = from >> 6;
    uint64_t here = s->word[w] & (~UINT64_C(0) << (from & 63));
    while (!here) {
        w = w + 1 < words ? w + 1 : 0;
        here = s->word[w];
    }
    return w << 6 | (unsigned)__builtin_ctzll(here);
}

#endif
