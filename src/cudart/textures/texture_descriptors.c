// CUDA's descriptions of resources and sampling become the fields of a GpuTexture.
#include "cudart/textures/texture_descriptors.h"

#include "cudart/runtime/unsupported.h"

#include <string.h>

bool texture_set_channels(const CudaChannels *channels, GpuTexture *texture)
{
    if (!channels_bytes(channels)) return false;
    for (int i = 0; i < 4; i++) texture->bits[i] = (uint8_t)channels->bits[i];
    texture->channel = channels->kind == CHANNEL_KIND_SIGNED     ? CHANNEL_SIGNED
                       : channels->kind == CHANNEL_KIND_UNSIGNED ? CHANNEL_UNSIGNED
                                                                 : CHANNEL_FLOAT;
    return true;
}

void texture_set_array(CudaArray array, GpuTexture *texture)
{
    CudaExtent e = array->extent;
    bool layers = array->flags & ARRAY_LAYERED;
    texture->kind = array->flags & ARRAY_CUBE ? TEXTURE_CUBE
                    : layers                  ? e.height ? TEXTURE_LAYERS_2D : TEXTURE_LAYERS_1D
                    : e.depth                 ? TEXTURE_3D
                    : e.height                ? TEXTURE_2D
                                              : TEXTURE_1D;
    texture->address = (uint64_t)array->memory;
    texture->width = (uint32_t)e.width;
    texture->height = (uint32_t)e.height;
    texture->depth = (uint32_t)e.depth;
    texture->pitch = array->pitch;
    texture_set_channels(&array->channels, texture);
}

CudaError texture_set_resource(const char *call, const TextureResource *r, GpuTexture *texture)
{
    size_t texel;
    switch (r->type) {
    case RESOURCE_ARRAY:
        if (!array_known(r->of.array)) return cudaErrorInvalidResourceHandle;
        texture_set_array(r->of.array, texture);
        return cudaSuccess;
    case RESOURCE_LINEAR:
        texel = channels_bytes(&r->of.linear.channels);
        if (!texture_set_channels(&r->of.linear.channels, texture))
            return cudaErrorInvalidChannelDescriptor;
        texture->kind = TEXTURE_LINEAR;
        texture->address = (uint64_t)r->of.linear.memory;
        if (r->of.linear.bytes / texel > UINT32_MAX) return cudaErrorInvalidValue;
        texture->width = (uint32_t)(r->of.linear.bytes / texel);
        return cudaSuccess;
    case RESOURCE_PITCH:
        if (!texture_set_channels(&r->of.rows.channels, texture))
            return cudaErrorInvalidChannelDescriptor;
        if (r->of.rows.width > UINT32_MAX || r->of.rows.height > UINT32_MAX)
            return cudaErrorInvalidValue;
        texture->kind = TEXTURE_PITCH2D;
        texture->address = (uint64_t)r->of.rows.memory;
        texture->width = (uint32_t)r->of.rows.width;
        texture->height = (uint32_t)r->of.rows.height;
        texture->pitch = r->of.rows.pitch;
        return cudaSuccess;
    case RESOURCE_MIPMAPS:
        return unsupported_part(call, "mipmapped arrays", "use an array of one level");
    default: return cudaErrorInvalidValue;
    }
}

CudaError texture_set_sampling(const char *call, const CudaTexture *sampling, GpuTexture *texture)
{
    if (sampling->srgb) return unsupported_part(call, "sRGB textures", "convert in the kernel");
    for (int axis = 0; axis < 3; axis++) {
        if ((unsigned)sampling->mode[axis] > TEXTURE_BORDER) return cudaErrorInvalidValue;
        texture->mode[axis] = (TextureMode)sampling->mode[axis];
    }
    texture->linear = sampling->filter;
    texture->normalized_float = sampling->read_normalised;
    texture->normalized_coordinates = sampling->normalised;
    memcpy(texture->border, sampling->border, sizeof texture->border);
    return cudaSuccess;
}
