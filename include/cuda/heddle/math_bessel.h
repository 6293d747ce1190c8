// Bessel functions on the device, for double; those for float are computed in double. Largest
// errors (tests/cuda/programs/bessel.cu measures them):
//
//     cyl_bessel_i0, cyl_bessel_i1   4e-15 of the value
//     j0, j1, jn, y0, y1, yn         4e-15 of the value or, near zeros, of sqrt(2 / pi x)
//
// Ascending series serve small arguments, Hankel's expansions large ones, and recurrences from high
// orders down (Miller), with Neumann's series for Y, those between (Abramowitz and Stegun, 9.1.10,
// 9.1.13, 9.1.87 to 9.1.89, 9.2.5 to 9.2.10, 9.7.1).
#ifndef HEDDLE_CUDA_MATH_BESSEL_H
#define HEDDLE_CUDA_MATH_BESSEL_H

#include "heddle/math_double.h"
#include "heddle/math_trig.h"

#define HEDDLE_EULER 0.57721566490153286061
#define HEDDLE_2_PI  0.63661977236758134308

// ---- modified functions ----

// I0 or I1 of x >= 0: a series of positive terms, or exp(x) / sqrt(2 pi x) times an expansion.
HEDDLE_FUNCTION double heddle_bessel_i(int order, double x)
{
    if (x < 30) {
        double q = x * x / 4, term = order ? x / 2 : 1, sum = term;
        for (int k = 1; term > 1e-18 * sum; k++) {
            term *= q / (k * (double)(k + order));
            sum += term;
        }
        return sum;
    }
    double term = 1, sum = 1, mu = 4 * order;
    for (int k = 1; k < 40; k++) {
        double odd = 2 * k - 1;
        term *= (odd * odd - mu) / (8 * k * x);
        sum += term;
    }
    double root = __nv_exp(x / 2); // exp(x) overflows first
    return root * (root * (sum / __nv_sqrt(6.28318530717958647693 * x)));
}
HEDDLE_FUNCTION double __nv_cyl_bessel_i0(double x)
{
    return x != x ? x : heddle_bessel_i(0, __builtin_fmin(__builtin_fabs(x), 1000.0));
}
HEDDLE_FUNCTION double __nv_cyl_bessel_i1(double x)
{
    if (x != x) return x;
    return __builtin_copysign(heddle_bessel_i(1, __builtin_fmin(__builtin_fabs(x), 1000.0)), x);
}

// ---- J and Y of orders 0 and 1, for x > 0 ----

struct HeddleBessel {
    double j[2], y[2];
};

// x < 2.
HEDDLE_FUNCTION void heddle_bessel_small(double x, HeddleBessel *b)
{
    double q = -x * x / 4, term0 = 1, term1 = x / 2, harmonic = 0;
    double logarithm = __nv_log(x / 2) + HEDDLE_EULER, rest0 = 0, rest1 = term1;
    b->j[0] = term0;
    b->j[1] = term1;
    for (int k = 1; k < 20; k++) {
        term0 *= q / ((double)k * k);
        term1 *= q / (k * (double)(k + 1));
        harmonic += 1.0 / k;
        b->j[0] += term0;
        b->j[1] += term1;
        rest0 += harmonic * term0;
        rest1 += (2 * harmonic + 1.0 / (k + 1)) * term1;
    }
    b->y[0] = HEDDLE_2_PI * (logarithm * b->j[0] - rest0);
    b->y[1] = HEDDLE_2_PI * (logarithm * b->j[1] - rest1 / 2 - 1 / x);
}

// 2 <= x < 25: J of all orders by recurrence, from an order at which it is negligible; the sum
// J0 + 2 J2 + 2 J4 + ... is 1.
HEDDLE_FUNCTION void heddle_bessel_middle(double x, HeddleBessel *b)
{
    double above = 0, here = 1e-280, sum = 0, rest0 = 0, rest1 = 0;
    for (int n = 40 + 2 * (int)x; n > 0; n--) {
        // `here` is J of order n, but for a factor.
        int k = n / 2;
        double sign = k % 2 ? -1 : 1;
        if (n % 2 == 0) {
            sum += 2 * here;
            rest0 += sign * here / k;
        } else if (k) {
            rest1 += sign * here * n / (k * (double)(k + 1));
        }
        double below = 2 * n / x * here - above;
        above = here;
        here = below;
    }
    sum += here;
    double logarithm = __nv_log(x / 2) + HEDDLE_EULER;
    b->j[0] = here / sum;
    b->j[1] = above / sum;
    b->y[0] = HEDDLE_2_PI * (logarithm * b->j[0] - 2 * rest0 / sum);
    b->y[1] = HEDDLE_2_PI * ((logarithm - 1) * b->j[1] - b->j[0] / x - rest1 / sum);
}

// 25 <= x.
HEDDLE_FUNCTION void heddle_bessel_large(double x, HeddleBessel *b)
{
    double sine, cosine, root = __nv_sqrt(3.14159265358979323846 * x);
    __nv_sincos(x, &sine, &cosine);
    for (int order = 0; order < 2; order++) {
        double p = 1, q = 0, term = 1, mu = 4 * order;
        for (int k = 1; k < 30; k++) {
            double odd = 2 * k - 1;
            term *= (mu - odd * odd) / (8 * k * x);
            if (k % 2)
                q += k % 4 == 1 ? term : -term;
            else
                p += k % 4 == 0 ? term : -term;
        }
        // The phase is x - pi / 4, or x - 3 pi / 4.
        double c = order ? sine - cosine : sine + cosine;
        double s = order ? -sine - cosine : sine - cosine;
        b->j[order] = (p * c - q * s) / root;
        b->y[order] = (p * s + q * c) / root;
    }
}

