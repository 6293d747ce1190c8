// API functions for tests, with the types of cudart/runtime/cuda_types.h, and registration of
// kernels.
#ifndef TESTS_CUDART_API_CALLS_H
#define TESTS_CUDART_API_CALLS_H

#include "cudart/runtime/cuda_types.h"
#include "cudart/textures/arrays.h"
#include "cudart/streams/host_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), cudaSuccess)
#define FAILS(code, call) assert_int_equal((call), (code))

// Registers uncompressed PTX, as programs do before main. Returns a handle for program_kernel.
void **program_register(const char *ptx);
// Registers a kernel of the PTX by name. `host` is any address, by which launches identify it.
void program_kernel(void **handle, const void *host, const char *name);
// Registers a __managed__ variable; *pointer becomes its address.
void program_managed(void **handle, void **pointer, const char *name);
// Launches a kernel. Each argument is a pointer to its value.
CudaError program_launch(const void *host, unsigned grid, unsigned block, size_t dynamic,
                         void **arguments);

CudaError cudaMalloc(void **pointer, size_t bytes);
CudaError cudaFree(void *pointer);
CudaError cudaMemcpy(void *to, const void *from, size_t bytes, CudaCopyKind kind);
CudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, CudaCopyKind kind,
                          CudaStream stream);
CudaError cudaMemsetAsync(void *to, int byte, size_t bytes, CudaStream stream);
CudaError cudaMemcpy3D(const CudaCopy3D *parameters);
CudaError cudaMemcpyPeer(void *to, int target, const void *from, int source, size_t bytes);
CudaError cudaDeviceSynchronize(void);
CudaError cudaDeviceReset(void);
CudaError cudaGetLastError(void);
CudaError cudaLaunchKernel(const void *host, CudaDim3 grid, CudaDim3 block, void **arguments,
                           size_t dynamic, CudaStream stream);
CudaError cudaLaunchCooperativeKernel(const void *host, CudaDim3 grid, CudaDim3 block,
                                      void **arguments, size_t dynamic, CudaStream stream);
char __cudaInitModule(void **handle);

CudaError cudaGetDeviceProperties(void *properties, int device);
CudaError cudaGetDeviceProperties_v2(void *properties, int device);
CudaError cudaDeviceGetAttribute(int *value, int attribute, int device);
CudaError cudaChooseDevice(int *device, const void *wanted);
CudaError cudaDeviceGetPCIBusId(char *text, int length, int device);
CudaError cudaDeviceGetByPCIBusId(int *device, const char *text);
CudaError cudaDeviceGetLimit(size_t *value, int limit);
CudaError cudaDeviceSetLimit(int limit, size_t value);
CudaError cudaSetDeviceFlags(unsigned flags);
CudaError cudaGetDeviceFlags(unsigned *flags);
CudaError cudaDeviceSetCacheConfig(int cache);
CudaError cudaDeviceGetCacheConfig(int *cache);
CudaError cudaDeviceCanAccessPeer(int *can, int device, int peer);
CudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags);
CudaError cudaDeviceDisablePeerAccess(int peer);
CudaError cudaDeviceGetNvSciSyncAttributes(void);
CudaError cudaDeviceGetStreamPriorityRange(int *lowest, int *greatest);

CudaError cudaStreamCreate(CudaStream *stream);
CudaError cudaStreamCreateWithPriority(CudaStream *stream, unsigned flags, int priority);
CudaError cudaStreamDestroy(CudaStream stream);
CudaError cudaStreamGetFlags(CudaStream stream, unsigned *flags);
CudaError cudaStreamGetPriority(CudaStream stream, int *priority);
CudaError cudaStreamGetId(CudaStream stream, unsigned long long *id);
CudaError cudaStreamSynchronize(CudaStream stream);
CudaError cudaStreamQuery(CudaStream stream);
CudaError cudaStreamWaitEvent(CudaStream stream, CudaEvent event, unsigned flags);
CudaError cudaStreamAddCallback(CudaStream stream, void (*f)(CudaStream, CudaError, void *),
                                void *data, unsigned flags);
