// Half precision: __half and __half2 with their conversions, arithmetic and comparisons. On the
// device they are PTX instructions on halves. On the host they use float: sums, products and
// quotients of halves, computed in float and rounded, equal those rounded once.
#ifndef HEDDLE_CUDA_CUDA_FP16_H
#define HEDDLE_CUDA_CUDA_FP16_H
// The include guard of the toolkit: other headers test it.
#define __CUDA_FP16_H__

#include "heddle/short_float_values.h"

#define HEDDLE_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

// ---- conversions between the bits of halves and floats ----

HEDDLE_HALF unsigned short heddle_to_half(float value)
{
#if defined(__CUDA_ARCH__)
    return __nv_float2half_rn(value);
#else
    unsigned bits = __builtin_bit_cast(unsigned, value), sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return 0x7fff;
    if (bits >= 0x477ff000) return (unsigned short)(sign | 0x7c00); // rounds to infinity
    if (bits < 0x38800000)                                          // below the normal halves
        return (unsigned short)(sign | (unsigned)__builtin_rintf(__builtin_fabsf(value) * 0x1p24f));
    bits += 0xfff + (bits >> 13 & 1); // to nearest, ties to even
    return (unsigned short)(sign | ((bits - (112u << 23)) >> 13));
#endif
}
HEDDLE_HALF float heddle_from_half(unsigned short half)
{
#if defined(__CUDA_ARCH__)
    return __nv_half2float(half);
#else
    unsigned sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest >= 0x7c00) return __builtin_bit_cast(float, sign | 0x7f800000u | (rest & 0x3ff) << 13);
    float size = rest < 0x400 ? (float)rest * 0x1p-24f
                              : __builtin_bit_cast(float, (rest << 13) + (112u << 23));
    return sign ? -size : size;
#endif
}

struct __half_raw {
    unsigned short x;
};
struct __align__(4) __half2_raw
{
    unsigned short x, y;
};

struct __align__(2) __half
{
    unsigned short bits;
    __half() = default;
    __host__ __device__ __half(__half_raw raw) : bits(raw.x) {}
    __host__ __device__ __half(float value) : bits(heddle_to_half(value)) {}
    __host__ __device__ __half(double value) : bits(heddle_to_half(heddle_odd(value))) {}
    __host__ __device__ __half(int value) : __half((long long)value) {}
    __host__ __device__ __half(unsigned value) : __half((unsigned long long)value) {}
    __host__ __device__ __half(long value) : __half((long long)value) {}
    __host__ __device__ __half(unsigned long value) : __half((unsigned long long)value) {}
    __host__ __device__ __half(long long value) : bits(heddle_to_half(heddle_odd(value))) {}
    __host__ __device__ __half(unsigned long long value) : bits(heddle_to_half(heddle_odd(value)))
    {
    }
    __host__ __device__ operator float() const
    {
        return heddle_from_half(bits);
    }
    __host__ __device__ operator __half_raw() const
    {
        return __half_raw{bits};
    }
};
struct __align__(4) __half2
{
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(__half low, __half high) : x(low), y(high) {}
    __host__ __device__ __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    __host__ __device__ operator __half2_raw() const
    {
        return __half2_raw{x.bits, y.bits};
    }
};
typedef __half half;
typedef __half2 half2;

HEDDLE_HALF __half heddle_half(unsigned short bits)
{
    __half_raw raw = {bits};
    return __half(raw);
}
HEDDLE_HALF __half __float2half(float a)
{
    return __half(a);
}
HEDDLE_HALF __half __float2half_rn(float a)
{
    return __half(a);
}
HEDDLE_HALF __half __double2half(double a)
{
    return __half(a);
}
HEDDLE_HALF float __half2float(__half a)
{
    return heddle_from_half(a.bits);
}
HEDDLE_HALF short __half_as_short(__half a)
{
    return (short)a.bits;
}
HEDDLE_HALF unsigned short __half_as_ushort(__half a)
{
    return a.bits;
}
HEDDLE_HALF __half __short_as_half(short a)
{
    return heddle_half((unsigned short)a);
}
HEDDLE_HALF __half __ushort_as_half(unsigned short a)
{
    return heddle_half(a);
}

