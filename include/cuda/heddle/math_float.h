// The functions of math.h for float on the device. The common ones use single precision, with the
// special function unit's ex2 and lg2 if these are accurate enough; the others are computed in
// double. Largest errors in ulp (tests/cuda/programs/math.cu measures them; ex2 and lg2 add up to 1
// more on a real GPU):
//
//     expf 1, exp2f 1, exp10f 1, expm1f 1.5      logf 1, log2f 2, log10f 2, log1pf 1, powf 1
//     sinf 1.5, cosf 1.5, tanf 3.5               asinf 2.5, acosf 1.5, atanf 2.5, atan2f 2.5
//     sinhf 3, coshf 3, tanhf 1.5                erff 3, cbrtf 1
//     asinhf, acoshf, atanhf, hypotf, erfcf, tgammaf and the others below: 1
#ifndef HEDDLE_CUDA_MATH_FLOAT_H
#define HEDDLE_CUDA_MATH_FLOAT_H

#include "heddle/math_special.h"
#include "heddle/math_trig.h"

// ---- exponentials ----

HEDDLE_DEVICE float heddle_power_of_two_f(int n)
{
    return __nv_int_as_float((n + 127) << 23);
}
// a * 2^n for n from about -150 to 128.
HEDDLE_DEVICE float heddle_scale_f(float a, int n)
{
    int half = n >> 1;
    return a * heddle_power_of_two_f(half) * heddle_power_of_two_f(n - half);
}
HEDDLE_FUNCTION float __nv_exp2f(float x)
{
    return heddle_ex2(x);
}
HEDDLE_FUNCTION float __nv_expf(float x)
{
    float n = __builtin_rintf(__builtin_fmaxf(__builtin_fminf(x, 90.0f), -105.0f) * 1.44269504f);
    float t = __nv_fmaf(n, -0.693145752f, x); // ln 2, its first 16 bits
    t = __nv_fmaf(n, -1.42860677e-6f, t);
    return heddle_scale_f(heddle_ex2(t * 1.44269504f), (int)n);
}
HEDDLE_FUNCTION float __nv_exp10f(float x)
{
    float n = __builtin_rintf(__builtin_fmaxf(__builtin_fminf(x, 39.0f), -46.0f) * 3.32192809f);
    float t = __nv_fmaf(n, -0.301025391f, x); // log10 2, its first 12 bits
    t = __nv_fmaf(n, -4.60503907e-6f, t);
    return heddle_scale_f(heddle_ex2(t * 3.32192809f), (int)n);
}
// e^t - 1 for |t| <= ln(2) / 2.
HEDDLE_DEVICE float heddle_expm1_small_f(float t)
{
    float tail = heddle_horner(t, 0.0001989098846f, 0.001393364786f, 0.008333310928f,
                               0.04166646494f, 0.1666666668f, 0.5f);
    return t + t * t * tail;
}
HEDDLE_FUNCTION float __nv_expm1f(float x)
{
    if (x != x || x == 0) return x;
    if (x > 88.8f) return __builtin_inff();
    if (x < -18) return -1;
    float n = __builtin_rintf(x * 1.44269504f);
    float t = __nv_fmaf(n, -0.693145752f, x);
    t = __nv_fmaf(n, -1.42860677e-6f, t);
    float small = heddle_expm1_small_f(t);
    if (n == 128) return heddle_scale_f(1 + small, 128);
    float power = heddle_power_of_two_f((int)n);
    return __nv_fmaf(power, small, power - 1);
}

// ---- logarithms ----

