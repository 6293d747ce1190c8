// Floating-point values that exercise rounding, special cases and subnormals, and random values.
#ifndef HEDDLE_TESTS_EXEC_VALUES_H
#define HEDDLE_TESTS_EXEC_VALUES_H

#include "base/random.h"

#include <stdint.h>

static const uint32_t values_f32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x00800001, 0x80800000,
    0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x40400000, 0x3eaaaaab, 0x3f000000,
    0x4b000000, 0x4b800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
    0xffc12345, 0x33800000, 0x34000000, 0x0c000000, 0x73000000, 0x5f000000, 0xcf000000, 0x4f7fffff};
static const uint64_t values_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x0010000000000000, 0x8010000000000001, 0x3ff0000000000000,
    0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0x4000000000000000,
    0x4008000000000000, 0x3fd5555555555555, 0x4330000000000000, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0x7ff0000000000001, 0x3ca0000000000000, 0x3cb0000000000000, 0x1ff0000000000000,
    0x5fe0000000000000, 0x41dfffffffc00000, 0x43e0000000000000, 0xc3e0000000000000};

// Random bits, often with an exponent near that of 1, so that sums and products interact.
static inline uint32_t random_f32(uint64_t draw)
{
    uint64_t bits = random_draw(7, 1, 0, draw);
    uint32_t x = (uint32_t)bits;
    return bits >> 62 ? (x & 0x80ffffff) | (uint32_t)(0x30000000 + (bits >> 32 & 0x1f000000)) : x;
}
static inline uint64_t random_f64(uint64_t draw)
{
    uint64_t bits = random_draw(7, 2, 0, draw), more = random_draw(7, 3, 0, draw);
    return more >> 62 ? (bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(980 + more % 90) << 52
                      : bits;
}

#endif
