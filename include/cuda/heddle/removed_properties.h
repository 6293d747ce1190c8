// The members of cudaDeviceProp that CUDA 13 removed (clockRate, memoryClockRate, ...). No library
// fills them in, so cudaGetDeviceProperties becomes a function that asks for their attributes.
// cuda_runtime_api.h includes this file. For nvcc 13, which has its own headers:
//     nvcc -include heddle/include/cuda/heddle/removed_properties.h ...
// for each file of the program, because cudaDeviceProp then has another name.
#ifndef HEDDLE_CUDA_REMOVED_PROPERTIES_H
#define HEDDLE_CUDA_REMOVED_PROPERTIES_H

#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000 // older toolkits have the members

typedef struct cudaDeviceProp HeddleToolkitProperties;
#if !defined(HEDDLE_CUDA_DEVICE_PROPERTIES_H)
#define cudaDeviceProp heddleDeviceProp
#include "device_properties.h"
// Does the toolkit's structure have the size of ours?
typedef char HeddleSameSize[sizeof(HeddleToolkitProperties) == sizeof(struct cudaDeviceProp) ? 1
                                                                                            : -1];
#endif

static __inline__ cudaError_t heddle_get_properties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error =
        cudaGetDeviceProperties((HeddleToolkitProperties *)(void *)properties, device);
#define HEDDLE_REMOVED(member, attribute)                                                          \
    if (!error) error = cudaDeviceGetAttribute(&properties->member, cudaDevAttr##attribute, device)
    HEDDLE_REMOVED(clockRate, ClockRate);
    HEDDLE_REMOVED(deviceOverlap, GpuOverlap);
    HEDDLE_REMOVED(kernelExecTimeoutEnabled, KernelExecTimeout);
    HEDDLE_REMOVED(computeMode, ComputeMode);
    HEDDLE_REMOVED(maxTexture1DLinear, MaxTexture1DLinearWidth);
    HEDDLE_REMOVED(memoryClockRate, MemoryClockRate);
    HEDDLE_REMOVED(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio);
#undef HEDDLE_REMOVED
    // CUDA 13 has neither the attribute nor the launch.
    if (!error) properties->cooperativeMultiDeviceLaunch = 0;
    return error;
}
#define cudaGetDeviceProperties heddle_get_properties

static __inline__ cudaError_t heddle_choose_device(int *device, const struct cudaDeviceProp *wanted)
{
    return cudaChooseDevice(device, (const HeddleToolkitProperties *)(const void *)wanted);
}
#define cudaChooseDevice heddle_choose_device

#endif

#endif
