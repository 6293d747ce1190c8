// Surfaces: arrays that kernels write to.
#ifndef HEDDLE_CUDART_SURFACE_OBJECTS_H
#define HEDDLE_CUDART_SURFACE_OBJECTS_H

#include <stdbool.h>

// Forgets all objects (cudaDeviceReset), under the lock.
void surfaces_reset(bool gone);

#endif
