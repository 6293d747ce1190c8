// Managed memory: guest memory, which has the same address in the host and in the guest. Nothing
// migrates. Advice and prefetches are checked and stored, and have no other effect.
#include "cudart/memory/device_memory.h"

#include "cudart/runtime/process_context.h"
#include "cudart/streams/streams.h"

#include <string.h>

enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };
enum { DEVICE_HOST = -1, DEVICE_NONE = -2 };

static CudaError allocate(void **pointer, size_t bytes, unsigned flags)
{
    if (!pointer || !bytes || (flags != ATTACH_GLOBAL && flags != ATTACH_HOST))
        return cudaErrorInvalidValue;
    if (!guest_is_identity_mapped(gpu_memory(cudart_gpu()))) {
        cudart_warn("cudaMallocManaged: this process already uses the host addresses from 0x%llx "
                    "on, which managed memory needs (the address sanitizer puts its shadow there)",
                    (unsigned long long)GUEST_GLOBAL_BASE);
        return cudaErrorNotSupported;
    }
    CudaError code = memory_allocate("cudaMallocManaged", MEMORY_MANAGED, bytes, pointer);
    if (!code) memory_find_allocation(*pointer)->flags = flags;
    return code;
}

CUDART_API CudaError cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    CudaError code = cudart_enter(CALL_SYNC);
    if (!code) code = allocate(pointer, bytes, flags);
    return cudart_leave(code);
}

// Finds the managed allocation that contains all of [pointer, pointer + bytes).
static CudaError find_managed(const void *pointer, size_t bytes, RtAllocation **allocation)
{
    uint64_t base, size, address = (uint64_t)pointer;
    if (!pointer || !bytes || !guest_range(gpu_memory(cudart_gpu()), address, &base, &size) ||
        bytes > base + size - address)
        return cudaErrorInvalidValue;
    *allocation = memory_find_allocation((const void *)base);
    bool managed = *allocation && (*allocation)->kind == MEMORY_MANAGED;
    return managed ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- locations ----

// A location of CUDA 13, and of functions with the suffix _v2. Before CUDA 13 a location is a
// device number.
typedef struct CudaLocation {
    int type, id;
} CudaLocation;
_Static_assert(sizeof(CudaLocation) == 8, "the layout is CUDA's: passed in one register");

enum { LOCATION_DEVICE = 1, LOCATION_HOST = 2, LOCATION_HOST_NODE = 3, LOCATION_HOST_NEAR = 4 };

static CudaError device_of(CudaLocation location, int *device)
{
    bool host = location.type >= LOCATION_HOST && location.type <= LOCATION_HOST_NEAR;
    *device = host ? DEVICE_HOST : location.id;
    if (host || (location.type == LOCATION_DEVICE && location.id == 0)) return cudaSuccess;
    return location.type == LOCATION_DEVICE ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
}

static CudaLocation location_of(int device)
{
    return device == DEVICE_HOST ? (CudaLocation){LOCATION_HOST, 0}
                                 : (CudaLocation){LOCATION_DEVICE, device};
}

static CudaError prefetch(const void *pointer, size_t bytes, CudaLocation location,
                          CudaStream stream)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtAllocation *allocation;
    int device;
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    if (!code) code = find_managed(pointer, bytes, &allocation);
    if (!code) code = device_of(location, &device);
    if (!code) allocation->prefetched = device - DEVICE_NONE;
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes,
                                             CudaLocation location, unsigned flags,
                                             CudaStream stream)
{
    (void)flags;
    return prefetch(pointer, bytes, location, stream);
}
CUDART_ALIAS(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_v2);

// Arguments: (pointer, bytes, location, flags, stream) in CUDA 13, before it (pointer, bytes,
// device, stream).
CUDART_API CudaError cudaMemPrefetchAsync(const void *pointer, size_t bytes, uint64_t where,
                                          uint64_t fourth, CudaStream fifth)
{
    if (cudart_version < 13000)
        return prefetch(pointer, bytes, location_of((int)where), (CudaStream)(uintptr_t)fourth);
    CudaLocation location;
    memcpy(&location, &where, sizeof location);
    return prefetch(pointer, bytes, location, fifth);
}
CUDART_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);

// ---- advice ----

enum {
    ADVICE_READ_MOSTLY = 1, ADVICE_NOT_READ_MOSTLY, ADVICE_PREFERRED, ADVICE_NOT_PREFERRED,
    ADVICE_ACCESSED, ADVICE_NOT_ACCESSED
};

