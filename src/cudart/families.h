// What the API's families keep of their own beside the context.
#ifndef HEDDLE_CUDART_FAMILIES_H
#define HEDDLE_CUDART_FAMILIES_H

#include <stdbool.h>

// As at the start (cudaDeviceReset), under the lock, before the device's memory goes: what the
// program made is gone, and its handles are invalid. `gone`: the device is, too.
void families_reset(bool gone);

#endif
