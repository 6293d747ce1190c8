// Memory pools.
#ifndef HEDDLE_CUDART_MEMORY_POOLS_H
#define HEDDLE_CUDART_MEMORY_POOLS_H

#include "cudart/runtime/handles.h"

#include <stdint.h>

// A pool caches no memory, so its settings have no effect; they are stored for reading back.
typedef struct MemoryPool {
    Handle handle;
    int reuse[3];       // the settings POOL_FOLLOW_EVENTS to POOL_DEPENDENCIES
    uint64_t threshold; // bytes
} MemoryPool;
#define POOL_INITIAL {.reuse = {1, 1, 1}}

// Destroys all pools (cudaDeviceReset), under the lock.
void pools_reset(void);

#endif
