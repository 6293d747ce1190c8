// The API of host memory that is allocated or registered for kernels.
#include "cudart/memory/host_memory.h"

#include "base/memory.h"
#include "cudart/memory/device_memory.h"
#include "cudart/memory/transfer.h"
#include "cudart/runtime/runtime_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALLOC_FLAGS = 7, REGISTER_FLAGS = 15, PAGE = 4096 };

// Registered memory; or memory that the runtime allocated, if guest addresses differ from host
// addresses.
typedef struct HostRange {
    Handle handle;
    char *start;
    size_t bytes;
    unsigned flags;
    bool owned;      // allocated by the runtime
    uint64_t mirror; // address of the mirror in guest memory; 0: there is none
} HostRange;

static Handle **ranges(void) { return &cudart_state()->host_ranges; }

static HostRange *range_around(const void *pointer)
{
    for (Handle *h = *ranges(); h; h = h->next) {
        HostRange *r = (HostRange *)h;
        if ((uintptr_t)pointer - (uintptr_t)r->start < r->bytes) return r;
    }
    return NULL;
}

static HostRange *range_add(HostRange range)
{
    HostRange *r = hd_new(1, sizeof *r);
    if (!r) return NULL;
    *r = range;
    handle_add(ranges(), r);
    return r;
}

static void range_remove(HostRange *range, bool release_mirror)
{
    handle_remove(ranges(), range);
    if (release_mirror && range->mirror) gpu_release(cudart_gpu(), range->mirror, NULL);
    if (range->owned) free(range->start);
    free(range);
}

void host_memory_reset(void)
{
    while (*ranges()) range_remove((HostRange *)*ranges(), false);
}

bool host_memory_registered(const void *pointer, uint64_t *device)
{
    const HostRange *r = range_around(pointer);
    *device = r && r->mirror ? r->mirror + (uint64_t)((const char *)pointer - r->start) : 0;
    return r;
}

// ---- mirrors ----

void host_memory_before_launch(void)
{
    for (const Handle *h = *ranges(); h; h = h->next) {
        const HostRange *r = (const HostRange *)h;
        if (r->mirror)
            memcpy(guest_host(gpu_memory(cudart_gpu()), r->mirror), r->start, r->bytes);
    }
}

// Copies back only the pages that the kernel changed, because other threads of the program may be
// writing to other pages.
void host_memory_after_launch(void)
{
    for (const Handle *h = *ranges(); h; h = h->next) {
        const HostRange *r = (const HostRange *)h;
        if (!r->mirror) continue;
        const uint8_t *from = guest_host(gpu_memory(cudart_gpu()), r->mirror);
        for (size_t at = 0; at < r->bytes; at += PAGE) {
            size_t part = r->bytes - at < PAGE ? r->bytes - at : PAGE;
            if (memcmp(r->start + at, from + at, part)) memcpy(r->start + at, from + at, part);
        }
    }
}

static CudaError make_mirror(HostRange *range)
{
    char name[48];
    HdError err = {0};
    if (range->mirror) return cudaSuccess;
    snprintf(name, sizeof name, "cudaHostRegister #%u", ++cudart_state()->mirror_count);
    range->mirror = gpu_allocate(cudart_gpu(), range->bytes, name, &err);
    if (range->mirror &&
        guest_take(gpu_memory(cudart_gpu()), range->mirror, range->bytes, &err))
        return cudaSuccess;
    if (range->mirror) gpu_release(cudart_gpu(), range->mirror, NULL);
    range->mirror = 0;
    cudart_warn("cudaHostGetDevicePointer: %s", err.text);
    return cudaErrorMemoryAllocation;
}

// ---- allocated ----

static CudaError allocate(const char *call, void **pointer, size_t bytes, unsigned flags)
{
    if (!pointer || flags & ~(unsigned)ALLOC_FLAGS) return cudaErrorInvalidValue;
    *pointer = NULL;
    if (!bytes) return cudaSuccess;
    if (guest_is_identity_mapped(gpu_memory(cudart_gpu()))) {
        CudaError code = memory_allocate(call, MEMORY_HOST, bytes, pointer);
        if (!code) memory_find_allocation(*pointer)->flags = flags;
        return code;
    }
    if (bytes > SIZE_MAX - PAGE) return cudaErrorMemoryAllocation;
    char *own = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    HostRange range = {.start = own, .bytes = bytes, .flags = flags, .owned = true};
    if (!own || !range_add(range)) {
        free(own);
        return cudaErrorMemoryAllocation;
    }
    memset(own, 0, bytes);
    *pointer = own;
    return cudaSuccess;
}

