// The API of texture objects.
#include "cudart/textures/texture_descriptors.h"

#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/runtime/unsupported.h"
#include "cudart/textures/image_objects.h"

#include <string.h>

static Handle **textures(void) { return &cudart_state()->textures; }

void textures_reset(bool closing) { image_objects_reset(textures(), closing); }

static CudaError create(const char *call, uint64_t *handle, const TextureResource *resource,
                        const CudaTexture *how, const TextureView *view)
{
    if (!handle || !resource || !how) return cudaErrorInvalidValue;
    if (view && view->format) return unsupported_part(call, "resource views", "pass NULL");
    GpuTexture texture = {0};
    CudaError code = texture_set_resource(call, resource, &texture);
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