// Whether x is NaN, 0, negative or infinite; then *value becomes its logarithm.
HEDDLE_DEVICE bool heddle_log_special_f(float x, float *value)
{
    if (x > 0 && x < __builtin_inff()) return false;
    *value = x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : x + x;
    return true;
}
// x > 0 as m * 2^e with m from sqrt(1/2) to sqrt(2); the result is m - 1.
HEDDLE_DEVICE float heddle_split_f(float x, int *e)
{
    int below = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        below = 23;
    }
    int bits = __nv_float_as_int(x) - 0x3f3504f3;
    *e = (bits >> 23) - below;
    return __nv_int_as_float((bits & 0x7fffff) + 0x3f3504f3) - 1;
}
// log(1 + f) for 1 + f from sqrt(1/2) to sqrt(2); `extra` is added before the last rounding.
HEDDLE_DEVICE float heddle_log1p_small_f(float f, float extra)
{
    float tail =
        heddle_horner(f, 0.06969753982f, -0.1147918809f, 0.1168579594f, -0.1242577672f,
                      0.1424903273f, -0.1666779828f, 0.200007163f, -0.24999997f, 0.3333333118f);
    float z = f * f;
    return f + (z * (f * tail - 0.5f) + extra);
}
HEDDLE_FUNCTION float __nv_logf(float x)
{
    float special;
    int e;
    if (heddle_log_special_f(x, &special)) return special;
    float f = heddle_split_f(x, &e);
    return __nv_fmaf((float)e, 0.693145752f, heddle_log1p_small_f(f, (float)e * 1.42860677e-6f));
}
HEDDLE_FUNCTION float __nv_log2f(float x)
{
    float special;
    int e;
    if (heddle_log_special_f(x, &special)) return special;
    float log_m = heddle_log1p_small_f(heddle_split_f(x, &e), 0);
    return __nv_fmaf(log_m, 1.44269504f, __nv_fmaf(log_m, 1.92596299e-8f, (float)e));
}
HEDDLE_FUNCTION float __nv_log10f(float x)
{
    float special;
    int e;
    if (heddle_log_special_f(x, &special)) return special;
    float log_m = heddle_log1p_small_f(heddle_split_f(x, &e), 0), whole = (float)e;
    return __nv_fmaf(whole, 0.301025391f, __nv_fmaf(log_m, 0.434294482f, whole * 4.60503907e-6f));
}
HEDDLE_FUNCTION float __nv_log1pf(float x)
{
    float special, u = __nv_fadd_rn(1, x);
    int e;
    if (x == 0 || heddle_log_special_f(u, &special)) return x == 0 ? x : special;
    float lost = __builtin_fabsf(x) < 1 ? __nv_fsub_rn(x, __nv_fsub_rn(u, 1))
                                        : __nv_fsub_rn(1, __nv_fsub_rn(u, x));
    float f = heddle_split_f(u, &e), extra = (float)e * 1.42860677e-6f + lost / u;
    if (u > 1e30f) extra = (float)e * 1.42860677e-6f;
    return __nv_fmaf((float)e, 0.693145752f, heddle_log1p_small_f(f, extra));
}

// ---- powers ----

// Computed in double: the logarithm and the exponential need only about 35 bits.
HEDDLE_FUNCTION float __nv_powf(float x, float y)
{
    double size = __builtin_fabsf(x);
    if (!(size > 0 && size < __builtin_inf()) || !__nv_finitef(y) || y == 0)
        return (float)__nv_pow(x, y);
    int whole = heddle_whole(y), e;
    if (x < 0 && !whole) return __builtin_nanf("");
    double f = heddle_split(size, &e) - 1, s = f / (2 + f), z = s * s;
    double log_x = 2 * s + s * z *
                               heddle_horner(z, 0.1936318693216176343, 0.2219137338094463105,
                                             0.2857175496835035177, 0.3999999879521915577,
                                             0.6666666666737664543);
    double power = (e + log_x * HEDDLE_LOG2_E) * y;
    power = __builtin_fmax(__builtin_fmin(power, 200.0), -200.0);
    double n = __builtin_rint(power), t = (power - n) * HEDDLE_LN2;
    double tail = heddle_horner(t, 0.00002485958037011696482, 0.0001989927610711800728,
                                0.001388885404703549566, 0.008333298481174418755,
                                0.04166666671898665495, 0.166666667190033195, 0.5);
    float value = (float)((1 + (t + t * t * tail)) * heddle_power_of_two((int)n));
    return x < 0 && whole == 1 ? -value : value;
}
HEDDLE_FUNCTION float __nv_powif(float x, int n)
{
    return __nv_powf(x, (float)n);
}
HEDDLE_FUNCTION float __nv_cbrtf(float x)
{
    float size = __builtin_fabsf(x);
    if (!(size > 0 && size < __builtin_inff())) return x;
    double root = heddle_ex2(heddle_lg2(size) * 0.333333333f);
    root -= (root - size / (root * root)) * 0.333333333333;
    return __builtin_copysignf((float)root, x);
}
HEDDLE_FUNCTION float __nv_rcbrtf(float x)
{
    return (float)__nv_rcbrt(x);
}

// In double, squares of floats do not overflow.
HEDDLE_FUNCTION float __nv_norm4df(float a, float b, float c, float d)
{
    double x = a, y = b, z = c, w = d;
    return (float)__builtin_sqrt(x * x + y * y + (z * z + w * w));
}
HEDDLE_FUNCTION float __nv_rnorm4df(float a, float b, float c, float d)
{
    double x = a, y = b, z = c, w = d;
    return (float)(1 / __builtin_sqrt(x * x + y * y + (z * z + w * w)));
}
HEDDLE_DEVICE float __nv_hypotf(float a, float b)
{
    return __nv_isinff(a) || __nv_isinff(b) ? __builtin_inff() : __nv_norm4df(a, b, 0, 0);
}
HEDDLE_DEVICE float __nv_rhypotf(float a, float b)
{
    return __nv_rnorm4df(a, b, 0, 0);
}
HEDDLE_DEVICE float __nv_norm3df(float a, float b, float c)
{
    return __nv_norm4df(a, b, c, 0);
}
HEDDLE_DEVICE float __nv_rnorm3df(float a, float b, float c)
{
    return __nv_rnorm4df(a, b, c, 0);
}
HEDDLE_FUNCTION float __nv_normf(int count, const float *values)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)values[i] * values[i];
    return (float)__builtin_sqrt(sum);
}
HEDDLE_FUNCTION float __nv_rnormf(int count, const float *values)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)values[i] * values[i];
    return (float)(1 / __builtin_sqrt(sum));
}

