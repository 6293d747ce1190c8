// Surface objects, and the surface references that CUDA 11 still has.
#include "cudart/surfaces.h"

#include "base/memory.h"
#include "cudart/context.h"
#include "cudart/modules.h"
#include "cudart/textures.h"

#include <stdlib.h>
#include <string.h>

typedef struct SurfaceObject {
    struct SurfaceObject *next;
    uint64_t handle;
    TextureResource resource;
} SurfaceObject;

static SurfaceObject *objects; // under the context's lock

void surfaces_reset(bool gone)
{
    while (objects) {
        SurfaceObject *next = objects->next;
        if (!gone) gpu_texture_destroy(cudart_gpu(), objects->handle, NULL);
        free(objects);
        objects = next;
    }
}

static CudaError describe(const char *call, CudaArray array, GpuTexture *surface)
{
    if (!array_known(array)) return cudaErrorInvalidResourceHandle;
    if (!(array->flags & ARRAY_SURFACE)) {
        cudart_say("%s: the array was not made for surfaces; pass cudaArraySurfaceLoadStore to "
                   "cudaMallocArray",
                   call);
        return cudaErrorInvalidValue;
    }
    texture_array(array, surface);
    surface->surface = true;
    return cudaSuccess;
}

// ---- objects ----

static CudaError create(uint64_t *handle, const TextureResource *resource)
{
    static const char call[] = "cudaCreateSurfaceObject";
    if (!handle || !resource) return cudaErrorInvalidValue;
    if (resource->type != RESOURCE_ARRAY) {
        cudart_say("%s: a surface is an array, not plain memory", call);
        return cudaErrorInvalidValue;
    }
    GpuTexture surface = {0};
    HdError err = {0};
    CudaError code = describe(call, resource->of.array, &surface);
    SurfaceObject *object = code ? NULL : hd_new(1, sizeof *object);
    if (!code && !object) code = cudaErrorMemoryAllocation;
    if (!code && !gpu_texture_create(cudart_gpu(), &surface, &object->handle, &err)) {
        cudart_say("%s: %s", call, err.text);
        code = cudaErrorInvalidValue;
    }
    if (code) {
        free(object);
        return code;
    }
    memcpy(&object->resource, resource, RESOURCE_BYTES_12); // what older programs have of it
    object->next = objects;
    objects = object;
    *handle = object->handle;
    return cudaSuccess;
}

CUDART_API CudaError cudaCreateSurfaceObject(uint64_t *handle, const TextureResource *resource)
{
    CudaError code = cudart_enter(CALL_WAITS);
    if (!code) code = create(handle, resource);
    return cudart_leave(code);
}

static SurfaceObject **find(uint64_t handle)
{
    SurfaceObject **at = &objects;
    while (*at && (*at)->handle != handle) at = &(*at)->next;
    return at;
}

CUDART_API CudaError cudaDestroySurfaceObject(uint64_t handle)
{
    CudaError code = cudart_enter(CALL_WAITS);
    if (code || !handle) return cudart_leave(code);
    SurfaceObject **at = find(handle), *object = *at;
    if (!object) return cudart_leave(cudaErrorInvalidValue);
    *at = object->next;
    HdError err = {0};
    if (!gpu_texture_destroy(cudart_gpu(), handle, &err)) code = cudaErrorInvalidValue;
    free(object);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetSurfaceObjectResourceDesc(void *resource, uint64_t handle)
{
    CudaError code = cudart_enter(CALL_QUEUES);
    const SurfaceObject *object = code ? NULL : *find(handle);
    if (!code && (!resource || !object)) code = cudaErrorInvalidValue;
    size_t bytes = cudart_version < 13000 ? (size_t)RESOURCE_BYTES_12 : sizeof object->resource;
    if (!code) memcpy(resource, &object->resource, bytes);
    return cudart_leave(code);
}

// ---- references ----

CUDART_API CudaError cudaBindSurfaceToArray(const void *reference, CudaArray array,
                                            const CudaChannels *channels)
{
    static const char call[] = "cudaBindSurfaceToArray";
    CudaError code = cudart_enter(CALL_WAITS);
    GpuTexture surface = {0};
    HdError err = {0};
    uint64_t handle;
    RtTexture *known;
    const PtxModule *module;
    if (!code && !channels) code = cudaErrorInvalidValue;
    if (!code) code = describe(call, array, &surface);
    if (!code && texture_use(reference, &known, &module)) code = cudaErrorInvalidSurface;
    if (!code && (!gpu_texture_reference(cudart_gpu(), module, known->name, &handle, &err) ||
                  !gpu_texture_bind(cudart_gpu(), handle, &surface, &err))) {
        cudart_say("%s: %s", call, err.text);
        code = cudaErrorInvalidSurface;
    }
    return cudart_leave(code);
}

// The symbol is the reference.
CUDART_API CudaError cudaGetSurfaceReference(const void **reference, const void *symbol)
{
    CudaError code = cudart_enter(CALL_QUEUES);
    if (!code && !reference) code = cudaErrorInvalidValue;
    if (!code && !texture_find(symbol)) code = cudaErrorInvalidSurface;
    if (!code) *reference = symbol;
    return cudart_leave(code);
}
