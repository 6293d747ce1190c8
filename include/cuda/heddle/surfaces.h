// Reading and writing through surface objects: surf1Dread, surf1Dwrite, and the forms of more
// dimensions, layers and cubes. An element is any type of 1, 2, 4, 8 or 16 bytes; x is in bytes.
#ifndef HEDDLE_CUDA_SURFACES_H
#define HEDDLE_CUDA_SURFACES_H

#include "heddle/intrinsics.h"
#include "surface_types.h"

// The type that moves an element of a given size in bytes.
struct HeddlePair {
    unsigned long long first, second;
};
template <unsigned bytes> struct HeddleElement;
template <> struct HeddleElement<1> {
    typedef unsigned char Bits;
};
template <> struct HeddleElement<2> {
    typedef unsigned short Bits;
};
template <> struct HeddleElement<4> {
    typedef unsigned Bits;
};
template <> struct HeddleElement<8> {
    typedef unsigned long long Bits;
};
template <> struct HeddleElement<16> {
    typedef HeddlePair Bits;
};

// heddle_NAME_load(bits, surface, coordinates..., mode) and heddle_NAME_store. The mode is almost
// always a constant, so that one instruction of three remains.
#define HEDDLE_ARGS(...) __VA_ARGS__
#define HEDDLE_SULD(as, mode, at, values, results, ...)                                            \
    asm volatile("suld.b." as "." mode " " values ", [%[surface], " at "];"                        \
                 : HEDDLE_ARGS results                                                             \
                 : [surface] "l"(surface), __VA_ARGS__                                             \
                 : "memory")
#define HEDDLE_SUST(as, mode, at, values, sources, ...)                                            \
    asm volatile("sust.b." as "." mode " [%[surface], " at "], " values ";"                        \
                 :                                                                                 \
                 : HEDDLE_ARGS sources, [surface] "l"(surface), __VA_ARGS__                        \
                 : "memory")
#define HEDDLE_BY_MODE(move, as, at, values, operands, ...)                                        \
    if (mode == cudaBoundaryModeTrap) move(as, "trap", at, values, operands, __VA_ARGS__);         \
    else if (mode == cudaBoundaryModeClamp) move(as, "clamp", at, values, operands, __VA_ARGS__);  \
    else move(as, "zero", at, values, operands, __VA_ARGS__)
#define HEDDLE_SURFACE_MOVES(name, type, as, at, parameters, values, results, sources, ...)        \
    HEDDLE_DEVICE void heddle_##name##_load(type *v, cudaSurfaceObject_t surface,                  \
                                            HEDDLE_ARGS parameters, cudaSurfaceBoundaryMode mode)  \
    {                                                                                              \
        HEDDLE_BY_MODE(HEDDLE_SULD, as, at, values, results, __VA_ARGS__);                         \
    }                                                                                              \
    HEDDLE_DEVICE void heddle_##name##_store(const type *v, cudaSurfaceObject_t surface,           \
                                             HEDDLE_ARGS parameters, cudaSurfaceBoundaryMode mode) \
    {                                                                                              \
        HEDDLE_BY_MODE(HEDDLE_SUST, as, at, values, sources, __VA_ARGS__);                         \
    }
#define HEDDLE_SURFACE_SIZES(name, shape, at, parameters, ...)                                     \
    HEDDLE_SURFACE_BYTE(name, shape, at, parameters, __VA_ARGS__)                                  \
    HEDDLE_SURFACE_MOVES(name, unsigned short, shape ".b16", at, parameters, "%[v]",               \
                         ([v] "=h"(*v)), ([v] "h"(*v)), __VA_ARGS__)                               \
    HEDDLE_SURFACE_MOVES(name, unsigned, shape ".b32", at, parameters, "%[v]",                     \
                         ([v] "=r"(*v)), ([v] "r"(*v)), __VA_ARGS__)                               \
    HEDDLE_SURFACE_MOVES(name, unsigned long long, shape ".b64", at, parameters, "%[v]",           \
                         ([v] "=l"(*v)), ([v] "l"(*v)), __VA_ARGS__)                               \
    HEDDLE_SURFACE_MOVES(name, HeddlePair, shape ".v2.b64", at, parameters, "{%[v], %[w]}",        \
                         ([v] "=l"(v->first), [w] "=l"(v->second)),                                \
                         ([v] "l"(v->first), [w] "l"(v->second)), __VA_ARGS__)
