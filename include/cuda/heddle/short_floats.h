// What cuda_fp16.h and cuda_bf16.h have in common: functions of a type of 16 bits and of pairs of
// it. Each includes this file once, after it has defined HEDDLE_ONE and HEDDLE_TWO (the types),
// HEDDLE_TO(from, rest) and HEDDLE_FROM(rest) (names of conversions to and from the type), and the
// functions __hadd, __hsub, __hmul, __hdiv, __hfma, __hadd2, __hsub2, __hmul2 and __hfma2. Other
// results are computed in float and rounded. There is no include guard.

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#define HEDDLE_SHORT static __inline__ __host__ __device__ __attribute__((always_inline))

// ---- conversions: rn nearest, rz to zero, rd down, ru up ----

HEDDLE_SHORT HEDDLE_ONE HEDDLE_TO(float, _rd)(float a)
{
    HEDDLE_ONE near(a);
    near.bits = heddle_round_down(near.bits, (float)near, a);
    return near;
}
HEDDLE_SHORT HEDDLE_ONE HEDDLE_TO(float, _ru)(float a)
{
    HEDDLE_ONE near(a);
    near.bits = heddle_round_up(near.bits, (float)near, a);
    return near;
}
HEDDLE_SHORT HEDDLE_ONE HEDDLE_TO(float, _rz)(float a)
{
    HEDDLE_ONE near(a);
    near.bits = heddle_round_to_zero(near.bits, (float)near, a);
    return near;
}
#define HEDDLE_OF_ROUNDING(name, type, wide, rounding)                                             \
    HEDDLE_SHORT HEDDLE_ONE HEDDLE_TO(name, rounding)(type a)                                      \
    {                                                                                              \
        return HEDDLE_TO(float, rounding)(heddle_odd((wide)a));                                    \
    }
