// sin, cos, tan and their inverses, and the hyperbolic functions, for double on the device. Their
// errors are listed in math_double.h.
#ifndef HEDDLE_CUDA_MATH_TRIG_H
#define HEDDLE_CUDA_MATH_TRIG_H

#include "heddle/math_double.h"

// ---- reduction: x = quadrants * pi / 2 + rest, |rest| <= pi / 4 ----

// The bits of 2 / pi after the binary point.
static __device__ const unsigned long long heddle_two_over_pi[20] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};
// 64 of these bits from bit `from` on; bits in front of the binary point are 0.
HEDDLE_DEVICE unsigned long long heddle_two_over_pi_bits(int from)
{
    int word = from >> 6, shift = from & 63;
    unsigned long long high = word >= 0 ? heddle_two_over_pi[word] : 0;
    if (!shift) return high;
    return high << shift | heddle_two_over_pi[word + 1] >> (64 - shift);
}

// For large x: x * 2 / pi modulo 4 as an integer of 192 bits. Leaves out the bits of 2 / pi that
// only add multiples of 4, and the low bits, which add less than 2^-135.
static __device__ __attribute__((noinline)) int heddle_reduce_large(double x, HeddleTwo *rest)
{
    int e = heddle_exponent(x), from = e - 52 - 2;
    unsigned long long m =
        ((unsigned long long)__nv_double_as_longlong(x) & 0xfffffffffffffULL) | 1ULL << 52;
    unsigned long long a = heddle_two_over_pi_bits(from), b = heddle_two_over_pi_bits(from + 64),
                       c = heddle_two_over_pi_bits(from + 128);
    unsigned long long low = b * m, high = a * m + __nv_umul64hi(b, m), carry;
    carry = __nv_umul64hi(c, m);
    low += carry;
    high += low < carry;
    // The top two bits are the quadrant, the others its fraction; round to the nearest quadrant.
    int quadrant = (int)(high >> 62);
    high = high << 2 | low >> 62;
    low <<= 2;
    bool negative = high >> 63;
    if (negative) {
        quadrant++;
        low = 0 - low;
        high = ~high + (low == 0);
    }
    int zeros = __nv_clzll((long long)high);
    double scale = heddle_power_of_two(-53 - zeros) * (negative ? -1.0 : 1.0);
    if (zeros) high = high << zeros | low >> (64 - zeros);
    low <<= zeros;
    double first = (double)(high >> 11) * scale;
    double second = (double)((high & 0x7ff) << 42 | low >> 22) * (scale * 0x1p-53);
    *rest = heddle_two_product(first, HEDDLE_PI_2_HIGH);
    rest->low += first * HEDDLE_PI_2_LOW + second * HEDDLE_PI_2_HIGH;
    if (__nv_signbitd(x)) {
        rest->high = -rest->high;
        rest->low = -rest->low;
        return -quadrant;
    }
    return quadrant;
}
HEDDLE_DEVICE int heddle_reduce(double x, HeddleTwo *rest)
{
    if (__builtin_fabs(x) > 1e6) return heddle_reduce_large(x, rest);
    double n = __builtin_rint(x * 0.6366197723675814);
    double first = __nv_fma(n, -HEDDLE_PI_2_HIGH, x); // exact
    HeddleTwo next = heddle_two_product(n, HEDDLE_PI_2_LOW);
    *rest = heddle_two_sum_any(first, -next.high);
    rest->low -= next.low + n * HEDDLE_PI_2_LOWER;
    return (int)n;
}

// ---- sine and cosine of the rest ----

HEDDLE_DEVICE double heddle_sin_small(HeddleTwo x)
{
    double z = x.high * x.high;
    double tail =
        heddle_horner(z, -7.586692262094344273e-13, 1.605853153661183427e-10,
                      -2.50521062319278563e-8, 2.755731921933767028e-6, -0.0001984126984126506302,
                      0.008333333333333331491, -0.1666666666666666667);
    return x.high + (x.high * z * tail + x.low * (1 - 0.5 * z));
}
HEDDLE_DEVICE double heddle_cos_small(HeddleTwo x)
{
    double z = heddle_mul(x.high, x.high), half = 0.5 * z, most = heddle_sub(1, half);
    double tail =
        heddle_horner(z, 4.745869202410873483e-14, -1.147046084181152524e-11,
                      2.087675579079147097e-9, -2.755731922140199253e-7, 0.00002480158730158464536,
                      -0.001388888888888888786, 0.04166666666666666667);
    double lost = heddle_sub(heddle_sub(1, most), half);
    return most + (lost + (z * z * tail - x.high * x.low));
}
// sin(quadrant * pi / 2 + rest); a cosine is the sine of the next quadrant.
HEDDLE_DEVICE double heddle_sin_quadrant(int quadrant, HeddleTwo rest)
{
    double value = quadrant & 1 ? heddle_cos_small(rest) : heddle_sin_small(rest);
    return quadrant & 2 ? -value : value;
}

