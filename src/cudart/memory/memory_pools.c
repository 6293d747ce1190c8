// The API of stream-ordered allocation and memory pools. Both make plain allocations, because
// streams run in the order of the calls.
#include "cudart/memory/memory_pools.h"

#include "cudart/memory/device_memory.h"

#include "base/memory.h"
#include "cudart/graphs/cuda_graph.h"
#include "cudart/runtime/process_context.h"
#include "cudart/runtime/runtime_state.h"
#include "cudart/runtime/unsupported.h"
#include "cudart/streams/streams.h"

#include <stdlib.h>
#include <string.h>

enum PoolAttribute {
    POOL_FOLLOW_EVENTS = 1, POOL_OPPORTUNISTIC, POOL_DEPENDENCIES, POOL_THRESHOLD, POOL_RESERVED,
    POOL_RESERVED_HIGH, POOL_USED, POOL_USED_HIGH
};

static MemoryPool *device_pool(void) { return &cudart_state()->device_pool; }

// The pool of calls that name none.
static MemoryPool *current_pool(void)
{
    MemoryPool *pool = cudart_state()->current_pool;
    return pool ? pool : device_pool();
}

void pools_reset(void)
{
    handles_free(&cudart_state()->pools);
    cudart_state()->current_pool = NULL;
}

static bool pool_known(const MemoryPool *pool)
{
    return pool == device_pool() || handle_known(cudart_state()->pools, pool);
}

// ---- allocations ----

// Adds a node to the graph that the stream is captured into, if any. A graph's memory is allocated
// at once and never freed, because the graph may be launched again.
static CudaError capture_node(CudaStream stream, GraphNodeType type)
{
    Graph *graph = stream_capture_graph(stream);
    return graph ? graph_append_captured(graph, (GraphWork){.type = type}) : cudaSuccess;
}

static CudaError allocate(const char *call, void **pointer, size_t bytes, const MemoryPool *pool,
                          CudaStream stream)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!stream_known(stream) || !pool_known(pool)))
        code = cudaErrorInvalidResourceHandle;
    if (!code && !pointer) code = cudaErrorInvalidValue;
    if (!code) *pointer = NULL;
    if (!code && bytes)
        code = stream_capture_graph(stream) ? memory_allocate_for_graph(call, bytes, pointer)
                                            : memory_allocate(call, MEMORY_DEVICE, bytes, pointer);
    if (!code) code = capture_node(stream, NODE_ALLOCATE);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMallocAsync(void **pointer, size_t bytes, CudaStream stream)
{
    return allocate("cudaMallocAsync", pointer, bytes, device_pool(), stream);
}
CUDART_ALIAS(cudaMallocAsync_ptsz, cudaMallocAsync);

CUDART_API CudaError cudaMallocFromPoolAsync(void **pointer, size_t bytes, MemoryPool *pool,
                                             CudaStream stream)
{
    return allocate("cudaMallocFromPoolAsync", pointer, bytes, pool, stream);
}
CUDART_ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);

CUDART_API CudaError cudaFreeAsync(void *pointer, CudaStream stream)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !stream_known(stream)) code = cudaErrorInvalidResourceHandle;
    if (!code && stream_capture_graph(stream))
        return cudart_leave(capture_node(stream, NODE_RELEASE));
    if (!code) code = memory_release("cudaFreeAsync", pointer);
    return cudart_leave(code);
}
CUDART_ALIAS(cudaFreeAsync_ptsz, cudaFreeAsync);

// ---- pools ----

static CudaError enter(const MemoryPool *pool)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    return code ? code : pool_known(pool) ? cudaSuccess : cudaErrorInvalidValue;
}

CUDART_API CudaError cudaMemPoolCreate(MemoryPool **pool, const void *properties)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && (!pool || !properties)) code = cudaErrorInvalidValue;
    MemoryPool *p = code ? NULL : hd_new(1, sizeof *p);
    if (!code && !p) code = cudaErrorMemoryAllocation;
    if (code) return cudart_leave(code);
    *p = (MemoryPool)POOL_INITIAL;
    handle_add(&cudart_state()->pools, p);
    *pool = p;
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemPoolDestroy(MemoryPool *pool)
{
    CudaError code = enter(pool);
    if (!code && pool == device_pool()) code = cudaErrorInvalidValue;
    if (code) return cudart_leave(code);
    handle_remove(&cudart_state()->pools, pool);
    if (current_pool() == pool) cudart_state()->current_pool = NULL;
    free(pool);
    return cudart_leave(code);
}

