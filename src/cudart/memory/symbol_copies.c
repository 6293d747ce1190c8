// The API of copies to and from module variables ("symbols"), and of their addresses.
#include "base/bits.h"
#include "cudart/memory/transfer.h"
#include "cudart/runtime/process_context.h"
#include "cudart/streams/streams.h"

#include <inttypes.h>

// Finds the variable of a symbol, which is the address of the variable's shadow in the host
// program.
static CudaError find(const char *call, const void *symbol, RtVariable **variable)
{
    CudaError code = variable_use(symbol, variable);
    if (code == cudaErrorInvalidSymbol)
        cudart_warn("%s: %p: expected a __device__ or __constant__ variable", call, symbol);
    return code;
}

// Finds the device address of the bytes [offset, offset + bytes) of a variable.
static CudaError locate(const char *call, const void *symbol, size_t offset, size_t bytes,
                        void **place)
{
    RtVariable *v;
    CudaError code = find(call, symbol, &v);
    if (code) return code;
    if (!range_fits(offset, bytes, v->bytes)) {
        cudart_warn("%s: %zu bytes at offset %zu of %s: expected a range within its %" PRIu64
                    " bytes", call, bytes, offset, v->name, v->bytes);
        return cudaErrorInvalidValue;
    }
    uint64_t bank = 0;
    HdError err = {0};
    if (v->space == SPACE_CONST && !(bank = gpu_constants(cudart_gpu(), v->ptx, &err))) {
        cudart_warn("%s: %s", call, err.text);
        return cudaErrorMemoryAllocation;
    }
    *place = (void *)(bank + v->address + offset);
    return cudaSuccess;
}

static CudaError copy_to(const char *call, CallKind how, CudaStream stream, const void *symbol,
                         const void *from, size_t bytes, size_t offset, CudaCopyKind kind)
{
    void *place;
    CudaError code = stream_enter(how, stream);
    if (!code && kind != CUDA_HOST_TO_DEVICE && kind != CUDA_DEVICE_TO_DEVICE &&
        kind != CUDA_COPY_DEFAULT)
        code = cudaErrorInvalidMemcpyDirection;
    if (!code) code = locate(call, symbol, offset, bytes, &place);
    if (!code) code = copy_bytes(call, place, from, bytes, kind);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                                        size_t offset, CudaCopyKind kind)
{
    return copy_to("cudaMemcpyToSymbol", CALL_SYNC, NULL, symbol, from, bytes, offset, kind);
}
CUDART_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);

CUDART_API CudaError cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                             size_t offset, CudaCopyKind kind, CudaStream stream)
{
    return copy_to("cudaMemcpyToSymbolAsync", CALL_ASYNC, stream, symbol, from, bytes, offset,
                   kind);
}
CUDART_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);

static CudaError copy_from(const char *call, CallKind how, CudaStream stream, void *to,
                           const void *symbol, size_t bytes, size_t offset, CudaCopyKind kind)
{
    void *place;
    CudaError code = stream_enter(how, stream);
    if (!code && kind != CUDA_DEVICE_TO_HOST && kind != CUDA_DEVICE_TO_DEVICE &&
        kind != CUDA_COPY_DEFAULT)
        code = cudaErrorInvalidMemcpyDirection;
    if (!code) code = locate(call, symbol, offset, bytes, &place);
    if (!code) code = copy_bytes(call, to, place, bytes, kind);
    return cudart_leave(code);
}

CUDART_API CudaError cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                          size_t offset, CudaCopyKind kind)
{
    return copy_from("cudaMemcpyFromSymbol", CALL_SYNC, NULL, to, symbol, bytes, offset, kind);
}
CUDART_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);

CUDART_API CudaError cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
                                               size_t offset, CudaCopyKind kind, CudaStream stream)
{
    return copy_from("cudaMemcpyFromSymbolAsync", CALL_ASYNC, stream, to, symbol, bytes, offset,
                     kind);
}
CUDART_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

CUDART_API CudaError cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !pointer) code = cudaErrorInvalidValue;
    if (!code) code = locate("cudaGetSymbolAddress", symbol, 0, 0, pointer);
    return cudart_leave(code);
}

CUDART_API CudaError cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    RtVariable *v;
    CudaError code = cudart_enter(CALL_ASYNC);
    if (!code && !bytes) code = cudaErrorInvalidValue;
    if (!code) code = find("cudaGetSymbolSize", symbol, &v);
    if (!code) *bytes = v->bytes;
    return cudart_leave(code);
}
