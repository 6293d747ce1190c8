// Launches of kernels.
#ifndef HEDDLE_CUDART_KERNEL_LAUNCH_H
#define HEDDLE_CUDART_KERNEL_LAUNCH_H

#include "cudart/modules/cuda_modules.h"

// What a launch asks for besides its kernel and arguments.
typedef struct LaunchShape {
    CudaDim3 grid, block;
    size_t dynamic_shared;
    bool cooperative; // all blocks are to be on the device at once
} LaunchShape;

// Bytes of shared memory that one block may have without asking (cudaFuncSetAttribute).
enum { DEFAULT_MAX_SHARED = 48 << 10 };

// Under the lock, with the device open: runs the kernel to its end. An illegal launch is explained
// on stderr and returns its code; a fault of the kernel is told on stderr, and becomes the
// context's (cudart_set_fault).
CudaError launch_kernel(RtKernel *kernel, const LaunchShape *shape, void **arguments);

#endif
