// For programs that include this name; cuda_runtime.h declares everything.
#ifndef HEDDLE_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#define HEDDLE_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