// A byte uses a 16-bit register.
#define HEDDLE_SURFACE_BYTE(name, shape, at, parameters, ...)                                      \
    HEDDLE_DEVICE void heddle_##name##_load(unsigned char *v, cudaSurfaceObject_t surface,         \
                                            HEDDLE_ARGS parameters, cudaSurfaceBoundaryMode mode)  \
    {                                                                                              \
        unsigned short wide;                                                                       \
        HEDDLE_BY_MODE(HEDDLE_SULD, shape ".b8", at, "%[v]", ([v] "=h"(wide)), __VA_ARGS__);       \
        *v = (unsigned char)wide;                                                                  \
    }                                                                                              \
    HEDDLE_DEVICE void heddle_##name##_store(const unsigned char *v, cudaSurfaceObject_t surface,  \
                                             HEDDLE_ARGS parameters, cudaSurfaceBoundaryMode mode) \
    {                                                                                              \
        unsigned short wide = *v;                                                                  \
        HEDDLE_BY_MODE(HEDDLE_SUST, shape ".b8", at, "%[v]", ([v] "h"(wide)), __VA_ARGS__);        \
    }
// CUDA's functions: the value is the result, or is stored through the first argument.
#define HEDDLE_SURFACE(name, shape, at, parameters, arguments, ...)                                \
    HEDDLE_SURFACE_SIZES(name, shape, at, parameters, __VA_ARGS__)                                 \
    template <typename T>                                                                          \
    static __device__ __forceinline__ T name##read(                                                \
        cudaSurfaceObject_t surface, HEDDLE_ARGS parameters,                                       \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                       \
    {                                                                                              \
        typename HeddleElement<sizeof(T)>::Bits bits;                                              \
        T value;                                                                                   \
        heddle_##name##_load(&bits, surface, HEDDLE_ARGS arguments, mode);                         \
        __builtin_memcpy(&value, &bits, sizeof value);                                             \
        return value;                                                                              \
    }                                                                                              \
    template <typename T>                                                                          \
    static __device__ __forceinline__ void name##read(                                             \
        T *value, cudaSurfaceObject_t surface, HEDDLE_ARGS parameters,                             \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                       \
    {                                                                                              \
        *value = name##read<T>(surface, HEDDLE_ARGS arguments, mode);                              \
    }                                                                                              \
    template <typename T>                                                                          \
    static __device__ __forceinline__ void name##write(                                            \
        T value, cudaSurfaceObject_t surface, HEDDLE_ARGS parameters,                              \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                       \
    {                                                                                              \
        typename HeddleElement<sizeof(T)>::Bits bits;                                              \
        __builtin_memcpy(&bits, &value, sizeof bits);                                              \
        heddle_##name##_store(&bits, surface, HEDDLE_ARGS arguments, mode);                        \
    }
HEDDLE_SURFACE(surf1D, "1d", "{%[x]}", (int x), (x), [x] "r"(x))
HEDDLE_SURFACE(surf2D, "2d", "{%[x], %[y]}", (int x, int y), (x, y), [x] "r"(x), [y] "r"(y))
HEDDLE_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z), (x, y, z),
               [x] "r"(x), [y] "r"(y), [z] "r"(z))
HEDDLE_SURFACE(surf1DLayered, "a1d", "{%[layer], %[x]}", (int x, int layer), (x, layer),
               [x] "r"(x), [layer] "r"(layer))
HEDDLE_SURFACE(surf2DLayered, "a2d", "{%[layer], %[x], %[y], %[y]}", (int x, int y, int layer),
               (x, y, layer), [x] "r"(x), [y] "r"(y), [layer] "r"(layer))
// The faces of a cube are layers.
HEDDLE_SURFACE(surfCubemap, "a2d", "{%[layer], %[x], %[y], %[y]}", (int x, int y, int layer),
               (x, y, layer), [x] "r"(x), [y] "r"(y), [layer] "r"(layer))
HEDDLE_SURFACE(surfCubemapLayered, "a2d", "{%[layer], %[x], %[y], %[y]}",
               (int x, int y, int layer), (x, y, layer), [x] "r"(x), [y] "r"(y),
               [layer] "r"(layer))
#undef HEDDLE_SURFACE
#undef HEDDLE_SURFACE_BYTE
#undef HEDDLE_SURFACE_SIZES
#undef HEDDLE_SURFACE_MOVES
#undef HEDDLE_BY_MODE
#undef HEDDLE_SUST
#undef HEDDLE_SULD
#undef HEDDLE_ARGS

#endif
