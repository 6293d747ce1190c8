// Bit tricks and small sums: powers of two, rounding, the smaller of two, lane masks.
#ifndef HEDDLE_BASE_BITS_H
#define HEDDLE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

// The maximum warp width. A machine's own width (4..32) is a parameter; this constant is the size
// of arrays with one element per lane.
enum { HD_MAX_LANES = 32 };

// One bit per lane of a warp; lane 0 is bit 0.
typedef uint32_t LaneMask;

static inline LaneMask lanes_all(unsigned width)
{
    return width >= 32 ? ~(LaneMask)0 : ((LaneMask)1 << width) - 1;
}
static inline unsigned lanes_count(LaneMask m) { return (unsigned)__builtin_popcount(m); }
// m must not be 0.
static inline unsigned lanes_first(LaneMask m) { return (unsigned)__builtin_ctz(m); }

static inline bool is_power_of_two(uint64_t x) { return x && !(x & (x - 1)); }
// The position of the highest set bit; x must not be 0.
static inline unsigned log2_floor(uint64_t x) { return 63u - (unsigned)__builtin_clzll(x); }
static inline uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t round_up(uint64_t x, uint64_t unit) { return (x + unit - 1) / unit * unit; }
static inline uint64_t divide_up(uint64_t x, uint64_t by) { return (x + by - 1) / by; }
// `bits` (1 to 63) bits that depend on all of x: Fibonacci hashing (Knuth, TAOCP 3, 6.4), the top
// bits of a product with 2^64 / golden ratio.
static inline uint64_t hash_bits(uint64_t x, unsigned bits)
{
    return x * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
}
// Whether [start, start + bytes) is in [0, end). No sum overflows.
static inline bool range_fits(uint64_t start, uint64_t bytes, uint64_t end)
{
    return bytes <= end && start <= end - bytes;
}

#endif
