// Texture references: textures at file scope, which kernels use by name. CUDA 12 removed them, so a
// program of today may use the name `texture` for something else. cuda_runtime.h includes this
// header if HEDDLE_TEXTURE_REFERENCES is defined; a program may also include it itself.
#ifndef HEDDLE_CUDA_TEXTURE_REFERENCES_H
#define HEDDLE_CUDA_TEXTURE_REFERENCES_H

#include "heddle/textures.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2DLayered 0xf2
#define cudaTextureTypeCubemapLayered 0xfc

struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int reserved[14];
};

// The constructors are the host's: on the device it is a handle.
template <typename T, int type = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
    texture(int normalised = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(normalised, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    texture(int normalised, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
            struct cudaChannelFormatDesc channels)
        : textureReference{normalised, filter, {address, address, address}, channels,
                           0, 0, cudaFilterModePoint, 0, 0, 0, 0, {}}
    {
    }
};

// ---- the runtime API ----

extern "C" {
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference,
                            const void *memory, const struct cudaChannelFormatDesc *channels,
                            size_t size);
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference,
                              const void *memory, const struct cudaChannelFormatDesc *channels,
                              size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *reference,
                                   cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *channels);
cudaError_t cudaUnbindTexture(const struct textureReference *reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                          const struct textureReference *reference);
cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol);
}

// A size that is left out means all of the allocation.
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference,
                                          const void *memory,
                                          const struct cudaChannelFormatDesc &channels,
                                          size_t size = 0xffffffff)
{
    return ::cudaBindTexture(offset, &reference, memory, &channels, size);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference,
                                          const void *memory, size_t size = 0xffffffff)
{
    return ::cudaBindTexture(offset, &reference, memory, &reference.channelDesc, size);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference,
                                            const void *memory,
                                            const struct cudaChannelFormatDesc &channels,
                                            size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &reference, memory, &channels, width, height, pitch);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference,
                                            const void *memory, size_t width, size_t height,
                                            size_t pitch)
{
    return ::cudaBindTexture2D(offset, &reference, memory, &reference.channelDesc, width, height,
                               pitch);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &reference,
                                                 cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &channels)
{
    return ::cudaBindTextureToArray(&reference, array, &channels);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &reference,
                                                 cudaArray_const_t array)
{
    struct cudaChannelFormatDesc channels;
    cudaError_t error = ::cudaGetChannelDesc(&channels, array);
    return error ? error : ::cudaBindTextureToArray(&reference, array, &channels);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode> &reference)
{
    return ::cudaUnbindTexture(&reference);
}
template <typename T, int type, enum cudaTextureReadMode mode>
static inline cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, type, mode> &reference)
{
    return ::cudaGetTextureAlignmentOffset(offset, &reference);
}

// ---- fetches ----

// HeddleFetched<T, mode>: what a fetch returns, the element or floats in its place.
template <typename T, enum cudaTextureReadMode mode> struct HeddleFetched {
    typedef T Type;
};
#define HEDDLE_NORMALISED(type, floats)                                                            \
    template <> struct HeddleFetched<type, cudaReadModeNormalizedFloat> {                          \
        typedef floats Type;                                                                       \
    };
#define HEDDLE_NORMALISED_ALL(type, name)                                                          \
    HEDDLE_NORMALISED(type, float)                                                                 \
    HEDDLE_NORMALISED(name##1, float1)                                                             \
    HEDDLE_NORMALISED(name##2, float2)                                                             \
    HEDDLE_NORMALISED(name##4, float4)
HEDDLE_NORMALISED(char, float)
HEDDLE_NORMALISED_ALL(signed char, char)
HEDDLE_NORMALISED_ALL(short, short)
HEDDLE_NORMALISED_ALL(unsigned char, uchar)
HEDDLE_NORMALISED_ALL(unsigned short, ushort)
#undef HEDDLE_NORMALISED_ALL
#undef HEDDLE_NORMALISED

// A fetch by name is one by the reference's handle.
#define HEDDLE_ARGS(...) __VA_ARGS__
#define HEDDLE_REFERENCE(name, type, parameters, ...)                                              \
    template <typename T, enum cudaTextureReadMode mode>                                           \
    static __device__ __forceinline__ typename HeddleFetched<T, mode>::Type name(                  \
        texture<T, type, mode> reference, HEDDLE_ARGS parameters)                                  \
    {                                                                                              \
        cudaTextureObject_t handle;                                                                \
        asm("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));                                    \
        return name<typename HeddleFetched<T, mode>::Type>(handle, __VA_ARGS__);                   \
    }
HEDDLE_REFERENCE(tex1Dfetch, cudaTextureType1D, (int x), x)
HEDDLE_REFERENCE(tex1D, cudaTextureType1D, (float x), x)
HEDDLE_REFERENCE(tex2D, cudaTextureType2D, (float x, float y), x, y)
HEDDLE_REFERENCE(tex3D, cudaTextureType3D, (float x, float y, float z), x, y, z)
HEDDLE_REFERENCE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), x, layer)
HEDDLE_REFERENCE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), x, y, layer)
HEDDLE_REFERENCE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), x, y, z)
HEDDLE_REFERENCE(texCubemapLayered, cudaTextureTypeCubemapLayered,
                 (float x, float y, float z, int layer), x, y, z, layer)
#undef HEDDLE_REFERENCE
#undef HEDDLE_ARGS

#endif
