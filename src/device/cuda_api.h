// The part of the CUDA driver's interface that the backend `cuda` uses. The library comes with the
// driver and is opened at run time, so that the build does not need CUDA.
#ifndef HEDDLE_DEVICE_CUDA_API_H
#define HEDDLE_DEVICE_CUDA_API_H

#include "device/library.h"

#include <stdint.h>

// Handles and constants of the driver.
typedef struct CudaContextHandle *CudaContextHandle;
typedef struct CudaModuleHandle *CudaModuleHandle;
typedef struct CudaFunctionHandle *CudaFunctionHandle;
typedef struct CudaEventHandle *CudaEventHandle;
typedef uint64_t CudaAddress;

enum {
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NO_DEVICE = 100,
    CUDA_NO_BINARY = 209,
    CUDA_INVALID_PTX = 218,
    CUDA_UNSUPPORTED_PTX = 222,
};
enum CudaDeviceAttribute {
    CUDA_MAX_THREADS_PER_BLOCK = 1,
    CUDA_WARP_SIZE = 10,
    CUDA_CLOCK_KHZ = 13,
    CUDA_SM_COUNT = 16,
    CUDA_CAPABILITY_MAJOR = 75,
    CUDA_CAPABILITY_MINOR = 76,
};
enum CudaFunctionAttribute {
    CUDA_FUNCTION_SHARED_BYTES = 1,
    CUDA_FUNCTION_LOCAL_BYTES = 3,
    CUDA_FUNCTION_REGISTERS = 4,
    CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
};
enum CudaJitOption { CUDA_JIT_ERROR_LOG = 5, CUDA_JIT_ERROR_LOG_BYTES = 6 };

// What a texture reads: plain memory of `channels` numbers for each texel.
typedef struct CudaTextureMemory {
    int kind; // CUDA_TEXTURE_LINEAR
    CudaAddress address;
    int format; // CUDA_FORMAT_FLOAT
    unsigned channels;
    size_t bytes;
    uint64_t reserved[13];
    unsigned flags;
} CudaTextureMemory;
_Static_assert(sizeof(CudaTextureMemory) == 144, "the driver's CUDA_RESOURCE_DESC");
enum { CUDA_TEXTURE_LINEAR = 2, CUDA_FORMAT_FLOAT = 0x20 };
// How a texture is sampled. Zeros: texels as they are.
typedef struct CudaTextureSampling {
    uint32_t reserved[26];
} CudaTextureSampling;
_Static_assert(sizeof(CudaTextureSampling) == 104, "the driver's CUDA_TEXTURE_DESC");

// Keys in the array of pointers that describes a launch's parameter block.
#define CUDA_LAUNCH_END ((void *)0)
#define CUDA_LAUNCH_BLOCK ((void *)1)
#define CUDA_LAUNCH_BLOCK_BYTES ((void *)2)

// All return 0 or an error code. Streams are always NULL, the default stream.
#define CUDA_FUNCTIONS(F)                                                                          \
    F(cuInit, (unsigned flags))                                                                    \
    F(cuDriverGetVersion, (int *version))                                                          \
    F(cuGetErrorName, (int code, const char **text))                                               \
    F(cuGetErrorString, (int code, const char **text))                                             \
    F(cuDeviceGet, (int *device, int ordinal))                                                     \
    F(cuDeviceGetName, (char *text, int size, int device))                                         \
    F(cuDeviceGetAttribute, (int *value, int attribute, int device))                               \
    F(cuDeviceGetPCIBusId, (char *text, int size, int device))                                     \
    F(cuDevicePrimaryCtxRetain, (CudaContextHandle *context, int device))                          \
    F(cuDevicePrimaryCtxRelease, (int device))                                                     \
    F(cuCtxSetCurrent, (CudaContextHandle context))                                                \
    F(cuCtxSynchronize, (void))                                                                    \
    F(cuModuleLoadDataEx, (CudaModuleHandle *module, const void *image, unsigned count,            \
                           const int *options, void **values))                                     \
    F(cuModuleUnload, (CudaModuleHandle module))                                                   \
    F(cuModuleGetFunction,                                                                         \
      (CudaFunctionHandle *function, CudaModuleHandle module, const char *name))                   \
    F(cuModuleGetGlobal_v2, (CudaAddress *address, size_t *bytes, CudaModuleHandle module,         \
                             const char *name))                                                    \
    F(cuFuncGetAttribute, (int *value, int attribute, CudaFunctionHandle function))                \
    F(cuFuncSetAttribute, (CudaFunctionHandle function, int attribute, int value))                 \
    F(cuMemAlloc_v2, (CudaAddress *address, size_t bytes))                                         \
    F(cuMemFree_v2, (CudaAddress address))                                                         \
    F(cuMemcpyHtoD_v2, (CudaAddress to, const void *from, size_t bytes))                           \
    F(cuMemcpyDtoH_v2, (void *to, CudaAddress from, size_t bytes))                                 \
    F(cuMemcpyDtoD_v2, (CudaAddress to, CudaAddress from, size_t bytes))                           \
    F(cuMemsetD8_v2, (CudaAddress to, unsigned char byte, size_t bytes))                           \
    F(cuTexObjectCreate, (uint64_t *texture, const CudaTextureMemory *memory,                      \
                          const CudaTextureSampling *sampling, const void *view))                  \
    F(cuTexObjectDestroy, (uint64_t texture))                                                      \
    F(cuLaunchKernel,                                                                              \
      (CudaFunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,             \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,  \
       void **parameters, void **extra))                                                           \
    F(cuEventCreate, (CudaEventHandle *event, unsigned flags))                                     \
    F(cuEventDestroy_v2, (CudaEventHandle event))                                                  \
    F(cuEventRecord, (CudaEventHandle event, void *stream))                                        \
    F(cuEventElapsedTime, (float *milliseconds, CudaEventHandle from, CudaEventHandle to))

typedef struct CudaApi {
    CUDA_FUNCTIONS(LIBRARY_POINTER)
} CudaApi;

// Opens libcuda.so.1 (on the system's search path) and starts the driver. Returns the library's
// handle, or NULL and err in one line.
void *cuda_api_open(CudaApi *api, HdError *err);

// Sets err to "WHAT: CUDA_ERROR_NAME: the driver's description"; returns false.
bool cuda_fail(const CudaApi *api, int code, HdError *err, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

#endif
