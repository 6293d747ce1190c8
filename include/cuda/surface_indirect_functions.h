// For programs that include it by this name; all of it is there with cuda_runtime.h.
#ifndef HEDDLE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H
#define HEDDLE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
