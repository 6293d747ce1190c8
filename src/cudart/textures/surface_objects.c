// The API of surface objects, and of the surface references of CUDA 11.
#include "cudart/textures/surface_objects.h"

#include "cudart/modules/cuda_modules.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/textures/image_objects.h"

static Handle **surfaces(void) { return &cudart_state()->surfaces; }

void surfaces_reset(bool closing) { image_objects_reset(surfaces(), closing); }

static CudaError describe(const char *call, CudaArray array, GpuTexture *surface)
{
    if (!array_known(array)) return cudaErrorInvalidResourceHandle;
    if (!(array->flags & ARRAY_SURFACE)) {
        cudart_warn("%s: expected an array that was allocated with cudaArraySurfaceLoadStore",
                    call);
        return cudaErrorInvalidValue;
    }
    texture_set_array(array, surface);
    surface->surface = true;
    return cudaSuccess;
}

// ---- objects ----

static CudaError create(uint64_t *handle, const TextureResource *resource)
{
    static const char call[] = "cudaCreateSurfaceObject";
    if (!handle || !resource) return cudaErrorInvalidValue;
    if (resource->type != RESOURCE_ARRAY) {
        cudart_warn("%s: resource type %d: expected cudaResourceTypeArray", call, resource->type);
        return cudaErrorInvalidValue;
    }
    GpuTexture surface = {0};
    ImageObject *object;
    CudaError code = describe(call, resource->of.array, &surface);
    if (!code) code = image_object_new(call, surfaces(), resource, &surface, &object);
    if (!code) *handle = object->handle;
    return code;
}

CUDART_API CudaError cudaCreateSurfaceObject(uint64_t *handle, const TextureResource *resource)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = create(handle, resource);
    return cudart_leave(code);
}

CUDART_API CudaError cudaDestroySurfaceObject(uint64_t handle)
{
    return image_object_destroy(surfaces(), handle);
}

CUDART_API CudaError cudaGetSurfaceObjectResourceDesc(void *resource, uint64_t handle)
{
    return image_object_resource(surfaces(), handle, resource);
}

// ---- references ----

CUDART_API CudaError cudaBindSurfaceToArray(const void *reference, CudaArray array,
                                            const CudaChannels *channels)
{
    static const char call[] = "cudaBindSurfaceToArray";
    CudaError code = cudart_enter(CALL_SYNC);
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
        cudart_warn("%s: %s", call, err.text);
        code = cudaErrorInvalidSurface;
    }
    return cudart_leave(code);
}

// A symbol's reference is the symbol itself.
CUDART_API CudaError cudaGetSurfaceReference(const void **reference, const void *symbol)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !reference) code = cudaErrorInvalidValue;
    if (!code && !texture_find(symbol)) code = cudaErrorInvalidSurface;
    if (!code) *reference = symbol;
    return cudart_leave(code);
}