#define HEDDLE_OF_INTEGER(name, type, wide)                                                        \
    HEDDLE_OF_ROUNDING(name, type, wide, _rn)                                                      \
    HEDDLE_OF_ROUNDING(name, type, wide, _rz)                                                      \
    HEDDLE_OF_ROUNDING(name, type, wide, _rd)                                                      \
    HEDDLE_OF_ROUNDING(name, type, wide, _ru)                                                      \
    HEDDLE_SHORT type HEDDLE_FROM(name##_rn)(HEDDLE_ONE a)                                         \
    {                                                                                              \
        return heddle_to_integer<type>(__builtin_rintf((float)a));                                 \
    }                                                                                              \
    HEDDLE_SHORT type HEDDLE_FROM(name##_rz)(HEDDLE_ONE a)                                         \
    {                                                                                              \
        return heddle_to_integer<type>(__builtin_truncf((float)a));                                \
    }                                                                                              \
    HEDDLE_SHORT type HEDDLE_FROM(name##_rd)(HEDDLE_ONE a)                                         \
    {                                                                                              \
        return heddle_to_integer<type>(__builtin_floorf((float)a));                                \
    }                                                                                              \
    HEDDLE_SHORT type HEDDLE_FROM(name##_ru)(HEDDLE_ONE a)                                         \
    {                                                                                              \
        return heddle_to_integer<type>(__builtin_ceilf((float)a));                                 \
    }
HEDDLE_OF_INTEGER(int, int, long long)
HEDDLE_OF_INTEGER(uint, unsigned, unsigned long long)
HEDDLE_OF_INTEGER(short, short, long long)
HEDDLE_OF_INTEGER(ushort, unsigned short, unsigned long long)
HEDDLE_OF_INTEGER(ll, long long, long long)
HEDDLE_OF_INTEGER(ull, unsigned long long, unsigned long long)
#undef HEDDLE_OF_ROUNDING
#undef HEDDLE_OF_INTEGER
HEDDLE_SHORT signed char HEDDLE_FROM(char_rz)(HEDDLE_ONE a)
{
    return heddle_to_integer<signed char>(__builtin_truncf((float)a));
}
HEDDLE_SHORT unsigned char HEDDLE_FROM(uchar_rz)(HEDDLE_ONE a)
{
    return heddle_to_integer<unsigned char>(__builtin_truncf((float)a));
}

// ---- single values ----

HEDDLE_SHORT HEDDLE_ONE __hneg(HEDDLE_ONE a)
{
    a.bits ^= 0x8000;
    return a;
}
HEDDLE_SHORT HEDDLE_ONE __habs(HEDDLE_ONE a)
{
    a.bits &= 0x7fff;
    return a;
}
HEDDLE_SHORT bool __hisnan(HEDDLE_ONE a)
{
    return (float)a != (float)a;
}
HEDDLE_SHORT int __hisinf(HEDDLE_ONE a)
{
    return __builtin_isinf((float)a) ? (a.bits & 0x8000 ? -1 : 1) : 0;
}
HEDDLE_SHORT HEDDLE_ONE __hmin(HEDDLE_ONE a, HEDDLE_ONE b)
{
    return HEDDLE_ONE(__builtin_fminf((float)a, (float)b));
}
HEDDLE_SHORT HEDDLE_ONE __hmax(HEDDLE_ONE a, HEDDLE_ONE b)
{
    return HEDDLE_ONE(__builtin_fmaxf((float)a, (float)b));
}
// If one operand is a NaN, so is the result.
HEDDLE_SHORT HEDDLE_ONE __hmin_nan(HEDDLE_ONE a, HEDDLE_ONE b)
{
    return __hisnan(a) || __hisnan(b) ? HEDDLE_ONE(__builtin_nanf("")) : __hmin(a, b);
}
HEDDLE_SHORT HEDDLE_ONE __hmax_nan(HEDDLE_ONE a, HEDDLE_ONE b)
{
    return __hisnan(a) || __hisnan(b) ? HEDDLE_ONE(__builtin_nanf("")) : __hmax(a, b);
}
// _sat: from 0 to 1, and 0 for a NaN.
HEDDLE_SHORT HEDDLE_ONE heddle_saturated(HEDDLE_ONE a)
{
    return (float)a > 0 ? __hmin(a, HEDDLE_ONE(1.0f)) : HEDDLE_ONE(0.0f);
}
#define HEDDLE_VARIANTS(name)                                                                      \
    HEDDLE_SHORT HEDDLE_ONE name##_rn(HEDDLE_ONE a, HEDDLE_ONE b)                                  \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    HEDDLE_SHORT HEDDLE_ONE name##_sat(HEDDLE_ONE a, HEDDLE_ONE b)                                 \
    {                                                                                              \
        return heddle_saturated(name(a, b));                                                       \
    }
HEDDLE_VARIANTS(__hadd)
HEDDLE_VARIANTS(__hsub)
HEDDLE_VARIANTS(__hmul)
#undef HEDDLE_VARIANTS
HEDDLE_SHORT HEDDLE_ONE __hfma_sat(HEDDLE_ONE a, HEDDLE_ONE b, HEDDLE_ONE c)
{
    return heddle_saturated(__hfma(a, b, c));
}
HEDDLE_SHORT HEDDLE_ONE __hfma_relu(HEDDLE_ONE a, HEDDLE_ONE b, HEDDLE_ONE c)
{
    return __hmax_nan(__hfma(a, b, c), HEDDLE_ONE(0.0f));
}

// ---- comparisons: false if an operand is a NaN; with u, true ----

#define HEDDLE_COMPARE(name, condition, opposite)                                                  \
    HEDDLE_SHORT bool __h##name(HEDDLE_ONE left, HEDDLE_ONE right)                                 \
    {                                                                                              \
        float a = (float)left, b = (float)right;                                                   \
        return condition;                                                                          \
    }                                                                                              \
    HEDDLE_SHORT bool __h##name##u(HEDDLE_ONE left, HEDDLE_ONE right)                              \
    {                                                                                              \
        float a = (float)left, b = (float)right;                                                   \
        return !(opposite);                                                                        \
    }
HEDDLE_COMPARE(eq, a == b, a < b || a > b)
HEDDLE_COMPARE(ne, a < b || a > b, a == b)
HEDDLE_COMPARE(lt, a < b, a >= b)
HEDDLE_COMPARE(le, a <= b, a > b)
HEDDLE_COMPARE(gt, a > b, a <= b)
HEDDLE_COMPARE(ge, a >= b, a < b)
#undef HEDDLE_COMPARE

// ---- pairs: x is the low half ----

HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(float, 2_rn)(float a)
{
    return HEDDLE_TWO(HEDDLE_ONE(a), HEDDLE_ONE(a));
}
HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(floats, 2_rn)(float a, float b)
{
    return HEDDLE_TWO(HEDDLE_ONE(a), HEDDLE_ONE(b));
}
HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(float2, 2_rn)(float2 a)
{
    return HEDDLE_TWO(HEDDLE_ONE(a.x), HEDDLE_ONE(a.y));
}
HEDDLE_SHORT float2 HEDDLE_FROM(2float2)(HEDDLE_TWO a)
{
    return make_float2((float)a.x, (float)a.y);
}
HEDDLE_SHORT float __low2float(HEDDLE_TWO a)
{
    return (float)a.x;
}
HEDDLE_SHORT float __high2float(HEDDLE_TWO a)
{
    return (float)a.y;
}
HEDDLE_SHORT HEDDLE_ONE HEDDLE_TO(low, )(HEDDLE_TWO a)
{
    return a.x;
}
HEDDLE_SHORT HEDDLE_ONE HEDDLE_TO(high, )(HEDDLE_TWO a)
{
    return a.y;
}
HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(low, 2)(HEDDLE_TWO a)
{
    return HEDDLE_TWO(a.x, a.x);
}
HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(high, 2)(HEDDLE_TWO a)
{
    return HEDDLE_TWO(a.y, a.y);
}
HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(lows, 2)(HEDDLE_TWO a, HEDDLE_TWO b)
{
    return HEDDLE_TWO(a.x, b.x);
}
HEDDLE_SHORT HEDDLE_TWO HEDDLE_TO(highs, 2)(HEDDLE_TWO a, HEDDLE_TWO b)
{
    return HEDDLE_TWO(a.y, b.y);
}
HEDDLE_SHORT HEDDLE_TWO __lowhigh2highlow(HEDDLE_TWO a)
{
    return HEDDLE_TWO(a.y, a.x);
}

#define HEDDLE_EACH_1(pair, one)                                                                   \
    HEDDLE_SHORT HEDDLE_TWO pair(HEDDLE_TWO a)                                                     \
    {                                                                                              \
        return HEDDLE_TWO(one(a.x), one(a.y));                                                     \
    }
#define HEDDLE_EACH_2(pair, one)                                                                   \
    HEDDLE_SHORT HEDDLE_TWO pair(HEDDLE_TWO a, HEDDLE_TWO b)                                       \
    {                                                                                              \
        return HEDDLE_TWO(one(a.x, b.x), one(a.y, b.y));                                           \
    }
#define HEDDLE_EACH_3(pair, one)                                                                   \
    HEDDLE_SHORT HEDDLE_TWO pair(HEDDLE_TWO a, HEDDLE_TWO b, HEDDLE_TWO c)                         \
    {                                                                                              \
        return HEDDLE_TWO(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                 \
    }
HEDDLE_EACH_1(__hneg2, __hneg)
HEDDLE_EACH_1(__habs2, __habs)
HEDDLE_EACH_2(__h2div, __hdiv)
HEDDLE_EACH_2(__hadd2_rn, __hadd)
HEDDLE_EACH_2(__hsub2_rn, __hsub)
HEDDLE_EACH_2(__hmul2_rn, __hmul)
HEDDLE_EACH_2(__hadd2_sat, __hadd_sat)
HEDDLE_EACH_2(__hsub2_sat, __hsub_sat)
HEDDLE_EACH_2(__hmul2_sat, __hmul_sat)
HEDDLE_EACH_3(__hfma2_sat, __hfma_sat)
HEDDLE_EACH_3(__hfma2_relu, __hfma_relu)
HEDDLE_EACH_2(__hmin2, __hmin)
HEDDLE_EACH_2(__hmax2, __hmax)
HEDDLE_EACH_2(__hmin2_nan, __hmin_nan)
HEDDLE_EACH_2(__hmax2_nan, __hmax_nan)
#undef HEDDLE_EACH_2
#undef HEDDLE_EACH_3
HEDDLE_SHORT HEDDLE_TWO __hisnan2(HEDDLE_TWO a)
{
    return HEDDLE_TWO(HEDDLE_ONE((float)__hisnan(a.x)), HEDDLE_ONE((float)__hisnan(a.y)));
}
// The product of two complex numbers and a third one added: x real, y imaginary.
HEDDLE_SHORT HEDDLE_TWO __hcmadd(HEDDLE_TWO a, HEDDLE_TWO b, HEDDLE_TWO c)
{
    HEDDLE_ONE real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return HEDDLE_TWO(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

// Comparisons of pairs: 1 or 0 in each half, all bits of each half, or whether both are true.
#define HEDDLE_COMPARE_PAIRS(name)                                                                 \
    HEDDLE_SHORT HEDDLE_TWO __h##name##2(HEDDLE_TWO a, HEDDLE_TWO b)                               \
    {                                                                                              \
        return HEDDLE_TWO(HEDDLE_ONE((float)__h##name(a.x, b.x)),                                  \
                          HEDDLE_ONE((float)__h##name(a.y, b.y)));                                 \
    }                                                                                              \
    HEDDLE_SHORT unsigned __h##name##2_mask(HEDDLE_TWO a, HEDDLE_TWO b)                            \
    {                                                                                              \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    HEDDLE_SHORT bool __hb##name##2(HEDDLE_TWO a, HEDDLE_TWO b)                                    \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }
#define HEDDLE_COMPARE_BOTH(name) HEDDLE_COMPARE_PAIRS(name) HEDDLE_COMPARE_PAIRS(name##u)
HEDDLE_COMPARE_BOTH(eq)
HEDDLE_COMPARE_BOTH(ne)
HEDDLE_COMPARE_BOTH(lt)
HEDDLE_COMPARE_BOTH(le)
HEDDLE_COMPARE_BOTH(gt)
HEDDLE_COMPARE_BOTH(ge)
#undef HEDDLE_COMPARE_PAIRS
#undef HEDDLE_COMPARE_BOTH

// ---- operators ----

#define HEDDLE_OPERATOR(sign, one, two)                                                            \
    HEDDLE_SHORT HEDDLE_ONE operator sign(HEDDLE_ONE a, HEDDLE_ONE b)                              \
    {                                                                                              \
        return one(a, b);                                                                          \
    }                                                                                              \
    HEDDLE_SHORT HEDDLE_ONE &operator sign##=(HEDDLE_ONE &a, HEDDLE_ONE b)                         \
    {                                                                                              \
        return a = one(a, b);                                                                      \
    }                                                                                              \
    HEDDLE_SHORT HEDDLE_TWO operator sign(HEDDLE_TWO a, HEDDLE_TWO b)                              \
    {                                                                                              \
        return two(a, b);                                                                          \
    }                                                                                              \
    HEDDLE_SHORT HEDDLE_TWO &operator sign##=(HEDDLE_TWO &a, HEDDLE_TWO b)                         \
    {                                                                                              \
        return a = two(a, b);                                                                      \
    }
HEDDLE_OPERATOR(+, __hadd, __hadd2)
HEDDLE_OPERATOR(-, __hsub, __hsub2)
HEDDLE_OPERATOR(*, __hmul, __hmul2)
HEDDLE_OPERATOR(/, __hdiv, __h2div)
#undef HEDDLE_OPERATOR
#define HEDDLE_OPERATOR(sign, name)                                                                \
    HEDDLE_SHORT bool operator sign(HEDDLE_ONE a, HEDDLE_ONE b)                                    \
    {                                                                                              \
        return __h##name(a, b);                                                                    \
    }                                                                                              \
    HEDDLE_SHORT bool operator sign(HEDDLE_TWO a, HEDDLE_TWO b)                                    \
    {                                                                                              \
        return __hb##name##2(a, b);                                                                \
    }
HEDDLE_OPERATOR(==, eq)
HEDDLE_OPERATOR(!=, neu)
HEDDLE_OPERATOR(<, lt)
HEDDLE_OPERATOR(<=, le)
HEDDLE_OPERATOR(>, gt)
HEDDLE_OPERATOR(>=, ge)
#undef HEDDLE_OPERATOR
HEDDLE_SHORT HEDDLE_ONE operator-(HEDDLE_ONE a)
{
    return __hneg(a);
}
HEDDLE_SHORT HEDDLE_TWO operator-(HEDDLE_TWO a)
{
    return __hneg2(a);
}
HEDDLE_SHORT HEDDLE_ONE &operator++(HEDDLE_ONE &a)
{
    return a = __hadd(a, HEDDLE_ONE(1.0f));
}
HEDDLE_SHORT HEDDLE_ONE &operator--(HEDDLE_ONE &a)
{
    return a = __hsub(a, HEDDLE_ONE(1.0f));
}

// ---- functions of math.h, of the device ----

#undef HEDDLE_SHORT
#define HEDDLE_SHORT static __device__ __inline__ __attribute__((always_inline))
#define HEDDLE_SHORT_FUNCTION(name, of_float)                                                      \
    HEDDLE_SHORT HEDDLE_ONE h##name(HEDDLE_ONE a)                                                  \
    {                                                                                              \
        return HEDDLE_ONE(of_float((float)a));                                                     \
    }                                                                                              \
    HEDDLE_EACH_1(h2##name, h##name)
HEDDLE_SHORT_FUNCTION(sqrt, sqrtf)
HEDDLE_SHORT_FUNCTION(rsqrt, rsqrtf)
HEDDLE_SHORT_FUNCTION(rcp, __nv_frcp_rn)
HEDDLE_SHORT_FUNCTION(exp, expf)
HEDDLE_SHORT_FUNCTION(exp2, exp2f)
HEDDLE_SHORT_FUNCTION(exp10, exp10f)
HEDDLE_SHORT_FUNCTION(log, logf)
HEDDLE_SHORT_FUNCTION(log2, log2f)
HEDDLE_SHORT_FUNCTION(log10, log10f)
HEDDLE_SHORT_FUNCTION(sin, sinf)
HEDDLE_SHORT_FUNCTION(cos, cosf)
HEDDLE_SHORT_FUNCTION(tanh, tanhf)
HEDDLE_SHORT_FUNCTION(tanh_approx, tanhf)
HEDDLE_SHORT_FUNCTION(floor, floorf)
HEDDLE_SHORT_FUNCTION(ceil, ceilf)
HEDDLE_SHORT_FUNCTION(trunc, truncf)
HEDDLE_SHORT_FUNCTION(rint, rintf)
#undef HEDDLE_SHORT_FUNCTION
#undef HEDDLE_EACH_1

// ---- memory and warps ----

// The values' bits, as functions of integers take and return them.
#define HEDDLE_LOAD(name)                                                                          \
    HEDDLE_SHORT HEDDLE_ONE name(const HEDDLE_ONE *at)                                             \
    {                                                                                              \
        return __builtin_bit_cast(HEDDLE_ONE, name((const short *)at));                            \
    }                                                                                              \
    HEDDLE_SHORT HEDDLE_TWO name(const HEDDLE_TWO *at)                                             \
    {                                                                                              \
        return __builtin_bit_cast(HEDDLE_TWO, name((const int *)at));                              \
    }
HEDDLE_LOAD(__ldg)
HEDDLE_LOAD(__ldca)
HEDDLE_LOAD(__ldcg)
HEDDLE_LOAD(__ldcs)
HEDDLE_LOAD(__ldlu)
HEDDLE_LOAD(__ldcv)
#undef HEDDLE_LOAD
#define HEDDLE_STORE(name)                                                                         \
    HEDDLE_SHORT void name(HEDDLE_ONE *at, HEDDLE_ONE value)                                       \
    {                                                                                              \
        name((short *)at, __builtin_bit_cast(short, value));                                       \
    }                                                                                              \
    HEDDLE_SHORT void name(HEDDLE_TWO *at, HEDDLE_TWO value)                                       \
    {                                                                                              \
        name((int *)at, __builtin_bit_cast(int, value));                                           \
    }
HEDDLE_STORE(__stwb)
HEDDLE_STORE(__stcg)
HEDDLE_STORE(__stcs)
HEDDLE_STORE(__stwt)
#undef HEDDLE_STORE
#define HEDDLE_SHUFFLE(name, type)                                                                 \
    HEDDLE_SHORT HEDDLE_ONE name(unsigned mask, HEDDLE_ONE value, type lane,                       \
                                 int width = warpSize)                                             \
    {                                                                                              \
        value.bits = (unsigned short)name(mask, (int)value.bits, lane, width);                     \
        return value;                                                                              \
    }                                                                                              \
    HEDDLE_SHORT HEDDLE_TWO name(unsigned mask, HEDDLE_TWO value, type lane,                       \
                                 int width = warpSize)                                             \
    {                                                                                              \
        int bits = __builtin_bit_cast(int, value);                                                 \
        return __builtin_bit_cast(HEDDLE_TWO, name(mask, bits, lane, width));                      \
    }
HEDDLE_SHUFFLE(__shfl_sync, int)
HEDDLE_SHUFFLE(__shfl_up_sync, unsigned)
HEDDLE_SHUFFLE(__shfl_down_sync, unsigned)
HEDDLE_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_SHUFFLE

#undef HEDDLE_SHORT
#undef HEDDLE_ONE
#undef HEDDLE_TWO
#undef HEDDLE_TO
#undef HEDDLE_FROM
#pragma clang attribute pop
