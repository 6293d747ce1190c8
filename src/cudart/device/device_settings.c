// What a program sets of its device and reads back: flags, limits, preferred sizes of caches; and
// other devices, of which there is none. Where a setting means nothing to the simulated machine it
// is kept only to be told again.
#include "cudart/device/device_settings.h"

#include "cudart/runtime/context.h"
#include "cudart/runtime/runtime_state.h"

#include <string.h>

enum {
    LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP, LIMIT_SYNC_DEPTH, LIMIT_PENDING, LIMIT_FETCH,
    LIMIT_PERSISTING
};
static const size_t first_limits[DEVICE_LIMITS] = {
    [LIMIT_STACK] = 1024,   [LIMIT_PRINTF] = 1 << 20, [LIMIT_HEAP] = 8 << 20,
    [LIMIT_PENDING] = 2048, [LIMIT_FETCH] = 64,
};

static DeviceSettings *kept(void) { return &cudart_state()->device; }

void device_settings_reset(void) { *kept() = (DeviceSettings){0}; }

static size_t *limits(void)
{
    DeviceSettings *k = kept();
    if (!k->limits_set) memcpy(k->limits, first_limits, sizeof first_limits);
    k->limits_set = true;
    return k->limits;
}

// ---- limits ----

CUDART_API CudaError cudaDeviceGetLimit(size_t *value, int limit)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !value) code = cudaErrorInvalidValue;
    if (!code && (limit < 0 || limit >= DEVICE_LIMITS || limit == LIMIT_SYNC_DEPTH))
        code = cudaErrorUnsupportedLimit;
    if (!code) *value = limits()[limit];
    return cudart_leave(code);
}
CUDART_ALIAS(cudaThreadGetLimit, cudaDeviceGetLimit);

// The others mean nothing to the machine: what printf gives is not kept in a buffer, and the stack
// is core.local.
static CudaError set_heap(size_t bytes)
{
    HdError err = {0};
    if (gpu_set_heap(cudart_gpu(), bytes, &err)) return cudaSuccess;
    cudart_warn("cudaDeviceSetLimit(cudaLimitMallocHeapSize, %zu): %s", bytes, err.text);
    return cudaErrorInvalidValue;
}

CUDART_API CudaError cudaDeviceSetLimit(int limit, size_t value)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (limit < 0 || limit >= DEVICE_LIMITS || limit == LIMIT_SYNC_DEPTH))
        code = cudaErrorUnsupportedLimit;
    if (!code && limit == LIMIT_HEAP) code = set_heap(value);
    if (!code) limits()[limit] = value;
    return cudart_leave(code);
}
CUDART_ALIAS(cudaThreadSetLimit, cudaDeviceSetLimit);

// ---- flags ----

enum { FLAGS = 0xff, FLAG_MAP_HOST = 8, FLAGS_SCHEDULE = 7 };

CUDART_API CudaError cudaSetDeviceFlags(unsigned flags)
{
    CudaError code = cudart_enter(CALL_HOST);
    unsigned schedule = flags & FLAGS_SCHEDULE;
    if (flags & ~(unsigned)FLAGS || (schedule & (schedule - 1))) code = cudaErrorInvalidValue;
    if (!code) kept()->flags = flags;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetDeviceFlags(unsigned *flags)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!flags) code = cudaErrorInvalidValue;
    if (!code) *flags = kept()->flags | FLAG_MAP_HOST;
    return cudart_leave(code);
}

CUDART_API CudaError cudaInitDevice(int device, unsigned flags, unsigned use_flags)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && device) code = cudaErrorInvalidDevice;
    if (!code && use_flags) kept()->flags = flags & FLAGS;
    return cudart_leave(code);
}

CUDART_API CudaError cudaSetValidDevices(const int *devices, int count)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (count && !devices) code = cudaErrorInvalidValue;
    for (int i = 0; !code && i < count; i++)
        if (devices[i]) code = cudaErrorInvalidDevice;
    return cudart_leave(code);
}

// ---- preferred caches: the machine file decides how L1 and shared memory share their store ----

static CudaError get(int *to, const int *value)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !to) code = cudaErrorInvalidValue;
    if (!code) *to = *value;
    return cudart_leave(code);
}

static CudaError set(int *to, int value, int most)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (value < 0 || value > most)) code = cudaErrorInvalidValue;
    if (!code) *to = value;
    return cudart_leave(code);
}

enum { CACHE_CONFIG_MAX = 3, BANK_CONFIG_MAX = 2 };

CUDART_API CudaError cudaDeviceGetCacheConfig(int *cache) { return get(cache, &kept()->cache); }
CUDART_API CudaError cudaDeviceSetCacheConfig(int cache)
{
    return set(&kept()->cache, cache, CACHE_CONFIG_MAX);
}
CUDART_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);
CUDART_ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);

CUDART_API CudaError cudaDeviceGetSharedMemConfig(int *banks) { return get(banks, &kept()->banks); }
CUDART_API CudaError cudaDeviceSetSharedMemConfig(int banks)
{
    return set(&kept()->banks, banks, BANK_CONFIG_MAX);
}

static CudaError nothing(void) { return cudart_leave(cudart_enter(CALL_ASYNC)); }
CUDART_API CudaError cudaCtxResetPersistingL2Cache(void) { return nothing(); }
CUDART_API CudaError cudaProfilerStart(void) { return nothing(); }
CUDART_API CudaError cudaProfilerStop(void) { return nothing(); }

CUDART_API CudaError cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope)
{
    (void)target;
    (void)scope;
    return nothing();
}

// ---- other devices ----

// Of two devices, of which only number 0 is there.
static CudaError check_pair(int device, int peer)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    return code ? code : device || peer ? cudaErrorInvalidDevice : cudaSuccess;
}

CUDART_API CudaError cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    CudaError code = check_pair(device, peer);
    if (!code && !can) code = cudaErrorInvalidValue;
    if (!code) *can = 0;
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer)
{
    enum { LAST = 5 };
    CudaError code = check_pair(device, peer);
    // Of a device and itself there are none.
    if (!code && (!value || attribute < 1 || attribute > LAST)) code = cudaErrorInvalidValue;
    return cudart_leave(code ? code : cudaErrorInvalidDevice);
}

CUDART_API CudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CudaError code = check_pair(0, 0);
    if (!code) code = flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
    (void)peer; // no device is a peer of itself
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceDisablePeerAccess(int peer)
{
    CudaError code = check_pair(0, peer);
    return cudart_leave(code ? code : cudaErrorPeerAccessNotEnabled);
}
