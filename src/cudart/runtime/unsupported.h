// API functions, and uses of functions, that the runtime does not support. Each is reported once,
// by name and with advice, and returns cudaErrorNotSupported.
#ifndef HEDDLE_CUDART_UNSUPPORTED_H
#define HEDDLE_CUDART_UNSUPPORTED_H

#include "cudart/runtime/process_context.h"

// Reports that the supported function `call` was used with the unsupported feature `what` (a
// plural); `instead` is the advice. Both must be static. Returns cudaErrorNotSupported. Requires
// the lock.
CudaError unsupported_part(const char *call, const char *what, const char *instead);

// Counts a launch that fails because Heddle lacks something. Requires the lock.
void unsupported_launch(void);

// The vendor's libraries in this process, whose calls fail because their kernels cannot run.
enum { MAX_VENDOR_LIBRARIES = 16, VENDOR_LIBRARY_NAME = 64 };
typedef struct VendorLibraries {
    char names[MAX_VENDOR_LIBRARIES][VENDOR_LIBRARY_NAME];
    unsigned count;
} VendorLibraries;

// Why results of the program may be missing.
typedef struct Incomplete {
    bool any;
    uint64_t calls, launches; // that have failed because Heddle lacks something
    VendorLibraries libraries;
} Incomplete;
// What has happened so far. Requires the lock.
Incomplete unsupported_summary(void);

// The names of the reported features; NULL after the last. Requires the lock.
const char *unsupported_reported(unsigned index);

#endif
