// Device functions: address spaces, the timer, a fast tanh, loads and stores with cache operators.
#ifndef HEDDLE_CUDA_DEVICE_LIBRARY_H
#define HEDDLE_CUDA_DEVICE_LIBRARY_H

#include <stddef.h>

// Conversions to and from addresses within a state space's window.
#define HEDDLE_WINDOW(space, number)                                                               \
    static __device__ __forceinline__ size_t __cvta_generic_to_##space(const void *at)             \
    {                                                                                              \
        return (size_t)(void __attribute__((address_space(number))) *)at;                          \
    }                                                                                              \
    static __device__ __forceinline__ void *__cvta_##space##_to_generic(size_t at)                 \
    {                                                                                              \
        return (void *)(void __attribute__((address_space(number))) *)at;                          \
    }
HEDDLE_WINDOW(global, 1)
HEDDLE_WINDOW(shared, 3)
HEDDLE_WINDOW(constant, 4)
HEDDLE_WINDOW(local, 5)
#undef HEDDLE_WINDOW

static __device__ __forceinline__ unsigned __isGlobal(const void *at)
{
    return __nvvm_isspacep_global(at);
}
static __device__ __forceinline__ unsigned __isShared(const void *at)
{
    return __nvvm_isspacep_shared(at);
}
static __device__ __forceinline__ unsigned __isConstant(const void *at)
{
    return __nvvm_isspacep_const(at);
}
static __device__ __forceinline__ unsigned __isLocal(const void *at)
{
    return __nvvm_isspacep_local(at);
}

static __device__ __forceinline__ float __tanhf(float a)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    float value;
    asm("tanh.approx.f32 %0, %1;" : "=f"(value) : "f"(a));
    return value;
#else
    return tanhf(a);
#endif
}

