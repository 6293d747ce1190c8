// API functions for tests, as declared for programs, and a module of sample kernels.
#ifndef TESTS_CUDART_SAMPLE_MODULE_H
#define TESTS_CUDART_SAMPLE_MODULE_H

#include "cudart/runtime/cuda_types.h"

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                            int thread_limit, void *thread, void *block, CudaDim3 *block_shape,
                            CudaDim3 *grid_shape, int *warp_size);
void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name,
                       int external, size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                              int external, size_t bytes, int constant, int global);
char __cudaInitModule(void **handle);
unsigned __cudaPushCallConfiguration(CudaDim3 grid, CudaDim3 block, size_t dynamic_shared,
                                     CudaStream stream);
CudaError __cudaPopCallConfiguration(CudaDim3 *grid, CudaDim3 *block, size_t *dynamic_shared,
                                     void *stream);
CudaError __cudaGetKernel(void **kernel, const void *host);
CudaError __cudaLaunchKernel(const void *kernel, CudaDim3 grid, CudaDim3 block, void **arguments,
                             size_t dynamic_shared, CudaStream stream);
CudaError cudaLaunchKernel(const void *host, CudaDim3 grid, CudaDim3 block, void **arguments,
                           size_t dynamic_shared, CudaStream stream);
CudaError cudaLaunchCooperativeKernel(const void *host, CudaDim3 grid, CudaDim3 block,
                                      void **arguments, size_t dynamic_shared, CudaStream stream);
CudaError cudaLaunchKernelExC(const CudaLaunchConfig *config, const void *host, void **arguments);

CudaError cudaMalloc(void **pointer, size_t bytes);
CudaError cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
CudaError cudaMalloc3D(CudaPitched *pitched, CudaExtent extent);
CudaError cudaFree(void *pointer);
CudaError cudaMemGetInfo(size_t *free_bytes, size_t *total);
CudaError cudaMemcpy(void *to, const void *from, size_t bytes, CudaCopyKind kind);
CudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, CudaCopyKind kind,
                          CudaStream stream);
CudaError cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                       size_t width, size_t height, CudaCopyKind kind);
CudaError cudaMemcpy3D(const CudaCopy3D *parameters);
CudaError cudaMemset(void *to, int byte, size_t bytes);
CudaError cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height);
CudaError cudaMemset3D(CudaPitched to, int byte, CudaExtent extent);
CudaError cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                             CudaCopyKind kind);
CudaError cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                               CudaCopyKind kind);
CudaError cudaGetSymbolAddress(void **pointer, const void *symbol);
CudaError cudaGetSymbolSize(size_t *bytes, const void *symbol);

CudaError cudaMallocHost(void **pointer, size_t bytes);

CudaError cudaDeviceSynchronize(void);
CudaError cudaStreamQuery(CudaStream stream);
CudaError cudaDeviceReset(void);
CudaError cudaSetDevice(int device);
CudaError cudaGetDevice(int *device);
CudaError cudaGetDeviceCount(int *count);
CudaError cudaRuntimeGetVersion(int *version);
CudaError cudaGetLastError(void);
CudaError cudaPeekAtLastError(void);
const char *cudaGetErrorName(CudaError code);
const char *cudaGetErrorString(CudaError code);

// Host addresses that identify kernels and variables (sample_module.c).
extern char host_add, host_scatter, host_hole, host_trap, host_wide, host_bounded, host_many,
    host_absent, host_sum, host_spin, host_await;
extern char host_counter, host_table;
extern int *host_managed;

// Registers the module of these kernels and variables; `packing` as in fatbin_writer.h.
void **module_open(int packing);
void module_close(void **handle);

#endif