HEDDLE_FUNCTION double __nv_sin(double x)
{
    HeddleTwo rest;
    if (!__nv_isfinited(x)) return __builtin_nan("");
    if (x == 0) return x;
    int quadrant = heddle_reduce(x, &rest);
    return heddle_sin_quadrant(quadrant, rest);
}
HEDDLE_FUNCTION double __nv_cos(double x)
{
    HeddleTwo rest;
    if (!__nv_isfinited(x)) return __builtin_nan("");
    int quadrant = heddle_reduce(x, &rest);
    return heddle_sin_quadrant(quadrant + 1, rest);
}
HEDDLE_FUNCTION void __nv_sincos(double x, double *sine, double *cosine)
{
    HeddleTwo rest;
    *sine = *cosine = __builtin_nan("");
    if (!__nv_isfinited(x)) return;
    int quadrant = heddle_reduce(x, &rest);
    *sine = x == 0 ? x : heddle_sin_quadrant(quadrant, rest);
    *cosine = heddle_sin_quadrant(quadrant + 1, rest);
}
HEDDLE_FUNCTION double __nv_tan(double x)
{
    HeddleTwo rest;
    if (!__nv_isfinited(x)) return __builtin_nan("");
    if (x == 0) return x;
    int quadrant = heddle_reduce(x, &rest);
    double sine = heddle_sin_small(rest), cosine = heddle_cos_small(rest);
    return quadrant & 1 ? -cosine / sine : sine / cosine;
}

// For functions of multiples of pi, the reduction is exact.
HEDDLE_DEVICE int heddle_reduce_pi(double x, HeddleTwo *rest)
{
    x -= 2 * __builtin_rint(0.5 * x);
    double n = __builtin_rint(2 * x), left = __nv_fma(n, -0.5, x);
    *rest = heddle_two_product(left, 2 * HEDDLE_PI_2_HIGH);
    rest->low += left * (2 * HEDDLE_PI_2_LOW);
    return (int)n;
}
HEDDLE_FUNCTION double __nv_sinpi(double x)
{
    HeddleTwo rest;
    if (!__nv_isfinited(x)) return __builtin_nan("");
    if (__builtin_trunc(x) == x) return __builtin_copysign(0.0, x);
    int quadrant = heddle_reduce_pi(x, &rest);
    return heddle_sin_quadrant(quadrant, rest);
}
HEDDLE_FUNCTION double __nv_cospi(double x)
{
    HeddleTwo rest;
    if (!__nv_isfinited(x)) return __builtin_nan("");
    int quadrant = heddle_reduce_pi(x, &rest);
    return (quadrant & 1) && rest.high == 0 ? 0 : heddle_sin_quadrant(quadrant + 1, rest);
}
HEDDLE_FUNCTION void __nv_sincospi(double x, double *sine, double *cosine)
{
    *sine = __nv_sinpi(x);
    *cosine = __nv_cospi(x);
}

// ---- inverses ----

HEDDLE_FUNCTION double __nv_atan(double x)
{
    double size = __builtin_fabs(x), t = size, base = 0, base_low = 0;
    if (size > 2.414213562373095) {
        t = -1 / size;
        base = HEDDLE_PI_2_HIGH;
        base_low = HEDDLE_PI_2_LOW;
    } else if (size > 0.4142135623730951) {
        t = (size - 1) / (size + 1);
        base = 0.5 * HEDDLE_PI_2_HIGH;
        base_low = 0.5 * HEDDLE_PI_2_LOW;
    }
    double z = t * t;
    double tail =
        heddle_horner(z, 0.01628518302986566674, -0.03457004418609553589, 0.04551573086664190497,
                      -0.05230449856709240662, 0.05878928398517232315, -0.06666424833613552359,
                      0.07692296372129963817, -0.09090908753400499596, 0.1111111110515342937,
                      -0.1428571428565980691, 0.1999999999999980444, -0.3333333333333333322);
    double value = base + (t + (t * z * tail + base_low));
    return __builtin_copysign(value, x);
}
HEDDLE_FUNCTION double __nv_atan2(double y, double x)
{
    if (x != x || y != y) return x + y;
    double ax = __builtin_fabs(x), ay = __builtin_fabs(y), angle;
    if (ay == 0 && ax == 0)
        angle = 0;
    else if (ax == ay) // also two infinities
        angle = 0.5 * HEDDLE_PI_2_HIGH;
    else
        angle = __nv_atan(ay / ax);
    if (__nv_signbitd(x)) angle = 2 * HEDDLE_PI_2_HIGH - (angle - 2 * HEDDLE_PI_2_LOW);
    return __builtin_copysign(angle, y);
}