// ---- arithmetic ----

#if defined(__CUDA_ARCH__)
#define HEDDLE_HALF_OPERATION(name, ptx, c)                                                        \
    HEDDLE_HALF __half name(__half a, __half b)                                                    \
    {                                                                                              \
        unsigned short value;                                                                      \
        asm(ptx ".f16 %0, %1, %2;" : "=h"(value) : "h"(a.bits), "h"(b.bits));                      \
        return heddle_half(value);                                                                 \
    }
#else
#define HEDDLE_HALF_OPERATION(name, ptx, c)                                                        \
    HEDDLE_HALF __half name(__half a, __half b)                                                    \
    {                                                                                              \
        return __half((float)a c(float) b);                                                        \
    }
#endif
HEDDLE_HALF_OPERATION(__hadd, "add", +)
HEDDLE_HALF_OPERATION(__hsub, "sub", -)
HEDDLE_HALF_OPERATION(__hmul, "mul", *)
#undef HEDDLE_HALF_OPERATION
HEDDLE_HALF __half __hdiv(__half a, __half b)
{
    return __half((float)a / (float)b);
}
HEDDLE_HALF __half __hfma(__half a, __half b, __half c)
{
#if defined(__CUDA_ARCH__)
    unsigned short value;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(value) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return heddle_half(value);
#else
    return __half((double)(float)a * (float)b + (float)c);
#endif
}
// ---- pairs ----

HEDDLE_HALF __half2 __halves2half2(__half low, __half high)
{
    return __half2(low, high);
}
HEDDLE_HALF __half2 make_half2(__half low, __half high)
{
    return __half2(low, high);
}
HEDDLE_HALF __half2 __half2half2(__half a)
{
    return __half2(a, a);
}

#if defined(__CUDA_ARCH__)
#define HEDDLE_PAIR_OPERATION(name, one, ptx)                                                      \
    HEDDLE_HALF __half2 name(__half2 a, __half2 b)                                                 \
    {                                                                                              \
        unsigned value, x = __builtin_bit_cast(unsigned, a), y = __builtin_bit_cast(unsigned, b);  \
        asm(ptx ".f16x2 %0, %1, %2;" : "=r"(value) : "r"(x), "r"(y));                              \
        return __builtin_bit_cast(__half2, value);                                                 \
    }
#else
#define HEDDLE_PAIR_OPERATION(name, one, ptx)                                                      \
    HEDDLE_HALF __half2 name(__half2 a, __half2 b)                                                 \
    {                                                                                              \
        return __half2(one(a.x, b.x), one(a.y, b.y));                                              \
    }
#endif
HEDDLE_PAIR_OPERATION(__hadd2, __hadd, "add")
HEDDLE_PAIR_OPERATION(__hsub2, __hsub, "sub")
HEDDLE_PAIR_OPERATION(__hmul2, __hmul, "mul")
#undef HEDDLE_PAIR_OPERATION
HEDDLE_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
#if defined(__CUDA_ARCH__)
    unsigned value, x = __builtin_bit_cast(unsigned, a), y = __builtin_bit_cast(unsigned, b),
                    z = __builtin_bit_cast(unsigned, c);
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(value) : "r"(x), "r"(y), "r"(z));
    return __builtin_bit_cast(__half2, value);
#else
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}

// Atomic additions: of a pair, each half by itself.
static __device__ __forceinline__ __half2 atomicAdd(__half2 *at, __half2 value)
{
    unsigned old, add = __builtin_bit_cast(unsigned, value);
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(add) : "memory");
    return __builtin_bit_cast(__half2, old);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
static __device__ __forceinline__ __half atomicAdd(__half *at, __half value)
{
    unsigned short old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old)
                 : "l"(at), "h"(value.bits)
                 : "memory");
    return heddle_half(old);
}
#endif

#pragma clang attribute pop
#undef HEDDLE_HALF

#define HEDDLE_ONE            __half
#define HEDDLE_TWO            __half2
#define HEDDLE_TO(from, rest) __##from##2half##rest
#define HEDDLE_FROM(rest)     __half2##rest
#include "heddle/short_floats.h"

#endif
