// Kernels as the occupancy queries see them; under the lock.
#ifndef HEDDLE_CUDART_KERNEL_ATTRIBUTES_H
#define HEDDLE_CUDART_KERNEL_ATTRIBUTES_H

#include "cudart/modules/cuda_modules.h"
#include "cudart/runtime/context.h"

// Of a kernel in use: bytes of dynamic shared memory with which it may be launched.
uint64_t kernel_max_dynamic_shared(const RtKernel *kernel);
// "sm_75" -> 75; 0 where there is no number.
int ptx_target_capability(const char *target);
// Registers of one of its threads in blocks of so many; 0: of any number.
CudaError kernel_registers(const RtKernel *kernel, unsigned threads, uint32_t *registers);
// Blocks of so many threads, with so many bytes of dynamic shared memory, that an SM holds at once;
// 0 where not even one fits.
CudaError kernel_blocks_per_sm(const RtKernel *kernel, unsigned threads, uint64_t dynamic,
                          unsigned *blocks);

#endif
