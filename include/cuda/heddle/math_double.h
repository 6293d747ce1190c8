// exp, log, pow, the trigonometric and hyperbolic functions and their inverses for double on the
// device, by argument reduction and polynomials fitted to the reduced interval. Largest errors in
// ulp, against exact values (tests/cuda/programs/math.cu measures them):
//
//     exp 1, exp2 1, exp10 1.5, expm1 2      log 1, log2 2, log10 2, log1p 1     pow 1
//     sin 1, cos 1, tan 2.5                  asin 2, acos 1, atan 2, atan2 2.5
//     sinh 3, cosh 3, tanh 2.5               asinh 2, acosh 2.5, atanh 2.5
//     cbrt 1, hypot 1.5
#ifndef HEDDLE_CUDA_MATH_DOUBLE_H
#define HEDDLE_CUDA_MATH_DOUBLE_H

#include "heddle/math_basic.h"

#define HEDDLE_FUNCTION static __device__ __inline__

// A polynomial with these coefficients, highest power first.
template <typename T> HEDDLE_DEVICE T heddle_horner(T, T value)
{
    return value;
}
template <typename T, typename... Rest>
HEDDLE_DEVICE T heddle_horner(T x, T value, T next, Rest... rest)
{
    return heddle_horner(x, value * x + next, rest...);
}

// Sums and products that the compiler must not fuse: rounding errors are computed from them.
HEDDLE_DEVICE double heddle_add(double a, double b)
{
    return __nv_dadd_rn(a, b);
}
HEDDLE_DEVICE double heddle_sub(double a, double b)
{
    return __nv_dsub_rn(a, b);
}
HEDDLE_DEVICE double heddle_mul(double a, double b)
{
    return __nv_dmul_rn(a, b);
}

// The sum of two numbers; `low` is below half an ulp of `high`.
struct HeddleTwo {
    double high, low;
};
// a + b exactly; |a| >= |b| or a == 0.
HEDDLE_DEVICE HeddleTwo heddle_two_sum(double a, double b)
{
    double sum = heddle_add(a, b);
    return HeddleTwo{sum, heddle_sub(b, heddle_sub(sum, a))};
}
HEDDLE_DEVICE HeddleTwo heddle_two_sum_any(double a, double b)
{
    double sum = heddle_add(a, b), of_b = heddle_sub(sum, a);
    double error = heddle_add(heddle_sub(a, heddle_sub(sum, of_b)), heddle_sub(b, of_b));
    return HeddleTwo{sum, error};
}
HEDDLE_DEVICE HeddleTwo heddle_two_product(double a, double b)
{
    double product = heddle_mul(a, b);
    return HeddleTwo{product, __nv_fma(a, b, -product)};
}

// The first 42 bits, so that the product with an exponent is exact.
#define HEDDLE_LN2_HIGH 0.6931471805598903
#define HEDDLE_LN2_LOW    5.497923018708371e-14
#define HEDDLE_LN2        0.6931471805599453
#define HEDDLE_LOG2_E     1.4426950408889634
#define HEDDLE_PI_2_HIGH  1.5707963267948966
#define HEDDLE_PI_2_LOW   6.123233995736766e-17
#define HEDDLE_PI_2_LOWER -1.4973849048591698e-33

// ---- exponentials ----

