// Device memory: cudaMalloc, cudaFree and their variants.
#include "cudart/memory/device_memory.h"

#include "base/bits.h"
#include "base/memory.h"
#include "cudart/memory/transfer.h"
#include "cudart/report/allocation_sites.h"
#include "cudart/runtime/process_context.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PITCH_ALIGN = 512 }; // bytes, as on all GPUs since Kepler

CudaError memory_allocate(const char *call, MemoryKind kind, size_t bytes, void **pointer)
{
    Allocations *all = cudart_allocations();
    char name[64];
    snprintf(name, sizeof name, "%s #%u", call, ++all->made);
    allocation_site_record(all->made);
    HdError err = {0};
    uint64_t address = gpu_allocate(cudart_gpu(), bytes, name, &err);
    if (!address) {
        cudart_warn("%s of %zu bytes: %s", call, bytes, err.text);
        return cudaErrorMemoryAllocation;
    }
    RtAllocation *allocation = hd_new(1, sizeof *allocation);
    if (!allocation || !pointer_map_put(&all->live, (void *)address, allocation)) {
        free(allocation);
        gpu_release(cudart_gpu(), address, NULL);
        return cudaErrorMemoryAllocation;
    }
    *allocation = (RtAllocation){.bytes = bytes, .kind = kind};
    *pointer = (void *)address;
    return cudaSuccess;
}

CudaError memory_allocate_for_graph(const char *call, size_t bytes, void **pointer)
{
    CudaError code = memory_allocate(call, MEMORY_DEVICE, bytes, pointer);
    if (!code) memory_find_allocation(*pointer)->of_graph = true;
    return code;
}

RtAllocation *memory_find_allocation(const void *pointer)
{
    return pointer_map_get(&cudart_allocations()->live, pointer);
}

bool memory_any_of_host(void)
{
    const PointerMap *live = &cudart_allocations()->live;
    for (size_t i = 0; i < live->size; i++) {
        const RtAllocation *allocation = live->pairs[i].value;
        if (allocation && allocation->kind != MEMORY_DEVICE) return true;
    }
    return false;
}

CudaError memory_release(const char *call, void *pointer)
{
    if (!pointer) return cudaSuccess;
    RtAllocation *allocation = memory_find_allocation(pointer);
    HdError err = {0};
    if (allocation && allocation->of_graph) return cudaSuccess;
    if (allocation && gpu_release(cudart_gpu(), (uint64_t)pointer, &err)) {
        pointer_map_remove(&cudart_allocations()->live, pointer);
        free(allocation);
        return cudaSuccess;
    }
    char near[256] = "it is a host address";
    if (is_device_address(pointer))
        guest_nearest(gpu_memory(cudart_gpu()), (uint64_t)pointer, near, sizeof near);
    cudart_warn("%s(%p): expected the start of an allocation of device memory: %s", call, pointer,
                near);
    return cudaErrorInvalidValue;
}

size_t memory_pitch(size_t width) { return round_up(width, PITCH_ALIGN); }

void memory_reset(bool closing)
{
    PointerMap *live = &cudart_allocations()->live;
    for (size_t i = 0; i < live->size; i++) {
        if (!live->pairs[i].value) continue;
        if (!closing) gpu_release(cudart_gpu(), (uint64_t)live->pairs[i].key, NULL);
        free(live->pairs[i].value);
    }
    pointer_map_free(live);
    if (closing) cudart_allocations()->grid_barrier = 0;
}

// ---- the API ----

// Whether the program has memory at `pointer` that can be written. Also true if the system does not
// let a process ask.
static bool is_writable(void **pointer)
{
    void *value;
    struct iovec own = {&value, sizeof value}, asked = {pointer, sizeof value};
    if (!pointer) return false;
    ssize_t count = process_vm_readv(getpid(), &own, 1, &asked, 1, 0);
    if (count < 0 && errno != EFAULT) return true;
    return count == sizeof value &&
           process_vm_writev(getpid(), &own, 1, &asked, 1, 0) == sizeof value;
}

static CudaError allocate_for(const char *call, void **pointer, size_t bytes)
{
    if (!is_writable(pointer)) {
        cudart_warn("%s: expected the address of a pointer in the program's memory, found %p", call,
                    (void *)pointer);
        return cudaErrorInvalidValue;
    }
    *pointer = NULL; // the result of an allocation of 0 bytes
    return bytes ? memory_allocate(call, MEMORY_DEVICE, bytes, pointer) : cudaSuccess;
}

CUDART_API CudaError cudaMalloc(void **pointer, size_t bytes)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = allocate_for("cudaMalloc", pointer, bytes);
    return cudart_leave(code);
}

CUDART_API CudaError cudaFree(void *pointer)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = memory_release("cudaFree", pointer);
    return cudart_leave(code);
}

// Allocates `rows` rows of `width` bytes.
static CudaError allocate_rows(const char *call, size_t width, size_t rows, void **pointer,
                               size_t *pitch)
{
    size_t bytes;
    if (width > SIZE_MAX - PITCH_ALIGN || __builtin_mul_overflow(memory_pitch(width), rows, &bytes))
        return cudaErrorMemoryAllocation;
    *pitch = memory_pitch(width);
    return allocate_for(call, pointer, bytes);
}

CUDART_API CudaError cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && !pitch) code = cudaErrorInvalidValue;
    if (!code) code = allocate_rows("cudaMallocPitch", width, height, pointer, pitch);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMalloc3D(CudaPitched *pitched, CudaExtent extent)
{
    CudaError code = cudart_enter(CALL_SYNC);
    size_t rows;
    if (!code && !pitched) code = cudaErrorInvalidValue;
    if (!code && __builtin_mul_overflow(extent.height, extent.depth, &rows))
        code = cudaErrorMemoryAllocation;
    if (!code)
        code = allocate_rows("cudaMalloc3D", extent.width, rows, &pitched->ptr, &pitched->pitch);
    if (!code) {
        pitched->xsize = extent.width;
        pitched->ysize = extent.height;
    }
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && (!free_bytes || !total)) code = cudaErrorInvalidValue;
    if (!code) {
        *total = gpu_memory_total(cudart_gpu());
        *free_bytes = gpu_memory_free(cudart_gpu());
    }
    return cudart_leave(code);
}
