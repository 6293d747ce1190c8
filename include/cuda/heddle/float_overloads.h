// Functions of math.h that clang's headers leave to the toolkit: float overloads of the names
// without f, and nan.
#ifndef HEDDLE_CUDA_FLOAT_OVERLOADS_H
#define HEDDLE_CUDA_FLOAT_OVERLOADS_H

#define HEDDLE_OVERLOAD static __device__ __inline__ __attribute__((always_inline))
#define HEDDLE_OF_ONE(result, name)                                                                \
    HEDDLE_OVERLOAD result name(float a) { return name##f(a); }
#define HEDDLE_OF_TWO(name)                                                                        \
    HEDDLE_OVERLOAD float name(float a, float b) { return name##f(a, b); }
HEDDLE_OF_ONE(float, acosh)
HEDDLE_OF_ONE(float, asinh)
HEDDLE_OF_ONE(float, atanh)
HEDDLE_OF_ONE(float, cbrt)
HEDDLE_OF_ONE(float, erf)
HEDDLE_OF_ONE(float, erfc)
HEDDLE_OF_ONE(float, exp2)
HEDDLE_OF_ONE(float, exp10)
HEDDLE_OF_ONE(float, expm1)
HEDDLE_OF_ONE(int, ilogb)
HEDDLE_OF_ONE(float, lgamma)
HEDDLE_OF_ONE(long long, llrint)
HEDDLE_OF_ONE(long long, llround)
HEDDLE_OF_ONE(float, log1p)
HEDDLE_OF_ONE(float, log2)
HEDDLE_OF_ONE(float, logb)
HEDDLE_OF_ONE(long, lrint)
HEDDLE_OF_ONE(long, lround)
HEDDLE_OF_ONE(float, nearbyint)
HEDDLE_OF_ONE(float, rint)
HEDDLE_OF_ONE(float, round)
HEDDLE_OF_ONE(float, tgamma)
HEDDLE_OF_ONE(float, trunc)
HEDDLE_OF_TWO(copysign)
HEDDLE_OF_TWO(fdim)
HEDDLE_OF_TWO(fmax)
HEDDLE_OF_TWO(fmin)
HEDDLE_OF_TWO(hypot)
HEDDLE_OF_TWO(nextafter)
HEDDLE_OF_TWO(remainder)
#undef HEDDLE_OF_ONE
#undef HEDDLE_OF_TWO
HEDDLE_OVERLOAD float fma(float a, float b, float c)
{
    return fmaf(a, b, c);
}
HEDDLE_OVERLOAD float remquo(float a, float b, int *quotient)
{
    return remquof(a, b, quotient);
}
HEDDLE_OVERLOAD float scalbn(float a, int n)
{
    return scalbnf(a, n);
}
HEDDLE_OVERLOAD float scalbln(float a, long n)
{
    return scalblnf(a, n);
}
HEDDLE_OVERLOAD void sincos(float a, float *sine, float *cosine)
{
    sincosf(a, sine, cosine);
}
HEDDLE_OVERLOAD void sincospi(float a, float *sine, float *cosine)
{
    sincospif(a, sine, cosine);
}
HEDDLE_OVERLOAD double nan(const char *text)
{
    (void)text;
    return __builtin_nan("");
}
HEDDLE_OVERLOAD float nanf(const char *text)
{
    (void)text;
    return __builtin_nanf("");
}
#undef HEDDLE_OVERLOAD

#endif