// e^t - 1 for |t| <= ln(2) / 2.
HEDDLE_DEVICE double heddle_expm1_small(double t)
{
    double tail =
        heddle_horner(t, 2.091468078054026528e-9, 2.510520833998769681e-8, 2.755727365797595133e-7,
                      2.755725542102350449e-6, 0.00002480158732553602231, 0.0001984126987480421478,
                      0.001388888888888375166, 0.008333333333326139819, 0.04166666666666666975,
                      0.1666666666666667099, 0.5);
    return t + t * t * tail;
}
// a * 2^n for a in [0.5, 2), n from about -1100 to 1024.
HEDDLE_DEVICE double heddle_scale(double a, int n)
{
    int half = n >> 1;
    return a * heddle_power_of_two(half) * heddle_power_of_two(n - half);
}
// e^(high + low).
HEDDLE_FUNCTION double heddle_exp_two(double high, double low)
{
    if (high != high) return high;
    if (high > 710) return __builtin_inf();
    if (high < -746) return 0;
    double n = __builtin_rint(high * HEDDLE_LOG2_E);
    double t = __nv_fma(n, -HEDDLE_LN2_HIGH, high);
    t += __nv_fma(n, -HEDDLE_LN2_LOW, low);
    return heddle_scale(1 + heddle_expm1_small(t), (int)n);
}
HEDDLE_FUNCTION double __nv_exp(double x)
{
    return heddle_exp_two(x, 0);
}
HEDDLE_FUNCTION double __nv_exp2(double x)
{
    if (x != x) return x;
    if (x >= 1024) return __builtin_inf();
    if (x < -1076) return 0;
    double n = __builtin_rint(x);
    return heddle_scale(1 + heddle_expm1_small((x - n) * HEDDLE_LN2), (int)n);
}
HEDDLE_FUNCTION double __nv_exp10(double x)
{
    if (x != x) return x;
    if (x > 308.5) return __builtin_inf();
    if (x < -324.5) return 0;
    double n = __builtin_rint(x * 3.321928094887362);
    double left = __nv_fma(n, -0.30102999566395283, x); // log10(2), its first 42 bits
    left = __nv_fma(n, -2.8363394551044964e-14, left);
    return heddle_scale(1 + heddle_expm1_small(left * 2.302585092994046), (int)n);
}
HEDDLE_FUNCTION double __nv_expm1(double x)
{
    if (x != x || x == 0) return x;
    if (x > 710) return __builtin_inf();
    if (x < -38) return -1;
    double n = __builtin_rint(x * HEDDLE_LOG2_E);
    double t = __nv_fma(n, -HEDDLE_LN2_HIGH, x);
    t = __nv_fma(n, -HEDDLE_LN2_LOW, t);
    double small = heddle_expm1_small(t);
    if (n == 1024) return heddle_scale(1 + small, 1024);
    double power = heddle_power_of_two((int)n);
    return __nv_fma(power, small, power - 1);
}

// ---- logarithms ----

