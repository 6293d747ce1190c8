// The API of CUDA arrays: allocation and queries.
#include "cudart/textures/arrays.h"

#include "base/bits.h"
#include "base/memory.h"
#include "cudart/memory/device_memory.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/runtime/unsupported.h"

#include <stdlib.h>

enum { ARRAY_PITCH = 128 }; // bytes: rows start at a cache line

void arrays_reset(void)
{
    handles_free(&cudart_state()->arrays);
}

bool array_known(CudaArray array) { return handle_known(cudart_state()->arrays, array); }

size_t channels_bytes(const CudaChannels *c)
{
    unsigned count = 0;
    while (count < 4 && c->bits[count]) count++;
    for (unsigned i = 0; i < 4; i++)
        if (c->bits[i] != (i < count ? c->bits[0] : 0)) return 0;
    int bits = c->bits[0];
    bool size = bits == 32 || bits == 16 || (bits == 8 && c->kind != CHANNEL_KIND_FLOAT);
    if (!size || count == 3 || (unsigned)c->kind > CHANNEL_KIND_FLOAT) return 0;
    return count * (unsigned)bits / 8;
}

static size_t at_least_one(size_t n) { return n ? n : 1; }

CudaError array_side(const char *call, CudaArray a, CudaPosition at, CudaExtent extent,
                     CopySide *side)
{
    if (!array_known(a)) {
        cudart_warn("%s: %p: expected a CUDA array", call, (void *)a);
        return cudaErrorInvalidResourceHandle;
    }
    size_t width = a->extent.width * a->texel, height = at_least_one(a->extent.height),
           depth = at_least_one(a->extent.depth);
    if (at.x > width || extent.width > width - at.x || at.y > height ||
        extent.height > height - at.y || at.z > depth || extent.depth > depth - at.z) {
        cudart_warn("%s: %zu bytes x %zu rows x %zu slices at (%zu, %zu, %zu): expected a range "
                    "within the array's %zu x %zu x %zu",
                    call, extent.width, extent.height, extent.depth, at.x, at.y, at.z, width,
                    height, depth);
        return cudaErrorInvalidValue;
    }
    const char *start = (const char *)a->memory + at.z * a->slice + at.y * a->pitch + at.x;
    *side = (CopySide){start, a->pitch, a->slice};
    return cudaSuccess;
}

// ---- allocation ----

// Computes the array's pitch and slice size. false: too large for any memory.
static bool compute_sizes(struct CudaArray *a)
{
    size_t width, bytes;
    if (__builtin_mul_overflow(a->extent.width, a->texel, &width) ||
        __builtin_add_overflow(width, (size_t)ARRAY_PITCH, &bytes))
        return false;
    a->pitch = round_up(width, ARRAY_PITCH);
    return !__builtin_mul_overflow(a->pitch, at_least_one(a->extent.height), &a->slice) &&
           !__builtin_mul_overflow(a->slice, at_least_one(a->extent.depth), &bytes);
}

static CudaError check(const char *call, const struct CudaArray *a)
{
    enum { KNOWN = ARRAY_LAYERED | ARRAY_SURFACE | ARRAY_CUBE | ARRAY_GATHER, CUBE_FACES = 6 };
    if (a->flags & ~(unsigned)KNOWN)
        return unsupported_part(call, "sparse and deferred arrays", "allocate a plain array");
    if (!a->texel) {
        cudart_warn("%s: bad channels: expected 1, 2 or 4 channels, all of 8, 16 or 32 bits", call);
        return cudaErrorInvalidChannelDescriptor;
    }
    CudaExtent e = a->extent;
    if (!e.width) return cudaErrorInvalidValue;
    if (a->flags & ARRAY_CUBE)
        return e.width == e.height && e.depth && e.depth % CUBE_FACES == 0 ? cudaSuccess
                                                                           : cudaErrorInvalidValue;
    if (a->flags & ARRAY_LAYERED) return e.depth ? cudaSuccess : cudaErrorInvalidValue;
    return e.depth && !e.height ? cudaErrorInvalidValue : cudaSuccess;
}

static CudaError allocate(const char *call, struct CudaArray wanted, CudaArray *array)
{
    wanted.texel = channels_bytes(&wanted.channels);
    CudaError code = check(call, &wanted);
    if (code) return code;
    CudaArray a = compute_sizes(&wanted) ? hd_new(1, sizeof *a) : NULL;
    if (!a) return cudaErrorMemoryAllocation;
    code = memory_allocate(call, MEMORY_DEVICE,
                           wanted.slice * at_least_one(wanted.extent.depth), &wanted.memory);
    if (code) {
        free(a);
        return code;
    }
    *a = wanted;
    handle_add(&cudart_state()->arrays, a);
    *array = a;
    return cudaSuccess;
}

CUDART_API CudaError cudaMallocArray(CudaArray *array, const CudaChannels *channels, size_t width,
                                     size_t height, unsigned flags)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && (!array || !channels || flags & (ARRAY_LAYERED | ARRAY_CUBE)))
        code = cudaErrorInvalidValue;
    if (!code)
        code = allocate("cudaMallocArray",
                        (struct CudaArray){.channels = *channels, .extent = {width, height, 0},
                                           .flags = flags}, array);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMalloc3DArray(CudaArray *array, const CudaChannels *channels,
                                       CudaExtent extent, unsigned flags)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && (!array || !channels)) code = cudaErrorInvalidValue;
    if (!code)
        code = allocate("cudaMalloc3DArray",
                        (struct CudaArray){.channels = *channels, .extent = extent,
                                           .flags = flags}, array);
    return cudart_leave(code);
}

CUDART_API CudaError cudaFreeArray(CudaArray array)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && array && !array_known(array)) code = cudaErrorInvalidResourceHandle;
    if (code || !array) return cudart_leave(code);
    handle_remove(&cudart_state()->arrays, array);
    code = memory_release("cudaFreeArray", array->memory);
    free(array);
    return cudart_leave(code);
}

// ---- queries ----

CUDART_API CudaChannels cudaCreateChannelDesc(int x, int y, int z, int w, CudaChannelKind kind)
{
    return (CudaChannels){{x, y, z, w}, kind};
}

CUDART_API CudaError cudaGetChannelDesc(CudaChannels *channels, CudaArray array)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !array_known(array)) code = cudaErrorInvalidResourceHandle;
    if (!code && !channels) code = cudaErrorInvalidValue;
    if (!code) *channels = array->channels;
    return cudart_leave(code);
}

CUDART_API CudaError cudaArrayGetInfo(CudaChannels *channels, CudaExtent *extent, unsigned *flags,
                                      CudaArray array)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !array_known(array)) code = cudaErrorInvalidResourceHandle;
    if (code) return cudart_leave(code);
    if (channels) *channels = array->channels;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudart_leave(code);
}
