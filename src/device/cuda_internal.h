// The state of the backend `cuda`, which its files share.
#ifndef HEDDLE_DEVICE_CUDA_INTERNAL_H
#define HEDDLE_DEVICE_CUDA_INTERNAL_H

#include "device/backend.h"
#include "device/cuda.h"
#include "device/cuda_api.h"

typedef struct CudaKernel {
    const PtxFunction *function;
    CudaFunctionHandle handle; // NULL: not asked for yet
    int registers, shared_bytes, local_bytes;
} CudaKernel;

typedef struct CudaModule {
    PtxModule *ptx;
    CudaModuleHandle handle;
    CudaKernel *kernels; // by function of ptx
} CudaModule;

typedef struct CudaArray {
    CudaAddress address;
    char name[64];
} CudaArray;

// The events around a launch.
typedef struct CudaSpan { CudaEventHandle begin, end; } CudaSpan;

typedef struct CudaDevice {
    void *library;
    CudaApi api;
    CudaInfo info;
    int device;
    bool entered; // its context is ours to leave
    HdCuda options;
    const char *target; // see device_cuda_target
    CudaModule *modules;
    size_t module_count, module_capacity;
    CudaArray *arrays;
    size_t array_count, array_capacity;
    CudaLaunch *launches; // those whose time is known first
    size_t launch_count, launch_capacity, timed;
    CudaSpan *spans; // by launch
    size_t span_count, span_capacity;
} CudaDevice;

// The module's text goes to the driver, which compiles it. false and err (the driver's complaint).
bool cuda_load(CudaDevice *cuda, const char *text, const char *path, HdError *err);
bool cuda_find(CudaDevice *cuda, const char *name, CudaKernel **kernel, HdError *err);
void cuda_modules_free(CudaDevice *cuda);

// Puts the launch between its two events. false and err.
bool cuda_start(CudaDevice *cuda, const CudaKernel *kernel, const CudaLaunch *launch,
                const CudaSpan *span, const void *block, HdError *err);
// Waits for the GPU; a fault of a kernel is told here.
bool cuda_wait(CudaDevice *cuda, HdError *err);

#endif