CudaError cudaLaunchHostFunc(CudaStream stream, HostFunction function, void *data);
CudaError cudaEventCreate(CudaEvent *event);
CudaError cudaEventCreateWithFlags(CudaEvent *event, unsigned flags);
CudaError cudaEventDestroy(CudaEvent event);
CudaError cudaEventRecord(CudaEvent event, CudaStream stream);
CudaError cudaEventSynchronize(CudaEvent event);
CudaError cudaEventQuery(CudaEvent event);
CudaError cudaEventElapsedTime(float *milliseconds, CudaEvent from, CudaEvent to);

CudaError cudaFuncGetAttributes(void *attributes, const void *function);
CudaError cudaFuncSetAttribute(const void *function, int attribute, int value);
CudaError cudaFuncSetCacheConfig(const void *function, int cache);
CudaError cudaFuncGetName(const char **name, const void *function);
CudaError cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes);
CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                        int threads, size_t dynamic);
CudaError cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                    int blocks, int threads);

CudaError cudaMallocHost(void **pointer, size_t bytes);
CudaError cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
CudaError cudaFreeHost(void *pointer);
CudaError cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
CudaError cudaHostUnregister(void *pointer);
CudaError cudaHostGetDevicePointer(void **device, void *pointer, unsigned flags);
CudaError cudaHostGetFlags(unsigned *flags, void *pointer);
CudaError cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
CudaError cudaMemAdvise(const void *pointer, size_t bytes, int advice, uint64_t where);
CudaError cudaMemPrefetchAsync(const void *pointer, size_t bytes, uint64_t where, uint64_t fourth,
                               CudaStream fifth);
CudaError cudaMemRangeGetAttribute(void *data, size_t bytes, int attribute, const void *pointer,
                                   size_t count);
CudaError cudaPointerGetAttributes(void *attributes, const void *pointer);
CudaError cudaMallocAsync(void **pointer, size_t bytes, CudaStream stream);
CudaError cudaFreeAsync(void *pointer, CudaStream stream);
CudaError cudaDeviceGetDefaultMemPool(void **pool, int device);
CudaError cudaMemPoolCreate(void **pool, const void *properties);
CudaError cudaMemPoolDestroy(void *pool);
CudaError cudaMemPoolSetAttribute(void *pool, int attribute, const void *value);
CudaError cudaMemPoolGetAttribute(void *pool, int attribute, void *value);
CudaError cudaMallocFromPoolAsync(void **pointer, size_t bytes, void *pool, CudaStream stream);

CudaChannels cudaCreateChannelDesc(int x, int y, int z, int w, CudaChannelKind kind);
CudaError cudaMallocArray(CudaArray *array, const CudaChannels *channels, size_t width,
                          size_t height, unsigned flags);
CudaError cudaMalloc3DArray(CudaArray *array, const CudaChannels *channels, CudaExtent extent,
                            unsigned flags);
CudaError cudaFreeArray(CudaArray array);
CudaError cudaArrayGetInfo(CudaChannels *channels, CudaExtent *extent, unsigned *flags,
                           CudaArray array);
CudaError cudaMemcpyToArray(CudaArray to, size_t x, size_t y, const void *from, size_t bytes,
                            CudaCopyKind kind);
CudaError cudaMemcpyFromArray(void *to, CudaArray from, size_t x, size_t y, size_t bytes,
                              CudaCopyKind kind);
CudaError cudaMemcpyArrayToArray(CudaArray to, size_t to_x, size_t to_y, CudaArray from,
                                 size_t from_x, size_t from_y, size_t bytes, CudaCopyKind kind);
CudaError cudaMemcpy2DToArray(CudaArray to, size_t x, size_t y, const void *from, size_t pitch,
                              size_t width, size_t height, CudaCopyKind kind);
CudaError cudaMemcpy2DFromArray(void *to, size_t pitch, CudaArray from, size_t x, size_t y,
                                size_t width, size_t height, CudaCopyKind kind);

#endif
