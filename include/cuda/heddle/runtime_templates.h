// The C++ form of the runtime API: typed pointers, variables as symbols, kernels by name.
#ifndef HEDDLE_CUDA_RUNTIME_TEMPLATES_H
#define HEDDLE_CUDA_RUNTIME_TEMPLATES_H

#include "cuda_runtime_api.h"

// ---- memory, by typed pointers ----

template <typename T> static inline cudaError_t cudaMalloc(T **memory, size_t size)
{
    return ::cudaMalloc((void **)memory, size);
}
template <typename T>
static inline cudaError_t cudaMallocManaged(T **memory, size_t size,
                                            unsigned flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)memory, size, flags);
}
template <typename T>
static inline cudaError_t cudaMallocHost(T **memory, size_t size, unsigned flags = 0)
{
    return ::cudaHostAlloc((void **)memory, size, flags);
}
template <typename T>
static inline cudaError_t cudaHostAlloc(T **memory, size_t size, unsigned flags)
{
    return ::cudaHostAlloc((void **)memory, size, flags);
}
template <typename T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return ::cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename T>
static inline cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)memory, pitch, width, height);
}
template <typename T>
static inline cudaError_t cudaMallocAsync(T **memory, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)memory, size, stream);
}

// ---- symbols: a device variable is identified by its shadow on the host ----

template <typename T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <typename T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <typename T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
template <typename T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
template <typename T>
static inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <typename T, typename S>
static inline cudaError_t cudaGetSymbolAddress(T **address, const S &symbol)
{
    return ::cudaGetSymbolAddress((void **)address, (const void *)&symbol);
}
template <typename T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

// ---- kernels, by name ----

template <typename F>
static inline cudaError_t cudaLaunchKernel(F *function, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
template <typename F>
static inline cudaError_t cudaLaunchCooperativeKernel(F *function, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                         stream);
}
template <typename... Parameters, typename... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*function)(Parameters...),
                                             Arguments &&...arguments)
{
    // The arguments are converted to the kernel's parameters, in memory.
    return [&](Parameters... values) {
        void *pointers[sizeof...(Parameters) + 1] = {(void *)&values...};
        return ::cudaLaunchKernelExC(config, (const void *)function, pointers);
    }(static_cast<Arguments &&>(arguments)...);
}
template <typename F>
static inline cudaError_t cudaGetKernel(cudaKernel_t *kernel, F *function)
{
    return ::cudaGetKernel(kernel, (const void *)function);
}
template <typename F>
static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *kernel, F *function)
{
    return ::cudaGetFuncBySymbol(kernel, (const void *)function);
}
template <typename F>
static inline cudaError_t cudaFuncSetCacheConfig(F *function, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)function, config);
}
template <typename F>
static inline cudaError_t cudaFuncSetSharedMemConfig(F *function, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <typename F>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, F *function)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
template <typename F>
static inline cudaError_t cudaFuncSetAttribute(F *function, enum cudaFuncAttribute attribute,
                                               int value)
{
    return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F function,
                                                                        int threads,
                                                                        size_t dynamic_shared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads,
                                                           dynamic_shared);
}
template <typename F>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F function, int threads,
                                                       size_t dynamic_shared, unsigned flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function,
                                                                    threads, dynamic_shared, flags);
}

// The block size, in whole warps, with the most resident threads; the largest if several are equal.
// *grid becomes the number of blocks that fills the device.
template <typename S, typename F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, F function, S shared_of, int limit = 0, unsigned flags = 0)
{
    struct cudaFuncAttributes attributes;
    int device, units, warp, most_resident = 0, best_blocks = 0;
    *grid = *block = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (!error) error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
    if (!error) error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (!error) error = ::cudaFuncGetAttributes(&attributes, (const void *)function);
    if (error) return error;
    int most = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < most) most = limit;
    for (int threads = most; threads > 0; threads = (threads - 1) / warp * warp) {
        int blocks;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)function, threads, shared_of(threads), flags);
        if (error) return error;
        if (blocks * threads > most_resident) {
            most_resident = blocks * threads;
            best_blocks = blocks;
            *block = threads;
        }
    }
    *grid = best_blocks * units;
    return cudaSuccess;
}

struct HeddleSharedBytes {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
};
template <typename F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F function,
                                                             size_t dynamic_shared = 0,
                                                             int limit = 0)
{
    HeddleSharedBytes same = {dynamic_shared};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, same,
                                                                   limit);
}
template <typename F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                                      F function,
                                                                      size_t dynamic_shared = 0,
                                                                      int limit = 0,
                                                                      unsigned flags = 0)
{
    HeddleSharedBytes same = {dynamic_shared};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, same,
                                                                   limit, flags);
}
template <typename S, typename F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                         F function, S shared_of,
                                                                         int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, shared_of,
                                                                   limit);
}

// ---- names of older toolkits ----

// A device by its number instead of a cudaMemLocation.
static inline struct cudaMemLocation heddle_location(int device)
{
    struct cudaMemLocation location = {cudaMemLocationTypeDevice, device};
    if (device == cudaCpuDeviceId) location.type = cudaMemLocationTypeHost;
    return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device,
                                               cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync(memory, size, heddle_location(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *memory, size_t size,
                                        enum cudaMemoryAdvise advice, int device)
{
    return ::cudaMemAdvise(memory, size, advice, heddle_location(device));
}
static inline cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

// ---- events ----

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

// ---- elements of arrays and textures, by type ----

template <typename T> inline struct cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define HEDDLE_CHANNEL(type, bits, y, z, w, kind)                                                  \
    template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) {            \
        return cudaCreateChannelDesc(bits, (y) * (bits), (z) * (bits), (w) * (bits),               \
                                     cudaChannelFormatKind##kind);                                 \
    }
#define HEDDLE_CHANNELS(type, name, bits, kind)                                                    \
    HEDDLE_CHANNEL(type, bits, 0, 0, 0, kind)                                                      \
    HEDDLE_CHANNEL(name##1, bits, 0, 0, 0, kind)                                                   \
    HEDDLE_CHANNEL(name##2, bits, 1, 0, 0, kind)                                                   \
    HEDDLE_CHANNEL(name##4, bits, 1, 1, 1, kind)
HEDDLE_CHANNEL(char, 8, 0, 0, 0, Signed)
HEDDLE_CHANNELS(signed char, char, 8, Signed)
HEDDLE_CHANNELS(unsigned char, uchar, 8, Unsigned)
HEDDLE_CHANNELS(short, short, 16, Signed)
HEDDLE_CHANNELS(unsigned short, ushort, 16, Unsigned)
HEDDLE_CHANNELS(int, int, 32, Signed)
HEDDLE_CHANNELS(unsigned int, uint, 32, Unsigned)
HEDDLE_CHANNELS(float, float, 32, Float)
#undef HEDDLE_CHANNEL
#undef HEDDLE_CHANNELS

#endif
