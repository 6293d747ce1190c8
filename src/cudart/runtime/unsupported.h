// Calls, and uses of calls, that the runtime does not have: each is told once, by name, with what
// to do, and returns CUDA's error for what a device does not support.
#ifndef HEDDLE_CUDART_UNSUPPORTED_H
#define HEDDLE_CUDART_UNSUPPORTED_H

#include "cudart/runtime/context.h"

// A call that is there, of which `what` is not; `instead` says what to do. cudaErrorNotSupported.
// Under the lock.
CudaError unsupported_part(const char *call, const char *what, const char *instead);

// What was told of, by name; NULL behind the last. Under the lock.
const char *unsupported_reported(unsigned index);

#endif
