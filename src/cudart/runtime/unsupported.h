// API functions, and uses of functions, that the runtime does not support. Each is reported once,
// by name and with advice, and returns cudaErrorNotSupported.
#ifndef HEDDLE_CUDART_UNSUPPORTED_H
#define HEDDLE_CUDART_UNSUPPORTED_H

#include "cudart/runtime/process_context.h"

// Reports that the supported function `call` was used with the unsupported feature `what` (a
// plural); `instead` is the advice. Both must be static. Returns cudaErrorNotSupported. Requires
// the lock.
CudaError unsupported_part(const char *call, const char *what, const char *instead);

// The names of the reported features; NULL after the last. Requires the lock.
const char *unsupported_reported(unsigned index);

#endif
