// Complex numbers of CUDA: cuComplex of floats, cuDoubleComplex of doubles.
#ifndef HEDDLE_CUDA_CUCOMPLEX_H
#define HEDDLE_CUDA_CUCOMPLEX_H
// The include guard of the toolkit: other headers test it.
#define CU_COMPLEX_H_

#include "vector_functions.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HEDDLE_COMPLEX static __inline__ __host__ __device__
// `f` is the suffix of functions for float: cuCaddf; cuCadd is for double.
#define HEDDLE_COMPLEX_OF(type, part, f, make)                                                     \
    HEDDLE_COMPLEX part cuCreal##f(type a)                                                         \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    HEDDLE_COMPLEX part cuCimag##f(type a)                                                         \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    HEDDLE_COMPLEX type cuConj##f(type a)                                                          \
    {                                                                                              \
        return make(a.x, -a.y);                                                                    \
    }                                                                                              \
    HEDDLE_COMPLEX type cuCadd##f(type a, type b)                                                  \
    {                                                                                              \
        return make(a.x + b.x, a.y + b.y);                                                         \
    }                                                                                              \
    HEDDLE_COMPLEX type cuCsub##f(type a, type b)                                                  \
    {                                                                                              \
        return make(a.x - b.x, a.y - b.y);                                                         \
    }                                                                                              \
    HEDDLE_COMPLEX type cuCmul##f(type a, type b)                                                  \
    {                                                                                              \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    HEDDLE_COMPLEX type cuCfma##f(type a, type b, type c)                                          \
    {                                                                                              \
        return cuCadd##f(cuCmul##f(a, b), c);                                                      \
    }                                                                                              \
    HEDDLE_COMPLEX part cuCabs##f(type a)                                                          \
    {                                                                                              \
        return hypot##f(a.x, a.y);                                                                 \
    }                                                                                              \
    HEDDLE_COMPLEX type cuCdiv##f(type a, type b)                                                  \
    {                                                                                              \
        /* Scaled, so that the squares neither overflow nor underflow. */                          \
        part size = fabs##f(b.x) + fabs##f(b.y), x = b.x / size, y = b.y / size;                   \
        part square = (x * x + y * y) * size;                                                      \
        return make((a.x * x + a.y * y) / square, (a.y * x - a.x * y) / square);                   \
    }
HEDDLE_COMPLEX_OF(cuFloatComplex, float, f, make_float2)
HEDDLE_COMPLEX_OF(cuDoubleComplex, double, , make_double2)
#undef HEDDLE_COMPLEX_OF

HEDDLE_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y)
{
    return make_float2(x, y);
}
HEDDLE_COMPLEX cuComplex make_cuComplex(float x, float y)
{
    return make_float2(x, y);
}
HEDDLE_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    return make_double2(x, y);
}
HEDDLE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_double2(a.x, a.y);
}
HEDDLE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_float2((float)a.x, (float)a.y);
}
#undef HEDDLE_COMPLEX

#endif
