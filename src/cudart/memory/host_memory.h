// Host memory that kernels can access.
//
// Memory from cudaMallocHost and cudaHostAlloc is guest memory, which has the same address in the
// host and in the guest. The program's own memory (cudaHostRegister) gets a mirror in guest memory
// when the program asks for its device address. It is copied to the mirror before each launch and
// back after it (docs/decisions/0011).
#ifndef HEDDLE_CUDART_HOST_MEMORY_H
#define HEDDLE_CUDART_HOST_MEMORY_H

#include "cudart/runtime/process_context.h"

// Copy registered memory to its mirrors, and back. Call around a launch, under the lock.
void host_memory_before_launch(void);
void host_memory_after_launch(void);

// Whether the address lies in registered memory. Sets *device to its address in the mirror, or 0.
bool host_memory_registered(const void *pointer, uint64_t *device);

// Unregisters everything (cudaDeviceReset), under the lock. memory_reset releases the mirrors.
void host_memory_reset(void);

#endif
