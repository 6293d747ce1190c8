// Conversions that cuda_fp16.h and cuda_bf16.h share. A value of another type becomes a float that
// rounds to 16 bits as the value itself does: inexact bits are kept as a set last bit (rounding to
// odd), and a float has more than two bits more than a half.
#ifndef HEDDLE_CUDA_SHORT_FLOAT_VALUES_H
#define HEDDLE_CUDA_SHORT_FLOAT_VALUES_H

#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))

HEDDLE_BOTH float heddle_odd(unsigned long long value)
{
    if (value < 1u << 24) return (float)value;
    int shift = 40 - __builtin_clzll(value);
    unsigned long long lost = value & ((1ull << shift) - 1);
    return (float)(value >> shift | (lost != 0)) * (float)(1ull << shift);
}
HEDDLE_BOTH float heddle_odd(long long value)
{
    return value < 0 ? -heddle_odd(0 - (unsigned long long)value)
                     : heddle_odd((unsigned long long)value);
}
HEDDLE_BOTH float heddle_odd(double value)
{
    float near = (float)value;
    if ((double)near == value || value != value) return near;
    unsigned bits = __builtin_bit_cast(unsigned, near);
    if (__builtin_fabs((double)near) > __builtin_fabs(value)) bits--;
    return __builtin_bit_cast(float, bits | 1);
}

// The integer of a type that a whole number is nearest to. For a NaN it is 0, or, of 64 bits, the
// highest bit alone.
template <typename Integer> HEDDLE_BOTH Integer heddle_to_integer(float whole)
{
    constexpr bool is_signed = (Integer)-1 < (Integer)0;
    constexpr int bits = (int)sizeof(Integer) * 8 - is_signed;
    constexpr float end = bits == 64 ? 0x1p64f : (float)(1ull << (bits & 63));
    constexpr Integer most = (Integer)(~0ull >> (64 - bits));
    if (whole != whole) return bits < 63 ? (Integer)0 : (Integer)(1ull << 63);
    if (whole >= end) return most;
    if (whole < (is_signed ? -end : 0)) return is_signed ? (Integer)(-most - 1) : (Integer)0;
    return (Integer)whole;
}

// The 16 bits of a value rounded in a direction, from those rounded to nearest, which have the
// value `near`; all are sign and magnitude.
HEDDLE_BOTH unsigned short heddle_step_down(unsigned short bits)
{
    if ((bits & 0x7fff) == 0) return 0x8001;
    return (unsigned short)(bits & 0x8000 ? bits + 1 : bits - 1);
}
HEDDLE_BOTH unsigned short heddle_round_down(unsigned short bits, float near, float value)
{
    return near > value ? heddle_step_down(bits) : bits;
}
HEDDLE_BOTH unsigned short heddle_round_up(unsigned short bits, float near, float value)
{
    return near < value ? (unsigned short)(heddle_step_down(bits ^ 0x8000) ^ 0x8000) : bits;
}
HEDDLE_BOTH unsigned short heddle_round_to_zero(unsigned short bits, float near, float value)
{
    return value < 0 ? heddle_round_up(bits, near, value) : heddle_round_down(bits, near, value);
}

#undef HEDDLE_BOTH
#pragma clang attribute pop

#endif
