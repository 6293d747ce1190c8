// bfloat16: __nv_bfloat16 and __nv_bfloat162 with their conversions, arithmetic and comparisons. A
// bfloat16 is the upper half of a float. Sums, products and quotients are computed in float and
// rounded, which equals rounding once; fused multiply-adds are rounded once on sm_80 and newer, and
// else in float first.
#ifndef HEDDLE_CUDA_CUDA_BF16_H
#define HEDDLE_CUDA_CUDA_BF16_H
// The include guard of the toolkit: other headers test it.
#define __CUDA_BF16_H__

#include "heddle/short_float_values.h"

#define HEDDLE_BFLOAT static __inline__ __host__ __device__ __attribute__((always_inline))
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

// ---- conversions between the bits of bfloat16 and float ----

HEDDLE_BFLOAT unsigned short heddle_to_bfloat(float value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    unsigned bits = __builtin_bit_cast(unsigned, value);
    if (value != value) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16); // ties to even
#endif
}
HEDDLE_BFLOAT float heddle_from_bfloat(unsigned short bits)
{
    return __builtin_bit_cast(float, (unsigned)bits << 16);
}

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw
{
    unsigned short x, y;
};

struct __align__(2) __nv_bfloat16
{
    unsigned short bits;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
    __host__ __device__ __nv_bfloat16(float value) : bits(heddle_to_bfloat(value)) {}
    __host__ __device__ __nv_bfloat16(double value) : bits(heddle_to_bfloat(heddle_odd(value))) {}
    __host__ __device__ __nv_bfloat16(int value) : __nv_bfloat16((long long)value) {}
    __host__ __device__ __nv_bfloat16(unsigned value) : __nv_bfloat16((unsigned long long)value) {}
    __host__ __device__ __nv_bfloat16(long value) : __nv_bfloat16((long long)value) {}
    __host__ __device__ __nv_bfloat16(unsigned long value)
        : __nv_bfloat16((unsigned long long)value)
    {
    }
    __host__ __device__ __nv_bfloat16(long long value) : bits(heddle_to_bfloat(heddle_odd(value)))
    {
    }
    __host__ __device__ __nv_bfloat16(unsigned long long value)
        : bits(heddle_to_bfloat(heddle_odd(value)))
    {
    }
    __host__ __device__ operator float() const
    {
        return heddle_from_bfloat(bits);
    }
    __host__ __device__ operator __nv_bfloat16_raw() const
    {
        return __nv_bfloat16_raw{bits};
    }
};
struct __align__(4) __nv_bfloat162
{
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
    __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw raw)
        : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y})
    {
    }
    __host__ __device__ operator __nv_bfloat162_raw() const
    {
        return __nv_bfloat162_raw{x.bits, y.bits};
    }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

HEDDLE_BFLOAT __nv_bfloat16 __float2bfloat16(float a)
{
    return __nv_bfloat16(a);
}
HEDDLE_BFLOAT __nv_bfloat16 __float2bfloat16_rn(float a)
{
    return __nv_bfloat16(a);
}
HEDDLE_BFLOAT __nv_bfloat16 __double2bfloat16(double a)
{
    return __nv_bfloat16(a);
}
HEDDLE_BFLOAT float __bfloat162float(__nv_bfloat16 a)
{
    return (float)a;
}
HEDDLE_BFLOAT short __bfloat16_as_short(__nv_bfloat16 a)
{
    return (short)a.bits;
}
HEDDLE_BFLOAT unsigned short __bfloat16_as_ushort(__nv_bfloat16 a)
{
    return a.bits;
}
HEDDLE_BFLOAT __nv_bfloat16 __ushort_as_bfloat16(unsigned short a)
{
    return __nv_bfloat16(__nv_bfloat16_raw{a});
}
HEDDLE_BFLOAT __nv_bfloat16 __short_as_bfloat16(short a)
{
    return __ushort_as_bfloat16((unsigned short)a);
}

// ---- arithmetic ----

#define HEDDLE_OPERATION(name, sign)                                                               \
    HEDDLE_BFLOAT __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                             \
    {                                                                                              \
        return __nv_bfloat16((float)a sign(float) b);                                              \
    }
HEDDLE_OPERATION(__hadd, +)
HEDDLE_OPERATION(__hsub, -)
HEDDLE_OPERATION(__hmul, *)
HEDDLE_OPERATION(__hdiv, /)
#undef HEDDLE_OPERATION
HEDDLE_BFLOAT __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return __ushort_as_bfloat16(bits);
#else
    return __nv_bfloat16(__builtin_fmaf((float)a, (float)b, (float)c));
#endif
}

// ---- pairs ----

HEDDLE_BFLOAT __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high)
{
    return __nv_bfloat162(low, high);
}
HEDDLE_BFLOAT __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high)
{
    return __nv_bfloat162(low, high);
}
HEDDLE_BFLOAT __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
#define HEDDLE_OPERATION(pair, one)                                                                \
    HEDDLE_BFLOAT __nv_bfloat162 pair(__nv_bfloat162 a, __nv_bfloat162 b)                          \
    {                                                                                              \
        return __nv_bfloat162(one(a.x, b.x), one(a.y, b.y));                                       \
    }
HEDDLE_OPERATION(__hadd2, __hadd)
HEDDLE_OPERATION(__hsub2, __hsub)
HEDDLE_OPERATION(__hmul2, __hmul)
#undef HEDDLE_OPERATION
HEDDLE_BFLOAT __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

// Atomic additions, by compare and swap: GPUs have an instruction for them since sm_90.
static __device__ __forceinline__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *at, __nv_bfloat162 value)
{
    int *word = (int *)at, seen = *(volatile int *)word, old;
    do {
        old = seen;
        __nv_bfloat162 sum = __hadd2(__builtin_bit_cast(__nv_bfloat162, old), value);
        seen = atomicCAS(word, old, __builtin_bit_cast(int, sum));
    } while (seen != old);
    return __builtin_bit_cast(__nv_bfloat162, old);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *at, __nv_bfloat16 value)
{
    unsigned short *word = (unsigned short *)at, seen = *(volatile unsigned short *)word, old;
    do {
        old = seen;
        seen = atomicCAS(word, old, __hadd(__ushort_as_bfloat16(old), value).bits);
    } while (seen != old);
    return __ushort_as_bfloat16(old);
}
#endif

#pragma clang attribute pop
#undef HEDDLE_BFLOAT

#define HEDDLE_ONE            __nv_bfloat16
#define HEDDLE_TWO            __nv_bfloat162
#define HEDDLE_TO(from, rest) __##from##2bfloat16##rest
#define HEDDLE_FROM(rest)     __bfloat162##rest
#include "heddle/short_floats.h"

#endif
