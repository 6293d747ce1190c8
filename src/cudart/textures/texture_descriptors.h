// Descriptions of textures, which texture objects and texture references share.
#ifndef HEDDLE_CUDART_TEXTURE_DESCRIPTORS_H
#define HEDDLE_CUDART_TEXTURE_DESCRIPTORS_H

#include "cudart/textures/arrays.h"
#include "gpu/texture_handles.h"

// How a texture is sampled. A layout of CUDA's; early runtimes of CUDA 11 lack the last field.
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

// What a texture reads. A layout of CUDA's; before CUDA 13 it ends after the largest union member.
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

// Each function fills the fields of a texture that depend on its argument.
CudaError texture_set_resource(const char *call, const TextureResource *resource,
                               GpuTexture *texture);
// false: the channels are invalid.
bool texture_set_channels(const CudaChannels *channels, GpuTexture *texture);
void texture_set_array(CudaArray array, GpuTexture *texture);
CudaError texture_set_sampling(const char *call, const CudaTexture *sampling, GpuTexture *texture);

// Destroys all texture objects (cudaDeviceReset), under the lock. `closing`: the device is closed
// next.
void textures_reset(bool closing);

#endif
