// Texture objects: what the program describes becomes a texture of the GPU.
#include "cudart/textures.h"

#include "cudart/context.h"
#include "cudart/families.h"
#include "cudart/texture_objects.h"
#include "cudart/unsupported.h"

#include <string.h>

static Handle **textures(void) { return &cudart_state()->textures; }

void textures_reset(bool gone) { image_objects_reset(textures(), gone); }

// ---- descriptions ----

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

static CudaError describe_resource(const char *call, const TextureResource *r, GpuTexture *texture)
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
        return unsupported_part(call, "levels of detail", "use an array of one level");
    default: return cudaErrorInvalidValue;
    }
}

CudaError texture_set_sampling(const char *call, const CudaTexture *how, GpuTexture *texture)
{
    if (how->srgb) return unsupported_part(call, "sRGB", "convert in the kernel");
    for (int axis = 0; axis < 3; axis++) {
        if ((unsigned)how->mode[axis] > TEXTURE_BORDER) return cudaErrorInvalidValue;
        texture->mode[axis] = (TextureMode)how->mode[axis];
    }
    texture->linear = how->filter;
    texture->normalized_float = how->read_normalised;
    texture->normalized_coordinates = how->normalised;
    memcpy(texture->border, how->border, sizeof texture->border);
    return cudaSuccess;
}

// ---- the API ----

static CudaError create(const char *call, uint64_t *handle, const TextureResource *resource,
                        const CudaTexture *how, const TextureView *view)
{
    if (!handle || !resource || !how) return cudaErrorInvalidValue;
    if (view && view->format) return unsupported_part(call, "views of a resource", "pass none");
    GpuTexture texture = {0};
    CudaError code = describe_resource(call, resource, &texture);
    if (!code) code = texture_set_sampling(call, how, &texture);
    ImageObject *object;
    if (!code) code = image_object_new(call, textures(), resource, &texture, &object);
    if (code) return code;
    memcpy(&object->how, how, CUDA_TEXTURE_BYTES_11);
    object->has_view = view;
    if (view) memcpy(&object->view, view, VIEW_BYTES_12);
    *handle = object->handle;
    return cudaSuccess;
}

CUDART_API CudaError cudaCreateTextureObject(uint64_t *handle, const TextureResource *resource,
                                             const CudaTexture *how, const TextureView *view)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = create("cudaCreateTextureObject", handle, resource, how, view);
    return cudart_leave(code);
}
CUDART_ALIAS(cudaCreateTextureObject_v2, cudaCreateTextureObject);

CUDART_API CudaError cudaDestroyTextureObject(uint64_t handle)
{
    return image_object_destroy(textures(), handle);
}

CUDART_API CudaError cudaGetTextureObjectResourceDesc(void *resource, uint64_t handle)
{
    return image_object_resource(textures(), handle, resource);
}

static CudaError get(void *to, uint64_t handle, const ImageObject **object)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    *object = code ? NULL : image_object_find(*textures(), handle);
    return code ? code : to && *object ? cudaSuccess : cudaErrorInvalidValue;
}

CUDART_API CudaError cudaGetTextureObjectTextureDesc_v2(CudaTexture *how, uint64_t handle)
{
    const ImageObject *object;
    CudaError code = get(how, handle, &object);
    if (!code) *how = object->how;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetTextureObjectTextureDesc(void *how, uint64_t handle)
{
    const ImageObject *object;
    CudaError code = get(how, handle, &object);
    size_t bytes = cudart_version < 12000 ? (size_t)CUDA_TEXTURE_BYTES_11 : sizeof object->how;
    if (!code) memcpy(how, &object->how, bytes);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetTextureObjectResourceViewDesc(void *view, uint64_t handle)
{
    const ImageObject *object;
    CudaError code = get(view, handle, &object);
    if (!code && !object->has_view) code = cudaErrorInvalidValue;
    size_t bytes = cudart_version < 13000 ? (size_t)VIEW_BYTES_12 : sizeof object->view;
    if (!code) memcpy(view, &object->view, bytes);
    return cudart_leave(code);
}
