// The CUDA runtime API, as functions of C.
#ifndef HEDDLE_CUDA_CUDA_RUNTIME_API_H
#define HEDDLE_CUDA_CUDA_RUNTIME_API_H
// The include guard of the toolkit: other headers test it.
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "heddle/graphs.h"
#include "heddle/launch_types.h"
#include "surface_types.h"
#include "texture_types.h"

#define CUDART_VERSION 13000

// A default argument in C++; C programs pass every argument.
#if defined(__cplusplus)
#define HEDDLE_OR(value) = value
extern "C" {
#else
#define HEDDLE_OR(value)
#endif

// ---- devices ----

extern cudaError_t cudaDeviceReset(void);
extern cudaError_t cudaDeviceSynchronize(void);
extern cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
extern cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
extern cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
extern cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
extern cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
extern cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
extern cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
extern cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
extern cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
extern cudaError_t cudaGetDeviceCount(int *count);
extern cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
extern cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
extern cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                             int to);
extern cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
extern cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
extern cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
extern cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
extern cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
extern cudaError_t cudaSetDevice(int device);
extern cudaError_t cudaGetDevice(int *device);
extern cudaError_t cudaSetValidDevices(int *devices, int count);
extern cudaError_t cudaSetDeviceFlags(unsigned int flags);
extern cudaError_t cudaGetDeviceFlags(unsigned int *flags);
extern cudaError_t cudaDriverGetVersion(int *version);
extern cudaError_t cudaRuntimeGetVersion(int *version);
extern cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
extern cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
extern cudaError_t cudaDeviceDisablePeerAccess(int peer);
extern cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                        const struct cudaChannelFormatDesc *element,
                                                        int device);
extern cudaError_t
cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                   enum cudaFlushGPUDirectRDMAWritesScope scope);
extern cudaError_t cudaCtxResetPersistingL2Cache(void);
extern cudaError_t cudaProfilerStart(void);
extern cudaError_t cudaProfilerStop(void);

// ---- errors ----

extern cudaError_t cudaGetLastError(void);
extern cudaError_t cudaPeekAtLastError(void);
extern const char *cudaGetErrorName(cudaError_t error);
extern const char *cudaGetErrorString(cudaError_t error);

// ---- streams and events ----

extern cudaError_t cudaStreamCreate(cudaStream_t *stream);
extern cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
extern cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                                int priority);
extern cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
extern cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
extern cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
extern cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
extern cudaError_t cudaStreamDestroy(cudaStream_t stream);
extern cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                       unsigned int flags HEDDLE_OR(0));
extern cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                          cudaLaunchAttributeValue *value);
extern cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                          const cudaLaunchAttributeValue *value);
extern cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
extern cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void *data, unsigned int flags);
extern cudaError_t cudaStreamSynchronize(cudaStream_t stream);
extern cudaError_t cudaStreamQuery(cudaStream_t stream);
extern cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory,
                                            size_t length HEDDLE_OR(0),
                                            unsigned int flags HEDDLE_OR(cudaMemAttachSingle));
extern cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
extern cudaError_t cudaEventCreate(cudaEvent_t *event);
extern cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
extern cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream HEDDLE_OR(0),
                                            unsigned int flags HEDDLE_OR(0));
extern cudaError_t cudaEventQuery(cudaEvent_t event);
extern cudaError_t cudaEventSynchronize(cudaEvent_t event);
extern cudaError_t cudaEventDestroy(cudaEvent_t event);
extern cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

// ---- kernels ----

extern cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);
extern cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                               void **arguments, size_t shared,
                                               cudaStream_t stream);
extern cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                       void **arguments);
extern cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function);
extern cudaError_t cudaGetFuncBySymbol(cudaFunction_t *kernel, const void *function);
extern cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                   enum cudaFuncAttribute attribute, int value,
                                                   int device);
extern cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                        size_t *size);
extern cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
extern cudaError_t cudaFuncSetSharedMemConfig(const void *function,
                                              enum cudaSharedMemConfig config);
extern cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                         const void *function);
extern cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                        int value);
extern cudaError_t cudaFuncGetName(const char **name, const void *function);
extern cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                                 int threads,
                                                                 size_t dynamic_shared);
extern cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t dynamic_shared, unsigned int flags);
extern cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_shared,
                                                             const void *function, int blocks,
                                                             int threads);
extern cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                        const cudaLaunchConfig_t *config);
extern cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                                  const cudaLaunchConfig_t *config);

// ---- memory ----

extern cudaError_t cudaMalloc(void **memory, size_t size);
extern cudaError_t cudaMallocManaged(void **memory, size_t size,
                                     unsigned int flags HEDDLE_OR(cudaMemAttachGlobal));