// asin(x) is x + x * z * this, for z = x * x <= 1/4.
HEDDLE_DEVICE double heddle_asin_tail(double z)
{
    return heddle_horner(z, 0.02877844261259303858, -0.01488140939281806339, 0.01741935796488485514,
                         0.005450878187720550679, 0.01032431828874411188, 0.01147895269025738677,
                         0.01397123530112453915, 0.01735239126590922786, 0.02237217300200559739,
                         0.0303819441370852143, 0.04464285714637338088, 0.0749999999999842426,
                         0.1666666666666666783);
}
// asin(sqrt((1 - size) / 2)) as a sum of two numbers, for size from 1/2 to 1.
HEDDLE_DEVICE HeddleTwo heddle_asin_half(double size)
{
    double z = 0.5 * (1 - size), root = __builtin_sqrt(z);
    double lost = root > 0 ? __nv_fma(-root, root, z) / (2 * root) : 0;
    return HeddleTwo{root, root * z * heddle_asin_tail(z) + lost};
}
HEDDLE_FUNCTION double __nv_asin(double x)
{
    double size = __builtin_fabs(x), z = x * x;
    if (!(size <= 1)) return __builtin_nan("");
    if (size <= 0.5) return x + x * z * heddle_asin_tail(z);
    HeddleTwo half = heddle_asin_half(size);
    double value = (HEDDLE_PI_2_HIGH - 2 * half.high) - (2 * half.low - HEDDLE_PI_2_LOW);
    return __builtin_copysign(value, x);
}
HEDDLE_FUNCTION double __nv_acos(double x)
{
    double size = __builtin_fabs(x), z = x * x;
    if (!(size <= 1)) return __builtin_nan("");
    if (size <= 0.5)
        return HEDDLE_PI_2_HIGH - (x + (x * z * heddle_asin_tail(z) - HEDDLE_PI_2_LOW));
    HeddleTwo half = heddle_asin_half(size);
    if (x > 0) return 2 * (half.high + half.low);
    return 2 * (HEDDLE_PI_2_HIGH - (half.high + (half.low - HEDDLE_PI_2_LOW)));
}

// ---- hyperbolic functions ----

HEDDLE_FUNCTION double __nv_sinh(double x)
{
    double size = __builtin_fabs(x), value;
    if (size < 22) {
        double t = __nv_expm1(size);
        value = 0.5 * (t + t / (t + 1));
    } else {
        double root = __nv_exp(0.5 * size);
        value = 0.5 * root * root;
    }
    return __builtin_copysign(value, x);
}
HEDDLE_FUNCTION double __nv_cosh(double x)
{
    double size = __builtin_fabs(x);
    if (size < 22) {
        double e = __nv_exp(size);
        return 0.5 * e + 0.5 / e;
    }
    double root = __nv_exp(0.5 * size);
    return 0.5 * root * root;
}
HEDDLE_FUNCTION double __nv_tanh(double x)
{
    double size = __builtin_fabs(x), value = 1;
    if (size < 22 || x != x) {
        double t = __nv_expm1(2 * size);
        value = size < 0.5 ? t / (t + 2) : 1 - 2 / (t + 2);
    }
    return __builtin_copysign(value, x);
}
HEDDLE_FUNCTION double __nv_asinh(double x)
{
    double size = __builtin_fabs(x), value;
    if (size > 1e9)
        value = __nv_log(size) + HEDDLE_LN2;
    else
        value = __nv_log1p(size + size * size / (1 + __builtin_sqrt(size * size + 1)));
    return __builtin_copysign(value, x);
}
HEDDLE_FUNCTION double __nv_acosh(double x)
{
    if (!(x >= 1)) return __builtin_nan("");
    if (x > 1e9) return __nv_log(x) + HEDDLE_LN2;
    double t = x - 1;
    return __nv_log1p(t + __builtin_sqrt(2 * t + t * t));
}
HEDDLE_FUNCTION double __nv_atanh(double x)
{
    double size = __builtin_fabs(x);
    return __builtin_copysign(0.5 * __nv_log1p(2 * size / (1 - size)), x);
}

#endif
