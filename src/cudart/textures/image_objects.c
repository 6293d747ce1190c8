// Texture and surface objects: creation, lookup, destruction.
#include "cudart/textures/image_objects.h"

#include "base/memory.h"
#include "cudart/runtime/process_context.h"

#include <stdlib.h>
#include <string.h>

CudaError image_object_new(const char *call, Handle **list, const TextureResource *resource,
                           const GpuTexture *texture, ImageObject **object)
{
    HdError err = {0};
    ImageObject *o = hd_new(1, sizeof *o);
    if (!o) return cudaErrorMemoryAllocation;
    if (!gpu_texture_create(cudart_gpu(), texture, &o->handle, &err)) {
        cudart_warn("%s: %s", call, err.text);
        free(o);
        return cudaErrorInvalidValue;
    }
    memcpy(&o->resource, resource, RESOURCE_BYTES_12); // the part that older programs have
    handle_add(list, o);
    *object = o;
    return cudaSuccess;
}

ImageObject *image_object_find(Handle *list, uint64_t handle)
{
    while (list && ((ImageObject *)list)->handle != handle) list = list->next;
    return (ImageObject *)list;
}

void image_objects_reset(Handle **list, bool closing)
{
    for (Handle *h = *list; h && !closing; h = h->next)
        gpu_texture_destroy(cudart_gpu(), ((ImageObject *)h)->handle, NULL);
    handles_free(list);
}

CudaError image_object_destroy(Handle **list, uint64_t handle)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (code || !handle) return cudart_leave(code);
    ImageObject *object = image_object_find(*list, handle);
    if (!object) return cudart_leave(cudaErrorInvalidValue);
    handle_remove(list, object);
    if (!gpu_texture_destroy(cudart_gpu(), handle, NULL)) code = cudaErrorInvalidValue;
    free(object);
    return cudart_leave(code);
}

CudaError image_object_resource(Handle **list, uint64_t handle, void *resource)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    const ImageObject *object = code ? NULL : image_object_find(*list, handle);
    if (!code && (!resource || !object)) code = cudaErrorInvalidValue;
    size_t bytes = cudart_version < 13000 ? (size_t)RESOURCE_BYTES_12 : sizeof object->resource;
    if (!code) memcpy(resource, &object->resource, bytes);
    return cudart_leave(code);
}