CUDART_API CudaError cudaMallocHost(void **pointer, size_t bytes)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = allocate("cudaMallocHost", pointer, bytes, 0);
    return cudart_leave(code);
}

CUDART_API CudaError cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = allocate("cudaHostAlloc", pointer, bytes, flags);
    return cudart_leave(code);
}

CUDART_API CudaError cudaFreeHost(void *pointer)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (code || !pointer) return cudart_leave(code);
    HostRange *range = range_around(pointer);
    const RtAllocation *allocation = memory_find_allocation(pointer);
    if (range && range->owned && range->start == pointer)
        range_remove(range, true);
    else if (allocation && allocation->kind == MEMORY_HOST)
        code = memory_release("cudaFreeHost", pointer);
    else {
        cudart_warn("cudaFreeHost(%p): expected memory of cudaMallocHost or cudaHostAlloc",
                    pointer);
        code = cudaErrorInvalidValue;
    }
    return cudart_leave(code);
}

// ---- registered ----

CUDART_API CudaError cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code && (!pointer || !bytes || flags & ~(unsigned)REGISTER_FLAGS))
        code = cudaErrorInvalidValue;
    if (!code && is_device_address(pointer)) code = cudaErrorHostMemoryAlreadyRegistered;
    for (const Handle *h = *ranges(); !code && h; h = h->next) {
        const HostRange *r = (const HostRange *)h;
        if ((uintptr_t)r->start < (uintptr_t)pointer + bytes &&
            (uintptr_t)pointer < (uintptr_t)r->start + r->bytes)
            code = cudaErrorHostMemoryAlreadyRegistered;
    }
    HostRange range = {.start = pointer, .bytes = bytes, .flags = flags};
    if (!code && !range_add(range)) code = cudaErrorMemoryAllocation;
    return cudart_leave(code);
}

CUDART_API CudaError cudaHostUnregister(void *pointer)
{
    CudaError code = cudart_enter(CALL_SYNC);
    HostRange *range = code ? NULL : range_around(pointer);
    if (!code && (!range || range->owned || range->start != pointer))
        code = cudaErrorHostMemoryNotRegistered;
    if (!code) range_remove(range, true);
    return cudart_leave(code);
}

// ---- queries ----

// The runtime's allocation of host memory that contains the address, and its start; NULL: none.
static const RtAllocation *host_allocation(const void *pointer, const char **start)
{
    uint64_t base, bytes;
    if (!guest_range(gpu_memory(cudart_gpu()), (uint64_t)pointer, &base, &bytes)) return NULL;
    *start = (const char *)base;
    const RtAllocation *allocation = memory_find_allocation(*start);
    return allocation && allocation->kind == MEMORY_HOST ? allocation : NULL;
}

CUDART_API CudaError cudaHostGetDevicePointer(void **device, void *pointer, unsigned flags)
{
    CudaError code = cudart_enter(CALL_SYNC);
    const char *start;
    if (!code && (!device || !pointer || flags)) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    HostRange *range = range_around(pointer);
    if (range) {
        uint64_t address;
        code = make_mirror(range);
        if (!code && host_memory_registered(pointer, &address)) *device = (void *)address;
    } else if (host_allocation(pointer, &start)) {
        *device = pointer;
    } else {
        cudart_warn("cudaHostGetDevicePointer(%p): expected memory of cudaHostAlloc, "
                    "cudaMallocHost or cudaHostRegister", pointer);
        code = cudaErrorInvalidValue;
    }
    return cudart_leave(code);
}

CUDART_API CudaError cudaHostGetFlags(unsigned *flags, void *pointer)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    const char *start;
    if (!code && !flags) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    const HostRange *range = range_around(pointer);
    const RtAllocation *allocation = range ? NULL : host_allocation(pointer, &start);
    if (range || allocation)
        *flags = range ? range->flags : allocation->flags;
    else
        code = cudaErrorInvalidValue;
    return cudart_leave(code);
}
