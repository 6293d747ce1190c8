// Pools of memory.
#ifndef HEDDLE_CUDART_MEMORY_POOLS_H
#define HEDDLE_CUDART_MEMORY_POOLS_H

#include "cudart/runtime/handles.h"

#include <stdint.h>

// It keeps nothing back, so that its settings are only told again.
typedef struct MemoryPool {
    Handle handle;
    int reuse[3]; // POOL_FOLLOW_EVENTS ...
    uint64_t threshold;
} MemoryPool;
#define POOL_INITIAL {.reuse = {1, 1, 1}}

// As at the start (cudaDeviceReset), under the lock.
void pools_reset(void);

#endif
