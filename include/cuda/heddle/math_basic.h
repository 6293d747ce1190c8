// The exact device functions of math.h: rounding, comparing, splitting numbers.
#ifndef HEDDLE_CUDA_MATH_BASIC_H
#define HEDDLE_CUDA_MATH_BASIC_H

#include "heddle/intrinsics.h"

// Defines each for double and float by the compiler's builtin.
#define HEDDLE_BUILTIN_1(name)                                                                     \
    HEDDLE_DEVICE double __nv_##name(double a) { return __builtin_##name(a); }                     \
    HEDDLE_DEVICE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define HEDDLE_BUILTIN_2(name)                                                                     \
    HEDDLE_DEVICE double __nv_##name(double a, double b) { return __builtin_##name(a, b); }        \
    HEDDLE_DEVICE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }
HEDDLE_BUILTIN_1(fabs)
HEDDLE_BUILTIN_1(floor)
HEDDLE_BUILTIN_1(ceil)
HEDDLE_BUILTIN_1(trunc)
HEDDLE_BUILTIN_1(rint)
HEDDLE_BUILTIN_1(nearbyint)
HEDDLE_BUILTIN_1(sqrt)
HEDDLE_BUILTIN_2(fmin)
HEDDLE_BUILTIN_2(fmax)
HEDDLE_BUILTIN_2(copysign)
#undef HEDDLE_BUILTIN_1
#undef HEDDLE_BUILTIN_2

