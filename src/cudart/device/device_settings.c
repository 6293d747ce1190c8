// The API of device settings: flags, limits, preferred cache sizes; and access to peer devices, of
// which there are none. Settings without a meaning for the simulated machine are only stored, so
// that the program can read them back.
#include "cudart/device/device_settings.h"

#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"

#include <string.h>

enum {
    LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP, LIMIT_SYNC_DEPTH, LIMIT_PENDING, LIMIT_FETCH,
    LIMIT_PERSISTING
};
static const size_t default_limits[DEVICE_LIMITS] = {
    [LIMIT_STACK] = 1024,   [LIMIT_PRINTF] = 1 << 20, [LIMIT_HEAP] = 8 << 20,
    [LIMIT_PENDING] = 2048, [LIMIT_FETCH] = 64,
};

static DeviceSettings *settings(void) { return &cudart_state()->device; }

void device_settings_reset(void) { *settings() = (DeviceSettings){0}; }

static size_t *limits(void)
{
    DeviceSettings *s = settings();
    if (!s->limits_set) memcpy(s->limits, default_limits, sizeof default_limits);
    s->limits_set = true;
    return s->limits;
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

// Only the heap limit affects the machine: printf output is not limited by a buffer, and the stack
// size is the parameter core.local.
CUDART_API CudaError cudaDeviceSetLimit(int limit, size_t value)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (limit < 0 || limit >= DEVICE_LIMITS || limit == LIMIT_SYNC_DEPTH))
        code = cudaErrorUnsupportedLimit;
    HdError err = {0};
    if (!code && limit == LIMIT_HEAP && !gpu_set_heap(cudart_gpu(), value, &err)) {
        cudart_warn("cudaDeviceSetLimit(cudaLimitMallocHeapSize, %zu): %s", value, err.text);
        code = cudaErrorInvalidValue;
    }
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
    if (!code) settings()->flags = flags;
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetDeviceFlags(unsigned *flags)
{
    CudaError code = cudart_enter(CALL_HOST);
    if (!flags) code = cudaErrorInvalidValue;
    if (!code) *flags = settings()->flags | FLAG_MAP_HOST;
    return cudart_leave(code);
}

CUDART_API CudaError cudaInitDevice(int device, unsigned flags, unsigned use_flags)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && device) code = cudaErrorInvalidDevice;
    if (!code && use_flags) settings()->flags = flags & FLAGS;
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

// ---- preferred cache sizes: the machine file decides how L1 and shared memory split a store ----

static CudaError get(int *to, const int *value)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !to) code = cudaErrorInvalidValue;
    if (!code) *to = *value;
    return cudart_leave(code);
}

static CudaError set(int *to, int value, int max)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (value < 0 || value > max)) code = cudaErrorInvalidValue;
    if (!code) *to = value;
    return cudart_leave(code);
}

enum { CACHE_CONFIG_MAX = 3, BANK_CONFIG_MAX = 2 };

CUDART_API CudaError cudaDeviceGetCacheConfig(int *cache) { return get(cache, &settings()->cache); }
CUDART_API CudaError cudaDeviceSetCacheConfig(int cache)
{
    return set(&settings()->cache, cache, CACHE_CONFIG_MAX);
}
CUDART_ALIAS(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig);
CUDART_ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);

CUDART_API CudaError cudaDeviceGetSharedMemConfig(int *banks)
{
    return get(banks, &settings()->banks);
}
CUDART_API CudaError cudaDeviceSetSharedMemConfig(int banks)
{
    return set(&settings()->banks, banks, BANK_CONFIG_MAX);
}

static CudaError do_nothing(void) { return cudart_leave(cudart_enter(CALL_ASYNC)); }
CUDART_API CudaError cudaCtxResetPersistingL2Cache(void) { return do_nothing(); }
CUDART_API CudaError cudaProfilerStart(void) { return do_nothing(); }
CUDART_API CudaError cudaProfilerStop(void) { return do_nothing(); }

CUDART_API CudaError cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope)
{
    (void)target;
    (void)scope;
    return do_nothing();
}

// ---- peer devices ----

// Enters a call about two devices, which must both be number 0.
static CudaError enter_pair(int device, int peer)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    return code ? code : device || peer ? cudaErrorInvalidDevice : cudaSuccess;
}

CUDART_API CudaError cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    CudaError code = enter_pair(device, peer);
    if (!code && !can) code = cudaErrorInvalidValue;
    if (!code) *can = 0;
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer)
{
    enum { LAST = 5 };
    CudaError code = enter_pair(device, peer);
    // A device and itself have no peer attributes.
    if (!code && (!value || attribute < 1 || attribute > LAST)) code = cudaErrorInvalidValue;
    return cudart_leave(code ? code : cudaErrorInvalidDevice);
}

CUDART_API CudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CudaError code = enter_pair(0, 0);
    if (!code) code = flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
    (void)peer; // no device is its own peer
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceDisablePeerAccess(int peer)
{
    CudaError code = enter_pair(0, peer);
    return cudart_leave(code ? code : cudaErrorPeerAccessNotEnabled);
}