// x > 0 as m * 2^e with m from sqrt(1/2) to sqrt(2); the result is m.
HEDDLE_DEVICE double heddle_split(double x, int *e)
{
    int below = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0; // 2^54
        below = 54;
    }
    long long bits = __nv_double_as_longlong(x) - 0x3fe6a09e667f3bcdLL;
    *e = (int)(bits >> 52) - below;
    bits = (bits & 0xfffffffffffffLL) + 0x3fe6a09e667f3bcdLL;
    return __nv_longlong_as_double(bits);
}
// 2 * atanh(s) is 2 * s + s * z * this, where z is s squared.
HEDDLE_DEVICE double heddle_log_tail(double z)
{
    return heddle_horner(z, 0.1308723619665962235, 0.1326871479234809666, 0.1538624188193859551,
                         0.1818179560006079244, 0.2222222239208900794, 0.2857142857080195694,
                         0.4000000000000087969, 0.6666666666666666646);
}
// Whether x is NaN, 0, negative or infinite; then *value becomes its logarithm.
HEDDLE_DEVICE bool heddle_log_special(double x, double *value)
{
    if (x > 0 && x < __builtin_inf()) return false;
    *value = x == 0 ? -__builtin_inf() : x < 0 ? __builtin_nan("") : x + x;
    return true;
}
// log(1 + f) for 1 + f from sqrt(1/2) to sqrt(2); `extra` is added before the last rounding.
HEDDLE_DEVICE double heddle_log1p_small(double f, double extra)
{
    double s = f / (2 + f), z = s * s;
    return f - (s * (f - z * heddle_log_tail(z)) - extra);
}
HEDDLE_FUNCTION double __nv_log(double x)
{
    double special;
    if (heddle_log_special(x, &special)) return special;
    int e;
    double m = heddle_split(x, &e);
    return e * HEDDLE_LN2_HIGH + heddle_log1p_small(m - 1, e * HEDDLE_LN2_LOW);
}
HEDDLE_FUNCTION double __nv_log2(double x)
{
    double special;
    if (heddle_log_special(x, &special)) return special;
    int e;
    double log_m = heddle_log1p_small(heddle_split(x, &e) - 1, 0);
    return e + (log_m * HEDDLE_LOG2_E + log_m * 2.0355273740931033e-17);
}
HEDDLE_FUNCTION double __nv_log10(double x)
{
    double special;
    if (heddle_log_special(x, &special)) return special;
    int e;
    double log_m = heddle_log1p_small(heddle_split(x, &e) - 1, 0);
    return e * 0.30102999566395283 + (log_m * 0.4342944819032518 + e * 2.8363394551044964e-14);
}
HEDDLE_FUNCTION double __nv_log1p(double x)
{
    double special, u = heddle_add(1, x);
    if (x == 0 || heddle_log_special(u, &special)) return x == 0 ? x : special;
    // The rounding error of 1 + x.
    double lost =
        __builtin_fabs(x) < 1 ? heddle_sub(x, heddle_sub(u, 1)) : heddle_sub(1, heddle_sub(u, x));
    int e;
    double m = heddle_split(u, &e), correction = u < 1e300 ? lost / u : 0;
    return e * HEDDLE_LN2_HIGH + heddle_log1p_small(m - 1, e * HEDDLE_LN2_LOW + correction);
}

// log(x) as a sum of two numbers, for finite x > 0, with a relative error of about 2^-65, for pow.
HEDDLE_FUNCTION HeddleTwo heddle_log_two(double x)
{
    int e;
    double m = heddle_split(x, &e), f = m - 1;
    // s = f / (2 + f), z = s squared, each as a sum of two numbers.
    HeddleTwo by = heddle_two_sum(2, f), s, z;
    s.high = f / by.high;
    s.low = (__nv_fma(-s.high, by.high, f) - s.high * by.low) / by.high;
    z = heddle_two_product(s.high, s.high);
    z.low += 2 * s.high * s.low;
    // The first coefficient of the tail, 2/3, also as a sum of two numbers.
    double rest =
        z.high * heddle_horner(z.high, 0.1308723619665962235, 0.1326871479234809666,
                               0.1538624188193859551, 0.1818179560006079244, 0.2222222239208900794,
                               0.2857142857080195694, 0.4000000000000087969);
    HeddleTwo tail = heddle_two_sum(0.6666666666666666, rest);
    tail.low += 3.700743415417188e-17;
    HeddleTwo u = heddle_two_product(z.high, tail.high);
    u.low += z.high * tail.low + z.low * tail.high;
    HeddleTwo v = heddle_two_product(s.high, u.high);
    v.low += s.high * u.low + s.low * u.high;
    HeddleTwo log_m = heddle_two_sum(2 * s.high, v.high);
    log_m.low += 2 * s.low + v.low;
    HeddleTwo sum = heddle_two_sum(e * HEDDLE_LN2_HIGH, log_m.high);
    sum.low += log_m.low + e * HEDDLE_LN2_LOW;
    return sum;
}

// ---- powers ----

