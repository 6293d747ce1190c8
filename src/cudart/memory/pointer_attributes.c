// The API of pointer attributes.
#include "cudart/memory/transfer.h"

#include "cudart/memory/device_memory.h"
#include "cudart/memory/host_memory.h"
#include "cudart/runtime/process_context.h"

#include <string.h>

enum { POINTER_UNKNOWN, POINTER_HOST, POINTER_DEVICE, POINTER_MANAGED };
enum { DEVICE_NONE = -2, BYTES_12 = 24 };

// A layout of CUDA's; before CUDA 13 without the reserved field.
typedef struct PointerAttributes {
    int type, device;
    void *on_device, *on_host;
    long reserved[8];
} PointerAttributes;
_Static_assert(sizeof(PointerAttributes) == 88, "the layout is CUDA's");
_Static_assert(offsetof(PointerAttributes, reserved) == BYTES_12, "the layout is CUDA's");

static PointerAttributes attributes_of(void *pointer)
{
    uint64_t address;
    if (host_memory_registered(pointer, &address))
        return (PointerAttributes){POINTER_HOST, 0, (void *)address, pointer, {0}};
    uint64_t base, bytes;
    if (!guest_range(gpu_memory(cudart_gpu()), (uint64_t)pointer, &base, &bytes))
        return (PointerAttributes){POINTER_UNKNOWN, DEVICE_NONE, NULL, pointer, {0}};
    // Allocations have a kind; a module's variables are device memory.
    const RtAllocation *a = memory_find_allocation((const void *)base);
    if (a && a->kind == MEMORY_MANAGED)
        return (PointerAttributes){POINTER_MANAGED, 0, pointer, pointer, {0}};
    if (a && a->kind == MEMORY_HOST)
        return (PointerAttributes){POINTER_HOST, 0, pointer, pointer, {0}};
    return (PointerAttributes){POINTER_DEVICE, 0, pointer, NULL, {0}};
}

CUDART_API CudaError cudaPointerGetAttributes(void *attributes, const void *pointer)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !attributes) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    PointerAttributes all = attributes_of((void *)pointer);
    memcpy(attributes, &all, cudart_version < 13000 ? (size_t)BYTES_12 : sizeof all);
    return cudart_leave(code);
}
