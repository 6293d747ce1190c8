// Reading through texture objects: tex1Dfetch, tex1D, tex2D, tex3D, cubes, the layered, level and
// gradient forms of these, and tex2Dgather.
#ifndef HEDDLE_CUDA_TEXTURES_H
#define HEDDLE_CUDA_TEXTURES_H

#include "heddle/intrinsics.h"
#include "texture_types.h"
#include "vector_types.h"

// The result of a PTX fetch for any element type: four floats, or four integers.
struct HeddleFloats {
    float x, y, z, w;
};
struct HeddleInts {
    int x, y, z, w;
};
struct HeddleUnsigneds {
    unsigned x, y, z, w;
};

// HeddleTexel<T>: the kind of T's components, and conversion of a result to T.
template <typename T> struct HeddleTexel;
#define HEDDLE_TEXEL(type, four, ...)                                                              \
    template <> struct HeddleTexel<type> {                                                         \
        typedef four Four;                                                                         \
        static __device__ __forceinline__ type take(four v)                                        \
        {                                                                                          \
            type value = __VA_ARGS__;                                                              \
            return value;                                                                          \
        }                                                                                          \
    };
#define HEDDLE_TEXELS(type, name, four)                                                            \
    HEDDLE_TEXEL(type, four, (type)v.x)                                                            \
    HEDDLE_TEXEL(name##1, four, {(type)v.x})                                                       \
    HEDDLE_TEXEL(name##2, four, {(type)v.x, (type)v.y})                                            \
    HEDDLE_TEXEL(name##4, four, {(type)v.x, (type)v.y, (type)v.z, (type)v.w})
HEDDLE_TEXEL(char, HeddleInts, (char)v.x)
HEDDLE_TEXELS(signed char, char, HeddleInts)
HEDDLE_TEXELS(short, short, HeddleInts)
HEDDLE_TEXELS(int, int, HeddleInts)
HEDDLE_TEXELS(unsigned char, uchar, HeddleUnsigneds)
HEDDLE_TEXELS(unsigned short, ushort, HeddleUnsigneds)
HEDDLE_TEXELS(unsigned, uint, HeddleUnsigneds)
HEDDLE_TEXELS(float, float, HeddleFloats)
#undef HEDDLE_TEXEL
#undef HEDDLE_TEXELS

// heddle_NAME(four, texture, coordinates...): one PTX instruction for each kind of result.
// `at` is the text after the texture operand; its operands begin at %5.
#define HEDDLE_FETCH_AS(name, ptx, four, kind, letter, coordinate, at, parameters, ...)            \
    HEDDLE_DEVICE void name(four *v, cudaTextureObject_t texture, HEDDLE_ARGS parameters)          \
    {                                                                                              \
        asm(ptx ".v4." kind "." coordinate " {%0, %1, %2, %3}, [%4, " at ";"                       \
            : "=" letter(v->x), "=" letter(v->y), "=" letter(v->z), "=" letter(v->w)               \
            : "l"(texture), __VA_ARGS__);                                                          \
    }
#define HEDDLE_ARGS(...) __VA_ARGS__
#define HEDDLE_FETCH(name, ptx, coordinate, at, parameters, ...)                                   \
    HEDDLE_FETCH_AS(name, ptx, HeddleFloats, "f32", "f", coordinate, at, parameters, __VA_ARGS__)  \
    HEDDLE_FETCH_AS(name, ptx, HeddleInts, "s32", "r", coordinate, at, parameters, __VA_ARGS__)    \
    HEDDLE_FETCH_AS(name, ptx, HeddleUnsigneds, "u32", "r", coordinate, at, parameters, __VA_ARGS__)

HEDDLE_FETCH(heddle_tex1Dfetch, "tex.1d", "s32", "{%5}]", (int x), "r"(x))
HEDDLE_FETCH(heddle_tex1D, "tex.1d", "f32", "{%5}]", (float x), "f"(x))
HEDDLE_FETCH(heddle_tex2D, "tex.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
HEDDLE_FETCH(heddle_tex3D, "tex.3d", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z),
             "f"(x), "f"(y), "f"(z))
HEDDLE_FETCH(heddle_tex1DLayered, "tex.a1d", "f32", "{%5, %6}]", (float x, int layer),
             "r"(layer), "f"(x))
HEDDLE_FETCH(heddle_tex2DLayered, "tex.a2d", "f32", "{%5, %6, %7, %7}]",
             (float x, float y, int layer), "r"(layer), "f"(x), "f"(y))
HEDDLE_FETCH(heddle_texCubemap, "tex.cube", "f32", "{%5, %6, %7, %7}]",
             (float x, float y, float z), "f"(x), "f"(y), "f"(z))
HEDDLE_FETCH(heddle_texCubemapLayered, "tex.acube", "f32", "{%5, %6, %7, %8}]",
             (float x, float y, float z, int layer), "r"(layer), "f"(x), "f"(y), "f"(z))
HEDDLE_FETCH(heddle_tex1DLod, "tex.level.1d", "f32", "{%5}], %6", (float x, float level),
             "f"(x), "f"(level))
HEDDLE_FETCH(heddle_tex2DLod, "tex.level.2d", "f32", "{%5, %6}], %7",
             (float x, float y, float level), "f"(x), "f"(y), "f"(level))
HEDDLE_FETCH(heddle_tex3DLod, "tex.level.3d", "f32", "{%5, %6, %7, %7}], %8",
             (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
HEDDLE_FETCH(heddle_tex1DLayeredLod, "tex.level.a1d", "f32", "{%5, %6}], %7",
             (float x, int layer, float level), "r"(layer), "f"(x), "f"(level))
HEDDLE_FETCH(heddle_tex2DLayeredLod, "tex.level.a2d", "f32", "{%5, %6, %7, %7}], %8",
             (float x, float y, int layer, float level), "r"(layer), "f"(x), "f"(y), "f"(level))
HEDDLE_FETCH(heddle_texCubemapLod, "tex.level.cube", "f32", "{%5, %6, %7, %7}], %8",
             (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
HEDDLE_FETCH(heddle_texCubemapLayeredLod, "tex.level.acube", "f32", "{%5, %6, %7, %8}], %9",
             (float x, float y, float z, int layer, float level),
             "r"(layer), "f"(x), "f"(y), "f"(z), "f"(level))
HEDDLE_FETCH(heddle_tex1DGrad, "tex.grad.1d", "f32", "{%5}], {%6}, {%7}",
             (float x, float dx, float dy), "f"(x), "f"(dx), "f"(dy))
HEDDLE_FETCH(heddle_tex1DLayeredGrad, "tex.grad.a1d", "f32", "{%5, %6}], {%7}, {%8}",
             (float x, int layer, float dx, float dy), "r"(layer), "f"(x), "f"(dx), "f"(dy))
HEDDLE_FETCH(heddle_tex2DGrad, "tex.grad.2d", "f32", "{%5, %6}], {%7, %8}, {%9, %10}",
             (float x, float y, float2 dx, float2 dy),
             "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
HEDDLE_FETCH(heddle_tex2DLayeredGrad, "tex.grad.a2d", "f32",
             "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
             (float x, float y, int layer, float2 dx, float2 dy),
             "r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
HEDDLE_FETCH(heddle_tex3DGrad, "tex.grad.3d", "f32",
             "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
             (float x, float y, float z, float4 dx, float4 dy),
             "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
             "f"(dy.z))
HEDDLE_FETCH(heddle_texCubemapGrad, "tex.grad.cube", "f32",
             "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
             (float x, float y, float z, float4 dx, float4 dy),
             "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
             "f"(dy.z))
HEDDLE_FETCH(heddle_texCubemapLayeredGrad, "tex.grad.acube", "f32",
             "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
             (float x, float y, float z, int layer, float4 dx, float4 dy),
             "r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
             "f"(dy.y), "f"(dy.z))
HEDDLE_FETCH(heddle_gather0, "tld4.r.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
HEDDLE_FETCH(heddle_gather1, "tld4.g.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
HEDDLE_FETCH(heddle_gather2, "tld4.b.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
HEDDLE_FETCH(heddle_gather3, "tld4.a.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
#undef HEDDLE_FETCH_AS
#undef HEDDLE_FETCH

// CUDA's functions: the value is the result, or is stored through the first argument.
#define HEDDLE_TEXTURE(name, parameters, ...)                                                      \
    template <typename T>                                                                          \
    static __device__ __forceinline__ T name(cudaTextureObject_t texture, HEDDLE_ARGS parameters)  \
    {                                                                                              \
        typename HeddleTexel<T>::Four four;                                                        \
        heddle_##name(&four, texture, __VA_ARGS__);                                                \
        return HeddleTexel<T>::take(four);                                                         \
    }                                                                                              \
    template <typename T>                                                                          \
    static __device__ __forceinline__ void name(T *value, cudaTextureObject_t texture,             \
                                                HEDDLE_ARGS parameters)                            \
    {                                                                                              \
        *value = name<T>(texture, __VA_ARGS__);                                                    \
    }
HEDDLE_TEXTURE(tex1Dfetch, (int x), x)
HEDDLE_TEXTURE(tex1D, (float x), x)
HEDDLE_TEXTURE(tex2D, (float x, float y), x, y)
HEDDLE_TEXTURE(tex3D, (float x, float y, float z), x, y, z)
HEDDLE_TEXTURE(tex1DLayered, (float x, int layer), x, layer)
HEDDLE_TEXTURE(tex2DLayered, (float x, float y, int layer), x, y, layer)
HEDDLE_TEXTURE(texCubemap, (float x, float y, float z), x, y, z)
HEDDLE_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), x, y, z, layer)
HEDDLE_TEXTURE(tex1DLod, (float x, float level), x, level)
HEDDLE_TEXTURE(tex2DLod, (float x, float y, float level), x, y, level)
HEDDLE_TEXTURE(tex3DLod, (float x, float y, float z, float level), x, y, z, level)
HEDDLE_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), x, layer, level)
HEDDLE_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), x, y, layer, level)
HEDDLE_TEXTURE(texCubemapLod, (float x, float y, float z, float level), x, y, z, level)
HEDDLE_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), x, y, z,
               layer, level)
HEDDLE_TEXTURE(tex1DGrad, (float x, float dx, float dy), x, dx, dy)
HEDDLE_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dx, float dy), x, layer, dx, dy)
HEDDLE_TEXTURE(tex2DGrad, (float x, float y, float2 dx, float2 dy), x, y, dx, dy)
HEDDLE_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), x, y, layer,
               dx, dy)
HEDDLE_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), x, y, z, dx, dy)
HEDDLE_TEXTURE(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), x, y, z, dx, dy)
HEDDLE_TEXTURE(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
               x, y, z, layer, dx, dy)
#undef HEDDLE_TEXTURE
#undef HEDDLE_ARGS

// One component of each of the four elements around a point.
template <typename T>
static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t texture, float x, float y,
                                                int component = 0)
{
    typename HeddleTexel<T>::Four four;
    switch (component) {
    case 1:
        heddle_gather1(&four, texture, x, y);
        break;
    case 2:
        heddle_gather2(&four, texture, x, y);
        break;
    case 3:
        heddle_gather3(&four, texture, x, y);
        break;
    default:
        heddle_gather0(&four, texture, x, y);
    }
    return HeddleTexel<T>::take(four);
}

#endif
