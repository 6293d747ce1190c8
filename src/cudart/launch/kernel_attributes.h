// Resources of kernels. All functions but ptx_target_capability require the lock, and a kernel that
// kernel_use returned.
#ifndef HEDDLE_CUDART_KERNEL_ATTRIBUTES_H
#define HEDDLE_CUDART_KERNEL_ATTRIBUTES_H

#include "cudart/modules/cuda_modules.h"
#include "cudart/runtime/process_context.h"

// The most bytes of dynamic shared memory that a launch may ask for.
uint64_t kernel_max_dynamic_shared(const RtKernel *kernel);
// "sm_75" gives 75; 0: the target has no number.
int ptx_target_capability(const char *target);
// Registers per thread in blocks of `threads` threads; `threads` 0: without a limit by block size.
CudaError kernel_registers(const RtKernel *kernel, unsigned threads, uint32_t *registers);
// How many blocks of `threads` threads, each with `dynamic` bytes of dynamic shared memory, an SM
// holds at once; 0: not even one fits.
CudaError kernel_blocks_per_sm(const RtKernel *kernel, unsigned threads, uint64_t dynamic,
                               unsigned *blocks);

#endif