// ---- trigonometric functions ----

// x = quadrants * pi / 2 + *rest, |*rest| <= pi / 4. Large x use double.
HEDDLE_DEVICE int heddle_reduce_f(float x, float *rest)
{
    if (__builtin_fabsf(x) > 50000.0f) {
        HeddleTwo two;
        int quadrant = heddle_reduce(x, &two);
        *rest = (float)two.high;
        return quadrant;
    }
    float n = __builtin_rintf(x * 0.636619772f);
    float t = __nv_fmaf(n, -1.57079625f, x);
    t = __nv_fmaf(n, -7.54978942e-8f, t);
    *rest = __nv_fmaf(n, -5.39030295e-15f, t);
    return (int)n;
}
HEDDLE_DEVICE float heddle_sin_small_f(float x)
{
    float z = x * x;
    return x + x * z *
                   heddle_horner(z, 2.724990116e-6f, -0.0001984008655f, 0.008333331874f,
                                 -0.1666666666f);
}
HEDDLE_DEVICE float heddle_cos_small_f(float x)
{
    float z = x * x;
    float tail =
        heddle_horner(z, -2.730093863e-7f, 2.480060022e-5f, -0.001388888767f, 0.04166666666f);
    return 1 + z * (z * tail - 0.5f);
}
HEDDLE_DEVICE float heddle_sin_quadrant_f(int quadrant, float rest)
{
    float value = quadrant & 1 ? heddle_cos_small_f(rest) : heddle_sin_small_f(rest);
    return quadrant & 2 ? -value : value;
}
HEDDLE_FUNCTION float __nv_sinf(float x)
{
    float rest;
    if (!__nv_finitef(x)) return __builtin_nanf("");
    int quadrant = heddle_reduce_f(x, &rest);
    return x == 0 ? x : heddle_sin_quadrant_f(quadrant, rest);
}
HEDDLE_FUNCTION float __nv_cosf(float x)
{
    float rest;
    if (!__nv_finitef(x)) return __builtin_nanf("");
    int quadrant = heddle_reduce_f(x, &rest);
    return heddle_sin_quadrant_f(quadrant + 1, rest);
}
HEDDLE_FUNCTION void __nv_sincosf(float x, float *sine, float *cosine)
{
    float rest;
    *sine = *cosine = __builtin_nanf("");
    if (!__nv_finitef(x)) return;
    int quadrant = heddle_reduce_f(x, &rest);
    *sine = x == 0 ? x : heddle_sin_quadrant_f(quadrant, rest);
    *cosine = heddle_sin_quadrant_f(quadrant + 1, rest);
}
HEDDLE_FUNCTION float __nv_tanf(float x)
{
    float rest;
    if (!__nv_finitef(x)) return __builtin_nanf("");
    int quadrant = heddle_reduce_f(x, &rest);
    float sine = heddle_sin_small_f(rest), cosine = heddle_cos_small_f(rest);
    if (x == 0) return x;
    return quadrant & 1 ? -cosine / sine : sine / cosine;
}
HEDDLE_FUNCTION float __nv_sinpif(float x)
{
    return (float)__nv_sinpi(x);
}
HEDDLE_FUNCTION float __nv_cospif(float x)
{
    return (float)__nv_cospi(x);
}
HEDDLE_FUNCTION void __nv_sincospif(float x, float *sine, float *cosine)
{
    *sine = __nv_sinpif(x);
    *cosine = __nv_cospif(x);
}

