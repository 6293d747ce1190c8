// NVIDIA's libraries whose kernels are machine code: cuBLAS, cuFFT, ... Heddle does not run them.
#ifndef HEDDLE_DEVICE_VENDOR_LIBRARIES_H
#define HEDDLE_DEVICE_VENDOR_LIBRARIES_H

#include <stdbool.h>

// Whether a library with this name, or soname, is one of them: "libcublas.so.13".
bool is_vendor_library(const char *name);

#endif