extern cudaError_t cudaMallocHost(void **memory, size_t size);
extern cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height);
extern cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent);
extern cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream);
extern cudaError_t cudaMallocFromPoolAsync(void **memory, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream);
extern cudaError_t cudaFree(void *memory);
extern cudaError_t cudaFreeHost(void *memory);
extern cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
extern cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned int flags);
extern cudaError_t cudaHostRegister(void *memory, size_t size, unsigned int flags);
extern cudaError_t cudaHostUnregister(void *memory);
extern cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
extern cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
extern cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
extern cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                            const void *pointer);
extern cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size,
                                        struct cudaMemLocation location, unsigned int flags,
                                        cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemAdvise(const void *memory, size_t size, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation location);
extern cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size,
                                            enum cudaMemRangeAttribute attribute,
                                            const void *memory, size_t size);
extern cudaError_t cudaMemRangeGetAttributes(void **data, size_t *data_sizes,
                                             enum cudaMemRangeAttribute *attributes, size_t count,
                                             const void *memory, size_t size);
extern cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                                     const struct cudaMemPoolProps *properties);
extern cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
extern cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least);
extern cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                           void *value);
extern cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                           void *value);
extern cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                        size_t count);
extern cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                        struct cudaMemLocation *location);
extern cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                            enum cudaMemAllocationType type);
extern cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type);
extern cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type, cudaMemPool_t pool);

// ---- copies ----

extern cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                                   enum cudaMemcpyKind kind, cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                  size_t size);
extern cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                       size_t size, cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
extern cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                                     cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy);
extern cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy,
                                         cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size,
                                      size_t offset HEDDLE_OR(0),
                                      enum cudaMemcpyKind kind HEDDLE_OR(cudaMemcpyHostToDevice));
extern cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size,
                                        size_t offset HEDDLE_OR(0),
                                        enum cudaMemcpyKind kind HEDDLE_OR(cudaMemcpyDeviceToHost));
extern cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                           size_t offset, enum cudaMemcpyKind kind,
                                           cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size,
                                             size_t offset, enum cudaMemcpyKind kind,
                                             cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
extern cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
extern cudaError_t cudaMemset(void *memory, int value, size_t size);
extern cudaError_t cudaMemsetAsync(void *memory, int value, size_t size,
                                   cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height);
extern cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width,
                                     size_t height, cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent);
extern cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value,
                                     struct cudaExtent extent, cudaStream_t stream HEDDLE_OR(0));

// ---- arrays and textures ----

extern cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *element,
                                   size_t width, size_t height HEDDLE_OR(0),
                                   unsigned int flags HEDDLE_OR(0));
extern cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                                     const struct cudaChannelFormatDesc *element,
                                     struct cudaExtent extent, unsigned int flags HEDDLE_OR(0));
extern cudaError_t cudaFreeArray(cudaArray_t array);
extern cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *element,
                                    struct cudaExtent *extent, unsigned int *flags,
                                    cudaArray_t array);
extern cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t size, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                       size_t size, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                          size_t size, enum cudaMemcpyKind kind,
                                          cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                            size_t size, enum cudaMemcpyKind kind,
                                            cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t
cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                       size_t from_x, size_t from_y, size_t size,
                       enum cudaMemcpyKind kind HEDDLE_OR(cudaMemcpyDeviceToDevice));
extern cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                       size_t pitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                            size_t pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind,
                                            cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                         size_t y, size_t width, size_t height,
                                         enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
                                              size_t x, size_t y, size_t width, size_t height,
                                              enum cudaMemcpyKind kind,
                                              cudaStream_t stream HEDDLE_OR(0));
extern cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                         size_t from_x, size_t from_y, size_t width, size_t height,
                         enum cudaMemcpyKind kind HEDDLE_OR(cudaMemcpyDeviceToDevice));
extern cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *element,
                                      cudaArray_const_t array);
extern struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind kind);
extern cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                           const struct cudaResourceDesc *resource,
                                           const struct cudaTextureDesc *sampling,
                                           const struct cudaResourceViewDesc *view);
extern cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
extern cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                                    cudaTextureObject_t texture);
extern cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *sampling,
                                                   cudaTextureObject_t texture);
extern cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                        cudaTextureObject_t texture);
extern cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                           const struct cudaResourceDesc *resource);
extern cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
extern cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                                    cudaSurfaceObject_t surface);

// ---- functions that the compiler calls for kernel<<<...>>>(...) ----

extern unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared HEDDLE_OR(0),
                                            struct CUstream_st *stream HEDDLE_OR(0));

#if defined(__cplusplus)
}
#endif
#undef HEDDLE_OR

#include "heddle/removed_properties.h"

#endif