static __device__ __forceinline__ unsigned long long __globaltimer(void)
{
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

// Loads and stores with a cache operator: bypassing the L1, streaming, last use, and so on. A
// vector is loaded as one word of its size, and one of 16 bytes as two.
#define HEDDLE_LOAD(name, ptx, type, as, bits, letter)                                             \
    static __device__ __forceinline__ type name(const type *at)                                    \
    {                                                                                              \
        as value;                                                                                  \
        asm volatile("ld." ptx ".b" bits " %0, [%1];" : "=" letter(value) : "l"(at) : "memory");   \
        return __builtin_bit_cast(type, value);                                                    \
    }
#define HEDDLE_STORE(name, ptx, type, as, bits, letter)                                            \
    static __device__ __forceinline__ void name(type *at, type value)                              \
    {                                                                                              \
        asm volatile("st." ptx ".b" bits " [%0], %1;" ::"l"(at),                                   \
                     letter(__builtin_bit_cast(as, value))                                         \
                     : "memory");                                                                  \
    }
// A byte is in a register of 32 bits.
#define HEDDLE_LOAD_BYTE(name, ptx, type)                                                          \
    static __device__ __forceinline__ type name(const type *at)                                    \
    {                                                                                              \
        int value;                                                                                 \
        asm volatile("ld." ptx ".b8 %0, [%1];" : "=r"(value) : "l"(at) : "memory");                \
        return (type)value;                                                                        \
    }
#define HEDDLE_STORE_BYTE(name, ptx, type)                                                         \
    static __device__ __forceinline__ void name(type *at, type value)                              \
    {                                                                                              \
        asm volatile("st." ptx ".b8 [%0], %1;" ::"l"(at), "r"((int)value) : "memory");             \
    }
#define HEDDLE_LOAD_WIDE(name, ptx, type)                                                          \
    static __device__ __forceinline__ type name(const type *at)                                    \
    {                                                                                              \
        ulonglong2 value;                                                                          \
        asm volatile("ld." ptx ".v2.b64 {%0, %1}, [%2];"                                           \
                     : "=l"(value.x), "=l"(value.y)                                                \
                     : "l"(at)                                                                     \
                     : "memory");                                                                  \
        return __builtin_bit_cast(type, value);                                                    \
    }
#define HEDDLE_STORE_WIDE(name, ptx, type)                                                         \
    static __device__ __forceinline__ void name(type *at, type of)                                 \
    {                                                                                              \
        ulonglong2 value = __builtin_bit_cast(ulonglong2, of);                                     \
        asm volatile("st." ptx ".v2.b64 [%0], {%1, %2};" ::"l"(at), "l"(value.x), "l"(value.y)     \
                     : "memory");                                                                  \
    }
#define HEDDLE_OF_TYPES(what, name, ptx)                                                           \
    what##_BYTE(name, ptx, char)                                                                   \
    what##_BYTE(name, ptx, signed char)                                                            \
    what##_BYTE(name, ptx, unsigned char)                                                          \
    what(name, ptx, short, short, "16", "h")                                                       \
    what(name, ptx, unsigned short, short, "16", "h")                                              \
    what(name, ptx, char2, short, "16", "h")                                                       \
    what(name, ptx, uchar2, short, "16", "h")                                                      \
    what(name, ptx, int, int, "32", "r")                                                           \
    what(name, ptx, unsigned, unsigned, "32", "r")                                                 \
    what(name, ptx, float, int, "32", "r")                                                         \
    what(name, ptx, char4, int, "32", "r")                                                         \
    what(name, ptx, uchar4, int, "32", "r")                                                        \
    what(name, ptx, short2, int, "32", "r")                                                        \
    what(name, ptx, ushort2, int, "32", "r")                                                       \
    what(name, ptx, long, long, "64", "l")                                                         \
    what(name, ptx, unsigned long, unsigned long, "64", "l")                                       \
    what(name, ptx, long long, long long, "64", "l")                                               \
    what(name, ptx, unsigned long long, unsigned long long, "64", "l")                             \
    what(name, ptx, double, long long, "64", "l")                                                  \
    what(name, ptx, short4, long long, "64", "l")                                                  \
    what(name, ptx, ushort4, long long, "64", "l")                                                 \
    what(name, ptx, int2, long long, "64", "l")                                                    \
    what(name, ptx, uint2, long long, "64", "l")                                                   \
    what(name, ptx, float2, long long, "64", "l")                                                  \
    what##_WIDE(name, ptx, int4)                                                                   \
    what##_WIDE(name, ptx, uint4)                                                                  \
    what##_WIDE(name, ptx, float4)                                                                 \
    what##_WIDE(name, ptx, longlong2)                                                              \
    what##_WIDE(name, ptx, ulonglong2)                                                             \
    what##_WIDE(name, ptx, double2)
HEDDLE_OF_TYPES(HEDDLE_LOAD, __ldca, "ca")
HEDDLE_OF_TYPES(HEDDLE_LOAD, __ldcg, "cg")
HEDDLE_OF_TYPES(HEDDLE_LOAD, __ldcs, "cs")
HEDDLE_OF_TYPES(HEDDLE_LOAD, __ldlu, "lu")
HEDDLE_OF_TYPES(HEDDLE_LOAD, __ldcv, "cv")
HEDDLE_OF_TYPES(HEDDLE_STORE, __stwb, "wb")
HEDDLE_OF_TYPES(HEDDLE_STORE, __stcg, "cg")
HEDDLE_OF_TYPES(HEDDLE_STORE, __stcs, "cs")
HEDDLE_OF_TYPES(HEDDLE_STORE, __stwt, "wt")
#undef HEDDLE_LOAD
#undef HEDDLE_STORE
#undef HEDDLE_LOAD_BYTE
#undef HEDDLE_STORE_BYTE
#undef HEDDLE_LOAD_WIDE
#undef HEDDLE_STORE_WIDE
#undef HEDDLE_OF_TYPES

#endif
