// Textures as programs describe them. What texture objects and texture references share.
#ifndef HEDDLE_CUDART_TEXTURE_DESCRIPTORS_H
#define HEDDLE_CUDART_TEXTURE_DESCRIPTORS_H

#include "cudart/textures/arrays.h"
#include "gpu/textures.h"

// A layout of CUDA's; the first runtimes of CUDA 11 do not have the last word.
typedef struct CudaTexture {
    int mode[3], filter, read_normalised, srgb;
    float border[4];
    int normalised;
    unsigned anisotropy;
    int level_filter;
    float level_bias, level_least, level_most;
    int no_trilinear, seamless;
} CudaTexture;
enum { CUDA_TEXTURE_BYTES_11 = 68 };
_Static_assert(sizeof(CudaTexture) == 72, "the layout is CUDA's");
_Static_assert(offsetof(CudaTexture, seamless) == CUDA_TEXTURE_BYTES_11, "so is this");

enum { RESOURCE_ARRAY, RESOURCE_MIPMAPS, RESOURCE_LINEAR, RESOURCE_PITCH };

// Layouts of CUDA's; before CUDA 13 a resource ends behind what is used of it.
typedef struct TextureResource {
    int type;
    union {
        CudaArray array;
        struct {
            void *memory;
            CudaChannels channels;
            size_t bytes;
        } linear;
        struct {
            void *memory;
            CudaChannels channels;
            size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned flags;
} TextureResource;
enum { RESOURCE_BYTES_12 = 64 };
_Static_assert(sizeof(TextureResource) == 144, "the layout is CUDA's");
_Static_assert(offsetof(TextureResource, of.rows.pitch) == RESOURCE_BYTES_12 - 8, "so is this");

// Each fills its part of a texture; false: there are no such texels.
CudaError texture_set_resource(const char *call, const TextureResource *resource,
                               GpuTexture *texture);
bool texture_set_channels(const CudaChannels *channels, GpuTexture *texture);
void texture_set_array(CudaArray array, GpuTexture *texture);
CudaError texture_set_sampling(const char *call, const CudaTexture *how, GpuTexture *texture);

// Forgets all objects (cudaDeviceReset), under the lock.
void textures_reset(bool gone);

#endif
