// make_int2 and the like.
#ifndef HEDDLE_CUDA_VECTOR_FUNCTIONS_H
#define HEDDLE_CUDA_VECTOR_FUNCTIONS_H
// The include guard of the toolkit: other headers test it.
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define HEDDLE_MAKE static __inline__ __host__ __device__
#define HEDDLE_MAKE_3(type, name)                                                                  \
    HEDDLE_MAKE name##1 make_##name##1(type x)                                                     \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    HEDDLE_MAKE name##2 make_##name##2(type x, type y)                                             \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    HEDDLE_MAKE name##3 make_##name##3(type x, type y, type z)                                     \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }
#define HEDDLE_MAKE_4(type, name)                                                                  \
    HEDDLE_MAKE name make_##name(type x, type y, type z, type w)                                   \
    {                                                                                              \
        name v = {x, y, z, w};                                                                     \
        return v;                                                                                  \
    }
#define HEDDLE_MAKE_NARROW(type, name) HEDDLE_MAKE_3(type, name) HEDDLE_MAKE_4(type, name##4)
#define HEDDLE_MAKE_WIDE(type, name)                                                               \
    HEDDLE_MAKE_NARROW(type, name)                                                                 \
    HEDDLE_MAKE_4(type, name##4_16a) HEDDLE_MAKE_4(type, name##4_32a)

HEDDLE_MAKE_NARROW(signed char, char)
HEDDLE_MAKE_NARROW(unsigned char, uchar)
HEDDLE_MAKE_NARROW(short, short)
HEDDLE_MAKE_NARROW(unsigned short, ushort)
HEDDLE_MAKE_NARROW(int, int)
HEDDLE_MAKE_NARROW(unsigned int, uint)
HEDDLE_MAKE_NARROW(float, float)
HEDDLE_MAKE_WIDE(long, long)
HEDDLE_MAKE_WIDE(unsigned long, ulong)
HEDDLE_MAKE_WIDE(long long, longlong)
HEDDLE_MAKE_WIDE(unsigned long long, ulonglong)
HEDDLE_MAKE_WIDE(double, double)

#undef HEDDLE_MAKE
#undef HEDDLE_MAKE_3
#undef HEDDLE_MAKE_4
#undef HEDDLE_MAKE_NARROW
#undef HEDDLE_MAKE_WIDE

#endif
