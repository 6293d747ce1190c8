// Reproducible random numbers: a counter-based generator without state.
//
// The value depends only on (seed, user, place, draw), so that it is independent of the order in
// which the host computes.
#ifndef HEDDLE_BASE_RANDOM_H
#define HEDDLE_BASE_RANDOM_H

#include <stdint.h>

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijective mix of 64 bits.
static inline uint64_t random_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// What the draws of `user` at `place` under `seed` have in common, for loops that make many.
static inline uint64_t random_series(uint64_t seed, uint32_t user, uint32_t place)
{
    return random_mix(seed ^ ((uint64_t)user << 32 | place));
}
static inline uint64_t random_draw_of(uint64_t series, uint64_t draw)
{
    return random_mix(series + draw);
}

// 64 random bits for draw number `draw` of `user` at `place` under `seed`.
static inline uint64_t random_draw(uint64_t seed, uint32_t user, uint32_t place, uint64_t draw)
{
    return random_draw_of(random_series(seed, user, place), draw);
}

// The top 53 bits as a double in [0, 1).
static inline double random_unit(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

#endif