static CudaError advise(const void *pointer, size_t bytes, int advice, CudaLocation location)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtAllocation *a;
    int device = DEVICE_NONE;
    if (!code) code = find_managed(pointer, bytes, &a);
    if (!code && (advice < ADVICE_READ_MOSTLY || advice > ADVICE_NOT_ACCESSED))
        code = cudaErrorInvalidValue;
    // The other kinds of advice ignore the location.
    bool placed = advice == ADVICE_PREFERRED || advice >= ADVICE_ACCESSED;
    if (!code && placed) code = device_of(location, &device);
    if (code) return cudart_leave(code);
    if (advice <= ADVICE_NOT_READ_MOSTLY) a->read_mostly = advice == ADVICE_READ_MOSTLY;
    if (advice == ADVICE_PREFERRED) a->preferred = device - DEVICE_NONE;
    if (advice == ADVICE_NOT_PREFERRED) a->preferred = 0;
    if (advice >= ADVICE_ACCESSED && device == 0) a->accessed = advice == ADVICE_ACCESSED;
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice,
                                      CudaLocation location)
{
    return advise(pointer, bytes, advice, location);
}

CUDART_API CudaError cudaMemAdvise(const void *pointer, size_t bytes, int advice, uint64_t where)
{
    CudaLocation location = location_of((int)where);
    if (cudart_version >= 13000) memcpy(&location, &where, sizeof location);
    return advise(pointer, bytes, advice, location);
}

// ---- queries ----

enum RangeAttribute {
    RANGE_READ_MOSTLY = 1, RANGE_PREFERRED, RANGE_ACCESSED, RANGE_PREFETCHED, RANGE_PREFERRED_TYPE,
    RANGE_PREFERRED_ID, RANGE_PREFETCHED_TYPE, RANGE_PREFETCHED_ID
};

static int type_of(int device)
{
    return device == DEVICE_NONE ? 0 : device == DEVICE_HOST ? LOCATION_HOST : LOCATION_DEVICE;
}

static CudaError range_attribute(const RtAllocation *a, int attribute, void *data, size_t bytes)
{
    int preferred = a->preferred + DEVICE_NONE, prefetched = a->prefetched + DEVICE_NONE, value;
    switch (attribute) {
    case RANGE_READ_MOSTLY: value = a->read_mostly; break;
    case RANGE_PREFERRED: value = preferred; break;
    case RANGE_ACCESSED: value = a->accessed ? 0 : DEVICE_NONE; break;
    case RANGE_PREFETCHED: value = prefetched; break;
    case RANGE_PREFERRED_TYPE: value = type_of(preferred); break;
    case RANGE_PREFERRED_ID: value = preferred < 0 ? 0 : preferred; break;
    case RANGE_PREFETCHED_TYPE: value = type_of(prefetched); break;
    case RANGE_PREFETCHED_ID: value = prefetched < 0 ? 0 : prefetched; break;
    default: return cudaErrorInvalidValue;
    }
    bool list = attribute == RANGE_ACCESSED; // a list of devices, padded with DEVICE_NONE
    if (!data || !bytes || bytes % sizeof value || (!list && bytes != sizeof value))
        return cudaErrorInvalidValue;
    int none = DEVICE_NONE;
    for (size_t at = 0; at < bytes; at += sizeof value)
        memcpy((char *)data + at, at ? &none : &value, sizeof value);
    return cudaSuccess;
}

CUDART_API CudaError cudaMemRangeGetAttribute(void *data, size_t bytes, int attribute,
                                              const void *pointer, size_t count)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtAllocation *allocation;
    if (!code) code = find_managed(pointer, count, &allocation);
    if (!code) code = range_attribute(allocation, attribute, data, bytes);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemRangeGetAttributes(void **data, size_t *bytes, const int *attributes,
                                               size_t attribute_count, const void *pointer,
                                               size_t count)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    RtAllocation *allocation;
    if (!code && (!data || !bytes || !attributes || !attribute_count)) code = cudaErrorInvalidValue;
    if (!code) code = find_managed(pointer, count, &allocation);
    for (size_t i = 0; !code && i < attribute_count; i++)
        code = range_attribute(allocation, attributes[i], data[i], bytes[i]);
    return cudart_leave(code);
}