// 0: y is not an integer; 1: an odd integer; 2: an even integer.
HEDDLE_DEVICE int heddle_whole(double y)
{
    double size = __builtin_fabs(y);
    if (size >= 9007199254740992.0) return 2;
    if (__builtin_trunc(size) != size) return 0;
    return (long long)size & 1 ? 1 : 2;
}
HEDDLE_FUNCTION double __nv_pow(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    double size = __builtin_fabs(x);
    int whole = heddle_whole(y);
    bool infinite = size == __builtin_inf() || __nv_isinfd(y);
    double value;
    if (size == 0 || infinite) {
        if (size == 1) return 1; // -1 to the power of an infinity
        value = (size > 1) == (y > 0) ? __builtin_inf() : 0;
    } else if (x < 0 && !whole) {
        return __builtin_nan("");
    } else {
        HeddleTwo log_x = heddle_log_two(size);
        double high = heddle_mul(y, log_x.high);
        double low = __nv_fma(y, log_x.high, -high) + y * log_x.low;
        if (__nv_isinfd(high)) low = 0;
        value = heddle_exp_two(high, low);
    }
    return __nv_signbitd(x) && whole == 1 ? -value : value;
}
HEDDLE_FUNCTION double __nv_powi(double x, int n)
{
    return __nv_pow(x, n);
}

HEDDLE_FUNCTION double __nv_cbrt(double x)
{
    if (x == 0 || !__nv_isfinited(x)) return x;
    int e = heddle_exponent(x), third = (e + 3000) / 3 - 1000;
    double m = __nv_ldexp(__builtin_fabs(x), -3 * third); // from 1 to 8
    double root = heddle_ex2(heddle_lg2((float)m) * 0.333333333f);
    // One Halley step from 20 bits.
    double cube = root * root * root;
    root -= root * (cube - m) / (cube + cube + m);
    // One Newton step with the exact remainder, for the last bit.
    HeddleTwo square = heddle_two_product(root, root);
    double left = __nv_fma(-square.high, root, m) - square.low * root;
    root += left / (3 * square.high);
    return __builtin_copysign(heddle_scale(root, third), x);
}
HEDDLE_FUNCTION double __nv_rcbrt(double x)
{
    return 1 / __nv_cbrt(x);
}
HEDDLE_PTX_1(__nv_rsqrt, "rsqrt.approx.f64", double, "d", double, "d")
HEDDLE_PTX_1(__nv_rcp64h, "rcp.approx.ftz.f64", double, "d", double, "d")

// sqrt(a^2 + b^2 + c^2 + d^2) without intermediate overflow.
HEDDLE_FUNCTION double __nv_norm4d(double a, double b, double c, double d)
{
    a = __builtin_fabs(a), b = __builtin_fabs(b), c = __builtin_fabs(c), d = __builtin_fabs(d);
    double most = __builtin_fmax(__builtin_fmax(a, b), __builtin_fmax(c, d));
    if (most == __builtin_inf()) return most;
    double by = most > 1e150 ? 0x1p-600 : most < 1e-140 ? 0x1p600 : 1;
    a *= by, b *= by, c *= by, d *= by;
    return __builtin_sqrt(a * a + b * b + (c * c + d * d)) / by;
}
HEDDLE_FUNCTION double __nv_hypot(double a, double b)
{
    return __nv_norm4d(a, b, 0, 0);
}
HEDDLE_FUNCTION double __nv_norm3d(double a, double b, double c)
{
    return __nv_norm4d(a, b, c, 0);
}
HEDDLE_FUNCTION double __nv_rhypot(double a, double b)
{
    return 1 / __nv_hypot(a, b);
}
HEDDLE_FUNCTION double __nv_rnorm3d(double a, double b, double c)
{
    return 1 / __nv_norm3d(a, b, c);
}
HEDDLE_FUNCTION double __nv_rnorm4d(double a, double b, double c, double d)
{
    return 1 / __nv_norm4d(a, b, c, d);
}
HEDDLE_FUNCTION double __nv_norm(int count, const double *values)
{
    double norm = 0;
    for (int i = 0; i < count; i++) norm = __nv_hypot(norm, values[i]);
    return norm;
}
HEDDLE_FUNCTION double __nv_rnorm(int count, const double *values)
{
    return 1 / __nv_norm(count, values);
}

#endif