static CudaError give(MemoryPool **pool, const MemoryPool *which, int device)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !pool) code = cudaErrorInvalidValue;
    if (!code && device) code = cudaErrorInvalidDevice;
    if (!code) *pool = (MemoryPool *)which;
    return cudart_leave(code);
}

CUDART_API CudaError cudaDeviceGetDefaultMemPool(MemoryPool **pool, int device)
{
    return give(pool, device_pool(), device);
}

CUDART_API CudaError cudaDeviceGetMemPool(MemoryPool **pool, int device)
{
    return give(pool, current_pool(), device);
}

CUDART_API CudaError cudaDeviceSetMemPool(int device, MemoryPool *pool)
{
    CudaError code = enter(pool);
    if (!code && device) code = cudaErrorInvalidDevice;
    if (!code) cudart_state()->current_pool = pool;
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemGetDefaultMemPool(MemoryPool **pool, const void *location, int type)
{
    (void)type;
    return give(location ? pool : NULL, device_pool(), 0);
}

CUDART_API CudaError cudaMemGetMemPool(MemoryPool **pool, const void *location, int type)
{
    (void)type;
    return give(location ? pool : NULL, current_pool(), 0);
}

CUDART_API CudaError cudaMemSetMemPool(const void *location, int type, MemoryPool *pool)
{
    (void)location;
    (void)type;
    return cudaDeviceSetMemPool(0, pool);
}

CUDART_API CudaError cudaMemPoolTrimTo(MemoryPool *pool, size_t bytes)
{
    (void)bytes; // a pool caches nothing
    return cudart_leave(enter(pool));
}

// ---- settings ----

static CudaError is_setting(const char *call, const MemoryPool *pool, int attribute,
                            const void *value)
{
    CudaError code = enter(pool);
    if (code) return code;
    if (!value || attribute < POOL_FOLLOW_EVENTS || attribute > POOL_USED_HIGH)
        return cudaErrorInvalidValue;
    return attribute <= POOL_THRESHOLD
               ? cudaSuccess
               : unsupported_part(call, "usage statistics of memory pools", "use cudaMemGetInfo");
}

CUDART_API CudaError cudaMemPoolSetAttribute(MemoryPool *pool, int attribute, const void *value)
{
    CudaError code = is_setting("cudaMemPoolSetAttribute", pool, attribute, value);
    if (code) return cudart_leave(code);
    if (attribute == POOL_THRESHOLD)
        memcpy(&pool->threshold, value, sizeof pool->threshold);
    else
        memcpy(&pool->reuse[attribute - 1], value, sizeof *pool->reuse);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemPoolGetAttribute(MemoryPool *pool, int attribute, void *value)
{
    CudaError code = is_setting("cudaMemPoolGetAttribute", pool, attribute, value);
    if (code) return cudart_leave(code);
    if (attribute == POOL_THRESHOLD)
        memcpy(value, &pool->threshold, sizeof pool->threshold);
    else
        memcpy(value, &pool->reuse[attribute - 1], sizeof *pool->reuse);
    return cudart_leave(code);
}

enum { ACCESS_READ_WRITE = 3 };

// The only device may access all pools.
CUDART_API CudaError cudaMemPoolSetAccess(MemoryPool *pool, const void *list, size_t count)
{
    CudaError code = enter(pool);
    if (!code && count && !list) code = cudaErrorInvalidValue;
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemPoolGetAccess(int *access, MemoryPool *pool, const void *location)
{
    CudaError code = enter(pool);
    if (!code && (!access || !location)) code = cudaErrorInvalidValue;
    if (!code) *access = ACCESS_READ_WRITE;
    return cudart_leave(code);
}
