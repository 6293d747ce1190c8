// The error function and its relatives, and gamma, for double on the device. Largest errors in ulp:
//
//     erf 1.5, erfc 4, erfcx 3    erfinv 3, erfcinv 3, normcdf 4, normcdfinv 4    tgamma 8
//     lgamma 6 for x > 0; near its zeros below 0 only the absolute error is small
#ifndef HEDDLE_CUDA_MATH_SPECIAL_H
#define HEDDLE_CUDA_MATH_SPECIAL_H

#include "heddle/math_trig.h"

// ---- error functions ----

// exp(x * x) * erfc(x) for x >= 1/2: (1 + 2 * x) times it is smooth in q.
HEDDLE_DEVICE double heddle_erfcx_large(double x)
{
    if (x > 1e8) return 0.5641895835477563 / x;
    double q = (x - 4) / (x + 4);
    double value =
        heddle_horner(q, -5.36440742570822713e-10, 1.337718629709064464e-9, 4.273712924400565466e-9,
                      -1.409596710242607954e-8, -2.257689582832149264e-8, 1.096783455395946031e-7,
                      7.963624411844295446e-8, -8.247999785914831636e-7, 2.904603431064259691e-7,
                      5.709232702801682497e-6, -0.00001122057176680121702,
                      -0.00002439898079813090797, 0.0001506212591641790486,
                      -0.000199256761499151169, -0.0007577732112844931088, 0.005031969989640877961,
                      -0.01619773406681577632, 0.0371675155362960895, -0.0663303658115982018,
                      0.0937328349984143561, -0.1010390660363263864, 0.06809705425469109809,
                      0.01537965210262005181, -0.1396211168405625025, 1.232995118625552509);
    return value / (1 + 2 * x);
}
// erf(x) for |x| <= 1.
HEDDLE_DEVICE double heddle_erf_small(double x)
{
    double z = x * x;
    double tail =
        heddle_horner(z, -4.230945824295337817e-12, 8.70904512905310669e-11,
                      -1.216456005728345008e-9, 1.4792401209404813e-8, -1.63646421581676153e-7,
                      1.646204544146841894e-6, -0.00001492564756751933213, 0.0001205533290288873541,
                      -0.0008548327021934829596, 0.005223977625423298309, -0.02686617064512984081,
                      0.1128379167095512024, -0.3761263890318375238, 1.533545961316588e-17);
    return __nv_fma(x, 1.1283791670955126, x * tail);
}
HEDDLE_FUNCTION double __nv_erfc(double x)
{
    if (x != x) return x;
    if (x < 0.5) {
        if (x > -0.5) return 1 - heddle_erf_small(x);
        if (x < -6) return 2;
    }
    double size = __builtin_fabs(x);
    if (size > 27.3) return 0;
    HeddleTwo square = heddle_two_product(size, size);
    double value = heddle_exp_two(-square.high, -square.low) * heddle_erfcx_large(size);
    return x < 0 ? 2 - value : value;
}
HEDDLE_FUNCTION double __nv_erf(double x)
{
    double size = __builtin_fabs(x);
    if (size <= 1 || x != x) return heddle_erf_small(x);
    return __builtin_copysign(1 - __nv_erfc(size), x);
}
HEDDLE_FUNCTION double __nv_erfcx(double x)
{
    if (x >= 0.5 || x != x) return heddle_erfcx_large(x);
    if (x < -26.7) return __builtin_inf();
    HeddleTwo square = heddle_two_product(x, x);
    return heddle_exp_two(square.high, square.low) * __nv_erfc(x);
}
// The x >= 0 with erfc(x) = y, for y in (0, 1]: Winitzki's approximation, then Newton steps on the
// logarithm, which is almost a parabola even in the tail.
HEDDLE_FUNCTION double heddle_erfcinv_half(double y)
{
    double l = __nv_log(y * (2 - y)), a = 0.147, b = 0.6366197723675814 / a + 0.5 * l;
    double x = __builtin_sqrt(__builtin_sqrt(b * b - l / a) - b);
    for (int step = 0; step < 4; step++)
        x += __nv_log1p((__nv_erfc(x) - y) / y) * __nv_erfcx(x) * 0.886226925452758;
    return x;
}
HEDDLE_FUNCTION double __nv_erfinv(double y)
{
    double size = __builtin_fabs(y);
    if (!(size <= 1)) return __builtin_nan("");
    if (size == 1) return __builtin_copysign(__builtin_inf(), y);
    if (size > 0.5) return __builtin_copysign(heddle_erfcinv_half(1 - size), y);
    // Two terms of the series, then Newton steps with erf, which is accurate near 0.
    double x = size * (0.886226925452758 + 0.2320136665346544 * size * size);
    for (int step = 0; step < 4; step++)
        x -= (heddle_erf_small(x) - size) / (1.1283791670955126 * __nv_exp(-x * x));
    return __builtin_copysign(x, y);
}
HEDDLE_FUNCTION double __nv_erfcinv(double y)
{
    if (!(y >= 0 && y <= 2)) return __builtin_nan("");
    if (y == 0) return __builtin_inf();
    if (y == 2) return -__builtin_inf();
    if (y >= 0.5 && y <= 1.5) return __nv_erfinv(1 - y); // 1 - y is exact
    return y < 1 ? heddle_erfcinv_half(y) : -heddle_erfcinv_half(2 - y);
}
HEDDLE_FUNCTION double __nv_normcdf(double x)
{
    // In the tail, the rounding error of the argument matters: correct it by the derivative.
    HeddleTwo t = heddle_two_product(-x, 0.7071067811865476);
    if (!(__builtin_fabs(x) < 39)) return x != x ? x : x > 0 ? 1 : 0;
    double low = t.low + x * 4.833646656726457e-17;
    return 0.5 * (__nv_erfc(t.high) - low * 1.1283791670955126 * __nv_exp(-t.high * t.high));
}
HEDDLE_FUNCTION double __nv_normcdfinv(double y)
{
    return -1.4142135623730951 * __nv_erfcinv(2 * y);
}

