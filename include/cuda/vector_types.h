// CUDA's short vectors and dim3, with CUDA's sizes and alignments.
#ifndef HEDDLE_CUDA_VECTOR_TYPES_H
#define HEDDLE_CUDA_VECTOR_TYPES_H
// The include guard of the toolkit: other headers test it.
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define HEDDLE_VECTORS_3(type, name)                                                               \
    struct name##1 { type x; };                                                                    \
    struct __attribute__((aligned(2 * sizeof(type)))) name##2 { type x, y; };                      \
    struct name##3 { type x, y, z; };                                                              \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;
#define HEDDLE_VECTOR_4(type, name, alignment)                                                     \
    struct __attribute__((aligned(alignment))) name { type x, y, z, w; };                          \
    typedef struct name name;
#define HEDDLE_VECTORS(type, name)                                                                 \
    HEDDLE_VECTORS_3(type, name) HEDDLE_VECTOR_4(type, name##4, 4 * sizeof(type))
// Vectors of 8-byte elements: CUDA aligns four elements to 16 bytes, or to 32 if the name says so.
#define HEDDLE_VECTORS_WIDE(type, name)                                                            \
    HEDDLE_VECTORS_3(type, name)                                                                   \
    HEDDLE_VECTOR_4(type, name##4, 16)                                                             \
    HEDDLE_VECTOR_4(type, name##4_16a, 16)                                                         \
    HEDDLE_VECTOR_4(type, name##4_32a, 32)

HEDDLE_VECTORS(signed char, char)
HEDDLE_VECTORS(unsigned char, uchar)
HEDDLE_VECTORS(short, short)
HEDDLE_VECTORS(unsigned short, ushort)
HEDDLE_VECTORS(int, int)
HEDDLE_VECTORS(unsigned int, uint)
HEDDLE_VECTORS(float, float)
HEDDLE_VECTORS_WIDE(long, long)
HEDDLE_VECTORS_WIDE(unsigned long, ulong)
HEDDLE_VECTORS_WIDE(long long, longlong)
HEDDLE_VECTORS_WIDE(unsigned long long, ulonglong)
HEDDLE_VECTORS_WIDE(double, double)

#undef HEDDLE_VECTORS_3
#undef HEDDLE_VECTOR_4
#undef HEDDLE_VECTORS
#undef HEDDLE_VECTORS_WIDE

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#else
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const
    {
        uint3 v = {x, y, z};
        return v;
    }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
