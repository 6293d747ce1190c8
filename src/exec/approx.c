// Polynomials for ex2, lg2, sin, cos and tanh, in double precision.
#include "exec/approx.h"

#include "exec/float_bits.h"

#include <stdbool.h>

#define LN2 0x1.62e42fefa39efp-1
#define TWO_OVER_LN2 0x1.71547652b82fep+1
#define HALF_PI 0x1.921fb54442d18p+0

// 2^n for -1022 <= n <= 1023.
static double power_of_two(int n) { return f64_from((uint64_t)(n + 1023) << 52); }

// The sum of c[k] x^k for k = count - 1 .. 0, by Horner's rule.
static double polynomial(double x, const double *c, int count)
{
    double sum = c[count - 1];
    for (int k = count - 2; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

// e^(x ln 2) for |x| <= 1000, by the Taylor series for |t| <= ln 2 / 2. The first omitted term is
// below 3e-13.
static double exp2_double(double x)
{
    static const double c[] = {
        1,         1,          1.0 / 2,     1.0 / 6,      1.0 / 24,     1.0 / 120,
        1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800};
    // Rounds x to the nearest integer, ties to even: the sum shifts the fraction out.
    const double push = 0x1.8p52;
    double n = (x + push) - push;
    return polynomial((x - n) * LN2, c, sizeof c / sizeof *c) * power_of_two((int)n);
}

float approx_ex2(float x)
{
    if (x != x) return f32_from(F32_NAN);
    if (x >= 128.0f) return f32_from(F32_INFINITY);
    if (x < -151.0f) return 0.0f;
    return (float)exp2_double(x);
}

// x = m 2^n with m in [sqrt 1/2, sqrt 2). log2 m = 2 / ln 2 * artanh s with s = (m - 1) / (m + 1),
// |s| < 0.172. The first omitted term of the series is below 1e-15.
float approx_lg2(float x)
{
    static const double c[] = {1,       1.0 / 3,  1.0 / 5,  1.0 / 7, 1.0 / 9,
                               1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17};
    if (x == 0) return -f32_from(F32_INFINITY);
    if (!(x > 0)) return f32_from(F32_NAN);
    if (f32_bits(x) == F32_INFINITY) return x;
    uint64_t bits = f64_bits(x); // a normal double even if x is a subnormal f32
    int n = (int)(bits >> 52) - 1023;
    double m = f64_from((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        n++;
    }
    double s = (m - 1) / (m + 1);
    return (float)(n + TWO_OVER_LN2 * s * polynomial(s * s, c, sizeof c / sizeof *c));
}

// 96 bits of 2 / pi, starting at bit `from` (0: the first bit after the binary point).
static unsigned __int128 two_over_pi(unsigned from)
{
    static const uint32_t bits[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                    0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
    unsigned __int128 window = 0;
    for (unsigned i = 0; i < 4; i++) window = window << 32 | bits[from / 32 + i];
    return window << from % 32 >> 32;
}

// x = quadrant * pi / 2 + result, |result| <= pi / 4 (Payne and Hanek 1983). Only the bits of x * 2
// / pi around the binary point matter. Bits that give multiples of 4 are dropped before the
// multiplication. The truncated low bits are worth less than 2^-70, and no f32 is closer than 2^-34
// to a multiple of pi / 2.
static double reduce(float x, unsigned *quadrant)
{
    uint32_t bits = f32_bits(x) & ~F32_SIGN;
    if (bits <= 0x3f490fda) { // pi / 4
        *quadrant = 0;
        return x;
    }
    int exponent = (int)(bits >> 23) - 127 - 23;
    uint32_t m = (bits & 0x7fffff) | 0x800000;
    unsigned skip = exponent > 2 ? (unsigned)exponent - 2 : 0;
    unsigned point = 96 - (unsigned)(exponent - (int)skip); // fraction bits of the product
    unsigned __int128 product = two_over_pi(skip) * m;
    unsigned __int128 q = (product + ((unsigned __int128)1 << (point - 1))) >> point;
    __int128 rest = (__int128)(product - (q << point));
    double r = (double)rest * power_of_two(-(int)point) * HALF_PI;
    bool negative = f32_bits(x) & F32_SIGN;
    *quadrant = (negative ? 0 - (unsigned)q : (unsigned)q) & 3;
    return negative ? -r : r;
}

// Taylor series for |x| <= pi / 4. The first omitted terms are below 1e-13.
static double sin_double(double x)
{
    static const double c[] = {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                               1.0 / 6227020800};
    return x * polynomial(x * x, c, sizeof c / sizeof *c);
}
static double cos_double(double x)
{
    static const double c[] = {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
                               1.0 / 479001600, -1.0 / 87178291200};
    return polynomial(x * x, c, sizeof c / sizeof *c);
}

// sin(x + turns * pi / 2)
static float sin_quarter_turns(float x, unsigned turns)
{
    if ((f32_bits(x) & F32_INFINITY) == F32_INFINITY) return f32_from(F32_NAN);
    unsigned quadrant;
    double r = reduce(x, &quadrant);
    quadrant += turns;
    double value = quadrant & 1 ? cos_double(r) : sin_double(r);
    return (float)(quadrant & 2 ? -value : value);
}

float approx_sin(float x) { return sin_quarter_turns(x, 0); }
float approx_cos(float x) { return sin_quarter_turns(x, 1); }

float approx_tanh(float x)
{
    if (x != x) return f32_from(F32_NAN);
    double y = x;
    // Near 0 the quotient below would cancel. Beyond 20 the result is 1 to f32 precision.
    if (y > -0x1p-10 && y < 0x1p-10) return (float)(y - y * y * y * (1.0 / 3));
    if (y > 20) return 1.0f;
    if (y < -20) return -1.0f;
    double e = exp2_double(y * TWO_OVER_LN2);
    return (float)((e - 1) / (e + 1));
}

double approx_rsqrt_f64(double x) { return f64_canonical(1.0 / __builtin_sqrt(x)); }
float approx_rsqrt(float x) { return f32_canonical((float)approx_rsqrt_f64(x)); }
