// Integer functions of newer GPUs: dot products of bytes and half-words (sm_61), bytes in reverse
// order, and the sums, minima and maxima that sm_90 has instructions for. The last are host
// functions, too. Suffixes: s32 and u32 are one integer, s16x2 and u16x2 two half-words of a word;
// with _relu a negative result becomes 0.
#ifndef HEDDLE_CUDA_PACKED_INTEGERS_H
#define HEDDLE_CUDA_PACKED_INTEGERS_H

#include "heddle/intrinsics.h"

#include "vector_types.h"

// ---- dot products: c + a.x * b.x + a.y * b.y + ... ----

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610

// dp2a multiplies the half-words of a by the lower or the higher two bytes of b.
#define HEDDLE_DOT(name, ptx, type, a_vector, b_vector)                                            \
    HEDDLE_DEVICE type name(type a, type b, type c)                                                \
    {                                                                                              \
        type value;                                                                                \
        asm(ptx " %0, %1, %2, %3;" : "=r"(value) : "r"(a), "r"(b), "r"(c));                        \
        return value;                                                                              \
    }                                                                                              \
    HEDDLE_DEVICE type name(a_vector a, b_vector b, type c)                                        \
    {                                                                                              \
        return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                  \
    }
HEDDLE_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
HEDDLE_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
HEDDLE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
HEDDLE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
HEDDLE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
HEDDLE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef HEDDLE_DOT

#endif

#define HEDDLE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))

// ---- bytes in reverse order ----

HEDDLE_BOTH unsigned short __nv_bswap16(unsigned short a)
{
    return __builtin_bswap16(a);
}
HEDDLE_BOTH unsigned __nv_bswap32(unsigned a)
{
    return __builtin_bswap32(a);
}
HEDDLE_BOTH unsigned long long __nv_bswap64(unsigned long long a)
{
    return __builtin_bswap64(a);
}

// ---- sums, minima and maxima ----

#define HEDDLE_MIN(a, b) ((a) < (b) ? (a) : (b))
#define HEDDLE_MAX(a, b) ((a) > (b) ? (a) : (b))

HEDDLE_BOTH unsigned heddle_pair(unsigned high, unsigned low)
{
    return high << 16 | (low & 0xffff);
}

// `value` is an expression of a, b and c.
#define HEDDLE_OF_WORD(name, suffix, type, value)                                                  \
    HEDDLE_BOTH type __##name##_##suffix(type a, type b, type c)                                   \
    {                                                                                              \
        return value;                                                                              \
    }
#define HEDDLE_OF_HALVES(name, suffix, type, value)                                                \
    HEDDLE_BOTH type heddle_##name##_##suffix(type a, type b, type c)                              \
    {                                                                                              \
        return value;                                                                              \
    }                                                                                              \
    HEDDLE_BOTH unsigned __##name##_##suffix(unsigned a, unsigned b, unsigned c)                   \
    {                                                                                              \
        return heddle_pair((unsigned)heddle_##name##_##suffix(                                     \
                               (type)(a >> 16), (type)(b >> 16), (type)(c >> 16)),                 \
                           (unsigned)heddle_##name##_##suffix((type)a, (type)b, (type)c));         \
    }
// Sums wrap around at the width of the type.
#define HEDDLE_EXTREMES(of, suffix, type)                                                          \
    of(viaddmax, suffix, type, HEDDLE_MAX((type)((unsigned)a + (unsigned)b), c))                   \
    of(viaddmin, suffix, type, HEDDLE_MIN((type)((unsigned)a + (unsigned)b), c))                   \
    of(vimax3, suffix, type, HEDDLE_MAX(HEDDLE_MAX(a, b), c))                                      \
    of(vimin3, suffix, type, HEDDLE_MIN(HEDDLE_MIN(a, b), c))
HEDDLE_EXTREMES(HEDDLE_OF_WORD, s32, int)
HEDDLE_EXTREMES(HEDDLE_OF_WORD, u32, unsigned)
HEDDLE_EXTREMES(HEDDLE_OF_HALVES, s16x2, short)
HEDDLE_EXTREMES(HEDDLE_OF_HALVES, u16x2, unsigned short)
#undef HEDDLE_EXTREMES
#undef HEDDLE_OF_WORD
#undef HEDDLE_OF_HALVES

#define HEDDLE_RELU(suffix, type)                                                                  \
    HEDDLE_BOTH type __viaddmax_##suffix##_relu(type a, type b, type c)                            \
    {                                                                                              \
        return __vimax3_##suffix(__viaddmax_##suffix(a, b, c), 0, 0);                              \
    }                                                                                              \
    HEDDLE_BOTH type __viaddmin_##suffix##_relu(type a, type b, type c)                            \
    {                                                                                              \
        return __vimax3_##suffix(__viaddmin_##suffix(a, b, c), 0, 0);                              \
    }                                                                                              \
    HEDDLE_BOTH type __vimax3_##suffix##_relu(type a, type b, type c)                              \
    {                                                                                              \
        return __vimax3_##suffix(__vimax3_##suffix(a, b, c), 0, 0);                                \
    }                                                                                              \
    HEDDLE_BOTH type __vimin3_##suffix##_relu(type a, type b, type c)                              \
    {                                                                                              \
        return __vimax3_##suffix(__vimin3_##suffix(a, b, c), 0, 0);                                \
    }                                                                                              \
    HEDDLE_BOTH type __vimax_##suffix##_relu(type a, type b)                                       \
    {                                                                                              \
        return __vimax3_##suffix(a, b, 0);                                                         \
    }                                                                                              \
    HEDDLE_BOTH type __vimin_##suffix##_relu(type a, type b)                                       \
    {                                                                                              \
        return __vimin3_##suffix##_relu(a, b, b);                                                  \
    }
HEDDLE_RELU(s32, int)
HEDDLE_RELU(s16x2, unsigned)
#undef HEDDLE_RELU

// Each also says whether a is the result. (If both are equal, it is.)
#define HEDDLE_CHOICE(name, compare, suffix, type)                                                 \
    HEDDLE_BOTH type __##name##_##suffix(type a, type b, bool *first)                              \
    {                                                                                              \
        *first = a compare b;                                                                      \
        return *first ? a : b;                                                                     \
    }
#define HEDDLE_CHOICES(name, compare, suffix, type)                                                \
    HEDDLE_BOTH unsigned __##name##_##suffix(unsigned a, unsigned b, bool *high, bool *low)        \
    {                                                                                              \
        *high = (type)(a >> 16) compare (type)(b >> 16);                                           \
        *low = (type)a compare (type)b;                                                            \
        return heddle_pair((*high ? a : b) >> 16, *low ? a : b);                                   \
    }
HEDDLE_CHOICE(vibmax, >=, s32, int)
HEDDLE_CHOICE(vibmax, >=, u32, unsigned)
HEDDLE_CHOICES(vibmax, >=, s16x2, short)
HEDDLE_CHOICES(vibmax, >=, u16x2, unsigned short)
HEDDLE_CHOICE(vibmin, <=, s32, int)
HEDDLE_CHOICE(vibmin, <=, u32, unsigned)
HEDDLE_CHOICES(vibmin, <=, s16x2, short)
HEDDLE_CHOICES(vibmin, <=, u16x2, unsigned short)
#undef HEDDLE_CHOICE
#undef HEDDLE_CHOICES

#undef HEDDLE_MIN
#undef HEDDLE_MAX
#undef HEDDLE_BOTH

#endif
