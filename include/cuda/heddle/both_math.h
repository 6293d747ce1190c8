// Global functions that CUDA adds for the host as well: min and max of any two numbers, reciprocal
// roots, and functions of multiples of pi.
#ifndef HEDDLE_CUDA_BOTH_MATH_H
#define HEDDLE_CUDA_BOTH_MATH_H

#define HEDDLE_HOST static __inline__ __attribute__((host, always_inline))
#define HEDDLE_BOTH static __inline__ __attribute__((host, device, always_inline))

#define HEDDLE_MIN_MAX(attributes, type, a_type, b_type)                                           \
    attributes type min(a_type a, b_type b)                                                        \
    {                                                                                              \
        return (type)a < (type)b ? (type)a : (type)b;                                              \
    }                                                                                              \
    attributes type max(a_type a, b_type b)                                                        \
    {                                                                                              \
        return (type)a > (type)b ? (type)a : (type)b;                                              \
    }
HEDDLE_MIN_MAX(HEDDLE_HOST, int, int, int) // clang's header defines them for the device
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned, unsigned, unsigned)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned, unsigned, int)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned, int, unsigned)
HEDDLE_MIN_MAX(HEDDLE_BOTH, long, long, long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned long, unsigned long, unsigned long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned long, unsigned long, long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned long, long, unsigned long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, long long, long long, long long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned long long, unsigned long long, unsigned long long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned long long, unsigned long long, long long)
HEDDLE_MIN_MAX(HEDDLE_BOTH, unsigned long long, long long, unsigned long long)
#undef HEDDLE_MIN_MAX

// If one of two floating-point operands is a NaN, the result is the other.
HEDDLE_BOTH float min(float a, float b)
{
    return __builtin_fminf(a, b);
}
HEDDLE_BOTH float max(float a, float b)
{
    return __builtin_fmaxf(a, b);
}
HEDDLE_BOTH double min(double a, double b)
{
    return __builtin_fmin(a, b);
}
HEDDLE_BOTH double max(double a, double b)
{
    return __builtin_fmax(a, b);
}
HEDDLE_BOTH double min(float a, double b)
{
    return __builtin_fmin(a, b);
}
HEDDLE_BOTH double max(float a, double b)
{
    return __builtin_fmax(a, b);
}
HEDDLE_BOTH double min(double a, float b)
{
    return __builtin_fmin(a, b);
}
HEDDLE_BOTH double max(double a, float b)
{
    return __builtin_fmax(a, b);
}

// glibc has these functions of C23 since 2.42 and 2.41.
#if !__GLIBC_PREREQ(2, 42)
HEDDLE_HOST double rsqrt(double a)
{
    return 1 / ::sqrt(a);
}
HEDDLE_HOST float rsqrtf(float a)
{
    return (float)(1 / ::sqrt((double)a));
}
#endif
HEDDLE_HOST double rcbrt(double a)
{
    return 1 / ::cbrt(a);
}
HEDDLE_HOST float rcbrtf(float a)
{
    return (float)(1 / ::cbrt((double)a));
}
#if !__GLIBC_PREREQ(2, 41)
HEDDLE_HOST double sinpi(double a)
{
    return ::sin(3.14159265358979323846 * ::remainder(a, 2));
}
HEDDLE_HOST double cospi(double a)
{
    return ::cos(3.14159265358979323846 * ::remainder(a, 2));
}
HEDDLE_HOST float sinpif(float a)
{
    return (float)sinpi((double)a);
}
HEDDLE_HOST float cospif(float a)
{
    return (float)cospi((double)a);
}
#endif
HEDDLE_HOST double normcdf(double a)
{
    return ::erfc(-a * 0.70710678118654752440) / 2;
}
HEDDLE_HOST float normcdff(float a)
{
    return (float)normcdf((double)a);
}

// The names without f for float arguments.
HEDDLE_BOTH float rsqrt(float a)
{
    return rsqrtf(a);
}
HEDDLE_BOTH float rcbrt(float a)
{
    return rcbrtf(a);
}
HEDDLE_BOTH float sinpi(float a)
{
    return sinpif(a);
}
HEDDLE_BOTH float cospi(float a)
{
    return cospif(a);
}
HEDDLE_BOTH float normcdf(float a)
{
    return normcdff(a);
}

#undef HEDDLE_HOST
#undef HEDDLE_BOTH

#endif