HEDDLE_DEVICE double __nv_fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
HEDDLE_DEVICE float __nv_fmaf(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
HEDDLE_DEVICE double __nv_fdim(double a, double b)
{
    return a <= b ? 0 : a - b;
}
HEDDLE_DEVICE float __nv_fdimf(float a, float b)
{
    return a <= b ? 0 : a - b;
}

HEDDLE_DEVICE int __nv_isnanf(float a)
{
    return a != a;
}
HEDDLE_DEVICE int __nv_isnand(double a)
{
    return a != a;
}
HEDDLE_DEVICE int __nv_isinff(float a)
{
    return __builtin_fabsf(a) == __builtin_inff();
}
HEDDLE_DEVICE int __nv_isinfd(double a)
{
    return __builtin_fabs(a) == __builtin_inf();
}
HEDDLE_DEVICE int __nv_finitef(float a)
{
    return __builtin_fabsf(a) < __builtin_inff();
}
HEDDLE_DEVICE int __nv_isfinited(double a)
{
    return __builtin_fabs(a) < __builtin_inf();
}
HEDDLE_DEVICE int __nv_signbitf(float a)
{
    return (int)(__nv_float_as_uint(a) >> 31);
}
HEDDLE_DEVICE int __nv_signbitd(double a)
{
    return __nv_double_as_longlong(a) < 0;
}
HEDDLE_DEVICE double __nv_nan(const signed char *text)
{
    (void)text;
    return __builtin_nan("");
}
HEDDLE_DEVICE float __nv_nanf(const signed char *text)
{
    (void)text;
    return __builtin_nanf("");
}

// ---- rounding to integers ----

// Rounds halves away from zero. Numbers of at least 2^52 (2^23) are integers already.
HEDDLE_DEVICE double __nv_round(double a)
{
    double whole = __builtin_trunc(a);
    if (__builtin_fabs(__nv_dsub_rn(a, whole)) >= 0.5) whole += __builtin_copysign(1.0, a);
    return __builtin_copysign(whole, a);
}
HEDDLE_DEVICE float __nv_roundf(float a)
{
    float whole = __builtin_truncf(a);
    if (__builtin_fabsf(__nv_fsub_rn(a, whole)) >= 0.5f) whole += __builtin_copysignf(1.0f, a);
    return __builtin_copysignf(whole, a);
}
HEDDLE_DEVICE long long __nv_llround(double a)
{
    return __nv_double2ll_rz(__nv_round(a));
}
HEDDLE_DEVICE long long __nv_llroundf(float a)
{
    return __nv_float2ll_rz(__nv_roundf(a));
}
HEDDLE_DEVICE long long __nv_llrint(double a)
{
    return __nv_double2ll_rn(a);
}
HEDDLE_DEVICE long long __nv_llrintf(float a)
{
    return __nv_float2ll_rn(a);
}

HEDDLE_DEVICE double __nv_modf(double a, double *whole)
{
    *whole = __builtin_trunc(a);
    return __builtin_copysign(__nv_isinfd(a) ? 0.0 : __nv_dsub_rn(a, *whole), a);
}
HEDDLE_DEVICE float __nv_modff(float a, float *whole)
{
    *whole = __builtin_truncf(a);
    return __builtin_copysignf(__nv_isinff(a) ? 0.0f : __nv_fsub_rn(a, *whole), a);
}

// ---- exponents ----

// 2^n for n in -1022..1023.
HEDDLE_DEVICE double heddle_power_of_two(int n)
{
    return __nv_longlong_as_double((long long)(n + 1023) << 52);
}

// The exponent of a finite number other than 0.
HEDDLE_DEVICE int heddle_exponent(double a)
{
    long long bits = __nv_double_as_longlong(a) & 0x7fffffffffffffffLL;
    int biased = (int)(bits >> 52);
    return biased ? biased - 1023 : -1011 - __nv_clzll(bits);
}

// a * 2^n, rounded once: a becomes a number of exponent 0, and only the last factor can round.
static __device__ __inline__ double __nv_ldexp(double a, int n)
{
    if (a == 0 || !__nv_isfinited(a)) return a;
    n = __nv_min(__nv_max(n, -4000), 4000);
    if (__builtin_fabs(a) < heddle_power_of_two(-1022)) {
        a *= heddle_power_of_two(64);
        n -= 64;
    }
    int from = heddle_exponent(a), to = from + n;
    a = __nv_longlong_as_double(__nv_double_as_longlong(a) - ((long long)from << 52));
    if (to > 1023) return a * heddle_power_of_two(1023) * 2.0;
    if (to < -1022)
        return a * heddle_power_of_two(-1000) * heddle_power_of_two(__nv_max(to, -1100) + 1000);
    return a * heddle_power_of_two(to);
}
// Exact in double; the conversion rounds.
HEDDLE_DEVICE float __nv_ldexpf(float a, int n)
{
    return (float)((double)a * heddle_power_of_two(__nv_min(__nv_max(n, -500), 500)));
}
HEDDLE_DEVICE double __nv_scalbn(double a, int n)
{
    return __nv_ldexp(a, n);
}
HEDDLE_DEVICE float __nv_scalbnf(float a, int n)
{
    return __nv_ldexpf(a, n);
}

HEDDLE_DEVICE int __nv_ilogb(double a)
{
    if (a == 0) return -2147483647 - 1;
    if (!__nv_isfinited(a)) return a != a ? -2147483647 - 1 : 2147483647;
    return heddle_exponent(a);
}
HEDDLE_DEVICE int __nv_ilogbf(float a)
{
    return __nv_ilogb(a);
}
HEDDLE_DEVICE double __nv_logb(double a)
{
    if (a == 0) return -__builtin_inf();
    return __nv_isfinited(a) ? heddle_exponent(a) : a * a;
}
HEDDLE_DEVICE float __nv_logbf(float a)
{
    return (float)__nv_logb(a);
}
static __device__ __inline__ double __nv_frexp(double a, int *exponent)
{
    *exponent = 0;
    if (a == 0 || !__nv_isfinited(a)) return a;
    *exponent = heddle_exponent(a) + 1;
    return __nv_ldexp(a, -*exponent);
}
HEDDLE_DEVICE float __nv_frexpf(float a, int *exponent)
{
    return (float)__nv_frexp(a, exponent);
}

HEDDLE_DEVICE double __nv_nextafter(double a, double b)
{
    long long bits = __nv_double_as_longlong(a);
    if (a != a || b != b) return a + b;
    if (a == b) return b;
    if (a == 0) return __builtin_copysign(4.9406564584124654e-324, b);
    return __nv_longlong_as_double(bits + ((a < b) == (a > 0) ? 1 : -1));
}
HEDDLE_DEVICE float __nv_nextafterf(float a, float b)
{
    int bits = __nv_float_as_int(a);
    if (a != a || b != b) return a + b;
    if (a == b) return b;
    if (a == 0) return __builtin_copysignf(1.40129846e-45f, b);
    return __nv_int_as_float(bits + ((a < b) == (a > 0) ? 1 : -1));
}

// ---- remainders: exact ----

// |a| mod |b| for finite a and finite b other than 0; *quotient becomes the last bits of the
// truncated quotient. Divides the mantissas as integers, some bits of the exponents' difference
// at a time.
static __device__ __inline__ double heddle_remainder(double a, double b, unsigned *quotient)
{
    *quotient = 0;
    a = __builtin_fabs(a);
    b = __builtin_fabs(b);
    if (a < b) return a;
    int from = heddle_exponent(a), to = heddle_exponent(b);
    unsigned long long top = (unsigned long long)__nv_ldexp(a, 52 - from);
    unsigned long long by = (unsigned long long)__nv_ldexp(b, 52 - to);
    unsigned long long part = top / by;
    *quotient = (unsigned)part;
    top -= part * by;
    for (int left = from - to; left > 0;) {
        int bits = left < 10 ? left : 10;
        top <<= bits;
        part = top / by;
        *quotient = (*quotient << bits) + (unsigned)part;
        top -= part * by;
        left -= bits;
    }
    return __nv_ldexp((double)top, to - 52);
}
static __device__ __inline__ double __nv_fmod(double a, double b)
{
    unsigned quotient;
    if (b == 0 || !__nv_isfinited(a) || b != b) return __builtin_nan("");
    if (__nv_isinfd(b)) return a;
    return __builtin_copysign(heddle_remainder(a, b, &quotient), a);
}
HEDDLE_DEVICE float __nv_fmodf(float a, float b)
{
    return (float)__nv_fmod(a, b);
}
static __device__ __inline__ double __nv_remquo(double a, double b, int *quotient)
{
    unsigned whole;
    *quotient = 0;
    if (b == 0 || !__nv_isfinited(a) || b != b) return __builtin_nan("");
    if (__nv_isinfd(b)) return a;
    double left = heddle_remainder(a, b, &whole), by = __builtin_fabs(b);
    // To the nearest quotient, ties to even; `by - left` is exact if it is compared.
    if (left > by - left || (left == by - left && (whole & 1))) {
        left -= by;
        whole++;
    }
    whole &= 7;
    *quotient = (a < 0) != (b < 0) ? -(int)whole : (int)whole;
    return a < 0 || (a == 0 && __nv_signbitd(a)) ? -left : left;
}
HEDDLE_DEVICE double __nv_remainder(double a, double b)
{
    int quotient;
    return __nv_remquo(a, b, &quotient);
}
HEDDLE_DEVICE float __nv_remquof(float a, float b, int *quotient)
{
    return (float)__nv_remquo(a, b, quotient);
}
HEDDLE_DEVICE float __nv_remainderf(float a, float b)
{
    return (float)__nv_remainder(a, b);
}

#endif
