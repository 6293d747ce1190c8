// Surfaces: arrays that kernels can write to.
#ifndef HEDDLE_CUDART_SURFACE_OBJECTS_H
#define HEDDLE_CUDART_SURFACE_OBJECTS_H

#include <stdbool.h>

// Destroys all objects (cudaDeviceReset), under the lock. `closing`: the device is closed next.
void surfaces_reset(bool closing);

#endif