HEDDLE_FUNCTION void heddle_bessel(double x, HeddleBessel *b)
{
    if (x < 2)
        heddle_bessel_small(x, b);
    else if (x < 25)
        heddle_bessel_middle(x, b);
    else
        heddle_bessel_large(x, b);
}
// Values at the ends of the range: true if x is not there.
HEDDLE_DEVICE bool heddle_bessel_inside(double x, double at_zero, double *value)
{
    *value = x != x ? x : x == 0 ? at_zero : 0;
    return x == x && x != 0 && !__nv_isinfd(x);
}
HEDDLE_FUNCTION double __nv_j0(double x)
{
    HeddleBessel b;
    if (!heddle_bessel_inside(x, 1, &b.j[0])) return b.j[0];
    heddle_bessel(__builtin_fabs(x), &b);
    return b.j[0];
}
HEDDLE_FUNCTION double __nv_j1(double x)
{
    HeddleBessel b;
    if (!heddle_bessel_inside(x, 0, &b.j[1])) return __builtin_copysign(b.j[1], x);
    heddle_bessel(__builtin_fabs(x), &b);
    return x < 0 ? -b.j[1] : b.j[1];
}
HEDDLE_FUNCTION double __nv_y0(double x)
{
    HeddleBessel b;
    if (x < 0) return __builtin_nan("");
    if (!heddle_bessel_inside(x, -__builtin_inf(), &b.y[0])) return b.y[0];
    heddle_bessel(x, &b);
    return b.y[0];
}
HEDDLE_FUNCTION double __nv_y1(double x)
{
    HeddleBessel b;
    if (x < 0) return __builtin_nan("");
    if (!heddle_bessel_inside(x, -__builtin_inf(), &b.y[1])) return b.y[1];
    heddle_bessel(x, &b);
    return b.y[1];
}

// ---- orders n >= 0 ----

// J of an order above x > 0, by recurrence from a higher one; values that grow are scaled down.
HEDDLE_FUNCTION double heddle_bessel_down(int n, double x)
{
    double above = 0, here = 1e-280, sum = 0, wanted = 0;
    for (int k = 2 * ((n + 40 + (int)__nv_sqrt(40.0 * n)) / 2); k > 0; k--) {
        if (k == n) wanted = here;
        if (k % 2 == 0) sum += 2 * here;
        double below = 2 * k / x * here - above;
        above = here;
        here = below;
        if (__builtin_fabs(here) < 1e200) continue;
        above *= 1e-250;
        here *= 1e-250;
        sum *= 1e-250;
        wanted *= 1e-250;
    }
    return wanted / (sum + here);
}
HEDDLE_FUNCTION double __nv_jn(int n, double x)
{
    if (n < 0) return __builtin_nan("");
    if (n == 0) return __nv_j0(x);
    if (n == 1) return __nv_j1(x);
    double size = __builtin_fabs(x), value;
    if (heddle_bessel_inside(x, 0, &value)) {
        if (size <= n) {
            // (x / 2)^n / n! underflows before a recurrence overflows.
            value = size < 1e-10 ? 0 : heddle_bessel_down(n, size);
            if (size < 1e-10 && n < 40) {
                value = 1;
                for (int k = 1; k <= n; k++) value *= size / (2 * k);
            }
        } else {
            HeddleBessel b;
            heddle_bessel(size, &b);
            double below = b.j[0];
            value = b.j[1];
            for (int k = 1; k < n; k++) {
                double next = 2 * k / size * value - below;
                below = value;
                value = next;
            }
        }
    }
    return x < 0 && n % 2 ? -value : value;
}
HEDDLE_FUNCTION double __nv_yn(int n, double x)
{
    HeddleBessel b;
    double value;
    if (n < 0 || x < 0) return __builtin_nan("");
    if (!heddle_bessel_inside(x, -__builtin_inf(), &value)) return value;
    heddle_bessel(x, &b);
    if (n == 0) return b.y[0];
    double below = b.y[0];
    value = b.y[1];
    for (int k = 1; k < n && value > -__builtin_inf(); k++) {
        double next = 2 * k / x * value - below;
        below = value;
        value = next;
    }
    return value;
}

#undef HEDDLE_EULER
#undef HEDDLE_2_PI

#define HEDDLE_BY_DOUBLE(name)                                                                     \
    HEDDLE_FUNCTION float __nv_##name##f(float x)                                                  \
    {                                                                                              \
        return (float)__nv_##name(x);                                                              \
    }
HEDDLE_BY_DOUBLE(j0)
HEDDLE_BY_DOUBLE(j1)
HEDDLE_BY_DOUBLE(y0)
HEDDLE_BY_DOUBLE(y1)
HEDDLE_BY_DOUBLE(cyl_bessel_i0)
HEDDLE_BY_DOUBLE(cyl_bessel_i1)
#undef HEDDLE_BY_DOUBLE
HEDDLE_FUNCTION float __nv_jnf(int n, float x)
{
    return (float)__nv_jn(n, x);
}
HEDDLE_FUNCTION float __nv_ynf(int n, float x)
{
    return (float)__nv_yn(n, x);
}

#endif