// ---- gamma ----

// Stirling's series: log(gamma(x)) - (x - 1/2) * log(x) + x - log(2 * pi) / 2, for x >= 20.
HEDDLE_DEVICE double heddle_stirling(double x)
{
    double r = 1 / x;
    return r * heddle_horner(r * r, 0.00641025641025641, -0.0019175269175269176,
                             0.0008417508417508417, -0.0005952380952380953, 0.0007936507936507937,
                             -0.002777777777777778, 0.08333333333333333);
}
// gamma(2 + t) for |t| <= 1/2.
HEDDLE_DEVICE double heddle_gamma_near_2(double t)
{
    return heddle_horner(t, -1.313119150966421669e-6, 2.625911290777746422e-6,
                         -3.609421076900371837e-6, 7.216424561413336038e-6,
                         -0.00001529628951991094631, 0.0000305762572828644975,
                         -0.00006078180215145502317, 0.0001216516294672007819,
                         -0.0002409426687500024219, 0.0004903909165362433159,
                         -0.0009195737556751734745, 0.0021039331744051569, -0.002852645824368608418,
                         0.01115404572455716728, -0.0002669820686820676717, 0.07424901075338801115,
                         0.08157691924708578875, 0.41184033042644065, 0.42278433509846714, 1.0);
}
// gamma(x) for 1/2 <= x < 172.
HEDDLE_FUNCTION double heddle_gamma_positive(double x)
{
    if (x >= 20) {
        double root = __nv_pow(x, 0.5 * (x - 0.5));
        return root * __nv_exp(-x) * root * (2.5066282746310007 * __nv_exp(heddle_stirling(x)));
    }
    double factor = 1;
    while (x > 2.5) {
        x -= 1;
        factor *= x;
    }
    if (x < 1.5) return heddle_gamma_near_2(x - 1) / x;
    return factor * heddle_gamma_near_2(x - 2);
}
HEDDLE_FUNCTION double __nv_tgamma(double x)
{
    if (x != x) return x;
    if (x == 0) return 1 / x;
    if (x < 0 && __builtin_trunc(x) == x) return __builtin_nan("");
    if (x > 171.7) return __builtin_inf();
    if (x >= 0.5) return heddle_gamma_positive(x);
    if (__builtin_fabs(x) < 1e-9) return 1 / x - 0.5772156649015329;
    double sine = __nv_sinpi(x);
    if (x < -184) return sine < 0 ? -0.0 : 0.0;
    // Correct for the rounding error of 1 - x, by the derivative of gamma.
    double y = heddle_sub(1, x), lost = heddle_sub(heddle_sub(1, y), x);
    double top = 2 * HEDDLE_PI_2_HIGH / (1 + lost * (__nv_log(y) - 0.5 / y));
    if (x > -170) return top / (sine * heddle_gamma_positive(y));
    // gamma(1 - x) from a smaller argument, so that it does not overflow.
    double value = top / (sine * heddle_gamma_positive(y - 20));
    for (int i = 20; i > 0; i--) value /= y - i;
    return value;
}
// log(gamma(2 + t)) for |t| <= 1/2.
HEDDLE_DEVICE double heddle_lgamma_near_2(double t)
{
    double value = heddle_horner(
        t, -5.832930129320893835e-8, 1.221197763694066756e-7, -1.833363473380683581e-7,
        3.863844148542206367e-7, -8.554745925302383184e-7, 1.81334092594171409e-6,
        -3.846868630984395722e-6, 8.221243547899526443e-6, -0.0000176617270926402937,
        0.00003816899450869808131, -0.00008309512288139663721, 0.0001825526319802905529,
        -0.0004057073976405255723, 0.0009153769225258351787, -0.002108130833953202755,
        0.004998641164691939743, -0.01238419219337129762, 0.03296500062115586664,
        -0.1003173016743539211, 0.4227843350984671393);
    return t * (1 + t) * value;
}
// log(gamma(x)) for x >= 1/2.
HEDDLE_FUNCTION double heddle_lgamma_positive(double x)
{
    if (x >= 20) {
        double l = __nv_log(x);
        return x > 1e300 ? x * (l - 1)
                         : (x - 0.5) * (l - 1) + (0.9189385332046728 - 0.5 + heddle_stirling(x));
    }
    if (x < 1.5) return heddle_lgamma_near_2(x - 1) - __nv_log1p(x - 1);
    double factor = 1;
    while (x > 2.5) {
        x -= 1;
        factor *= x;
    }
    double value = heddle_lgamma_near_2(x - 2);
    return factor == 1 ? value : value + __nv_log(factor);
}
HEDDLE_FUNCTION double __nv_lgamma(double x)
{
    if (x != x) return x;
    if (__nv_isinfd(x) || (x <= 0 && __builtin_trunc(x) == x)) return __builtin_inf();
    if (x >= 0.5) return heddle_lgamma_positive(x);
    if (__builtin_fabs(x) < 1e-17) return -__nv_log(__builtin_fabs(x));
    double sine = __builtin_fabs(__nv_sinpi(x));
    return __nv_log(2 * HEDDLE_PI_2_HIGH / sine) - heddle_lgamma_positive(1 - x);
}

#endif
