// Host memory that kernels can use.
//
// What the runtime allocates (cudaMallocHost, cudaHostAlloc) is guest memory, which lies in the
// host where the guest has it: one pointer for both. Memory of the program's own (cudaHostRegister)
// has a mirror in guest memory once the program asks for its address on the device; it is copied
// there before a launch and back behind it (docs/decisions/0011).
#ifndef HEDDLE_CUDART_HOST_MEMORY_H
#define HEDDLE_CUDART_HOST_MEMORY_H

#include "cudart/runtime/context.h"

// Around a launch, under the lock.
void host_memory_before_launch(void);
void host_memory_after_launch(void);

// What is registered around an address; false: nothing. *device is its address there, or 0.
bool host_memory_registered(const void *pointer, uint64_t *device);

// Forgets all (cudaDeviceReset), under the lock; guest memory goes with all other.
void host_memory_reset(void);

#endif