HEDDLE_FUNCTION float __nv_atanf(float x)
{
    float size = __builtin_fabsf(x), t = size > 1 ? 1 / size : size, z = t * t;
    float tail = heddle_horner(z, 0.001488691939f, -0.009144629761f, 0.02630500111f,
                               -0.04896051403f, 0.0703191425f, -0.08931826777f, 0.1108826163f,
                               -0.1428400379f, 0.1999994932f, -0.3333333308f);
    float value = t + t * z * tail;
    if (size > 1) value = 1.57079633f - value;
    return __builtin_copysignf(value, x);
}
HEDDLE_FUNCTION float __nv_atan2f(float y, float x)
{
    if (x != x || y != y) return x + y;
    float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), angle;
    if (ay == 0 && ax == 0)
        angle = 0;
    else if (ax == ay) // also two infinities
        angle = 0.785398163f;
    else
        angle = __nv_atanf(ay / ax);
    if (__nv_signbitf(x)) angle = 3.14159274f - (angle + 8.74227766e-8f);
    return __builtin_copysignf(angle, y);
}
// asin(x) is x + x * z * this, for z = x * x <= 1/4.
HEDDLE_DEVICE float heddle_asin_tail_f(float z)
{
    return heddle_horner(z, 0.0309854604f, 0.01056694782f, 0.02361371422f, 0.0302689191f,
                         0.04464767522f, 0.07499992383f, 0.1666666669f);
}
HEDDLE_FUNCTION float __nv_asinf(float x)
{
    float size = __builtin_fabsf(x), z = x * x;
    if (!(size <= 1)) return __builtin_nanf("");
    if (size <= 0.5f) return x + x * z * heddle_asin_tail_f(z);
    z = 0.5f * (1 - size);
    float root = __builtin_sqrtf(z);
    float half = root + root * z * heddle_asin_tail_f(z);
    return __builtin_copysignf(1.57079637f - (2 * half + 4.37113883e-8f), x);
}
HEDDLE_FUNCTION float __nv_acosf(float x)
{
    float size = __builtin_fabsf(x), z = x * x;
    if (!(size <= 1)) return __builtin_nanf("");
    if (size <= 0.5f) return 1.57079637f - (x + (x * z * heddle_asin_tail_f(z) + 4.37113883e-8f));
    z = 0.5f * (1 - size);
    float root = __builtin_sqrtf(z);
    float half = root + root * z * heddle_asin_tail_f(z);
    return x > 0 ? 2 * half : 3.14159274f - (2 * half + 8.74227766e-8f);
}

// ---- hyperbolic functions ----

HEDDLE_FUNCTION float __nv_sinhf(float x)
{
    float size = __builtin_fabsf(x), value;
    if (size < 10) {
        float t = __nv_expm1f(size);
        value = 0.5f * (t + t / (t + 1));
    } else {
        float root = __nv_expf(0.5f * size);
        value = 0.5f * root * root;
    }
    return __builtin_copysignf(value, x);
}
HEDDLE_FUNCTION float __nv_coshf(float x)
{
    float root = __nv_expf(0.5f * __builtin_fabsf(x));
    return 0.5f * root * root + 0.5f / root / root;
}
HEDDLE_FUNCTION float __nv_tanhf(float x)
{
    float size = __builtin_fabsf(x), z = x * x;
    if (size < 0.6f)
        return x + x * z *
                       heddle_horner(z, 0.00237076564f, -0.008410070802f, 0.021788322f,
                                     -0.05396155178f, 0.1333331287f, -0.3333333323f);
    float value = 1 - 2 / (__nv_expf(2 * size) + 1);
    return __builtin_copysignf(value, x);
}

HEDDLE_FUNCTION float __nv_erff(float x)
{
    float size = __builtin_fabsf(x), z = x * x, value;
    if (size < 1) {
        float tail = heddle_horner(z, 7.875875063e-5f, -0.0008016864287f, 0.005189087423f,
                                   -0.02685421201f, 0.1128359472f, -0.3761262667f);
        return x * 1.12837917f + x * z * tail;
    }
    // erfc(x) = 2^-(this polynomial).
    value = heddle_horner(__builtin_fminf(size, 4.0f), -2.361910227e-6f, 6.644770978e-5f,
                          -0.0008610085165f, 0.006866645969f, -0.03811764189f, 0.1588119898f,
                          0.9115323113f, 1.630582171f, -0.0004618615767f);
    return x != x ? x : __builtin_copysignf(1 - heddle_ex2(-value), x);
}

// ---- functions computed in double ----

#define HEDDLE_BY_DOUBLE(name)                                                                     \
    HEDDLE_FUNCTION float __nv_##name##f(float x)                                                  \
    {                                                                                              \
        return (float)__nv_##name(x);                                                              \
    }
HEDDLE_BY_DOUBLE(asinh)
HEDDLE_BY_DOUBLE(acosh)
HEDDLE_BY_DOUBLE(atanh)
HEDDLE_BY_DOUBLE(erfc)
HEDDLE_BY_DOUBLE(erfcx)
HEDDLE_BY_DOUBLE(erfinv)
HEDDLE_BY_DOUBLE(erfcinv)
HEDDLE_BY_DOUBLE(normcdf)
HEDDLE_BY_DOUBLE(normcdfinv)
HEDDLE_BY_DOUBLE(tgamma)
HEDDLE_BY_DOUBLE(lgamma)
#undef HEDDLE_BY_DOUBLE

#endif
