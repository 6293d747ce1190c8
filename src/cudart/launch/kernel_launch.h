// Kernel launches.
#ifndef HEDDLE_CUDART_KERNEL_LAUNCH_H
#define HEDDLE_CUDART_KERNEL_LAUNCH_H

#include "cudart/modules/cuda_modules.h"

// The configuration of a launch.
typedef struct LaunchShape {
    CudaDim3 grid, block;
    size_t dynamic_shared;
    bool cooperative; // all blocks must be resident at once
    uint64_t cluster; // blocks in a cluster; 0: the launch does not say
} LaunchShape;

// Bytes of shared memory that a block may have unless cudaFuncSetAttribute allows more.
enum { DEFAULT_MAX_SHARED = 48 << 10 };

// Runs a kernel to its end. Requires the lock and an open device. An illegal launch is reported on
// stderr and returns its code. A fault of the kernel is reported on stderr and recorded with
// cudart_set_fault.
CudaError launch_kernel(RtKernel *kernel, const LaunchShape *shape, void **arguments);

#endif
