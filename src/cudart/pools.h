// Pools of memory.
#ifndef HEDDLE_CUDART_POOLS_H
#define HEDDLE_CUDART_POOLS_H

// As at the start (cudaDeviceReset), under the lock.
void pools_reset(void);

#endif
