// For programs that include it by this name; all of it is there with cuda_runtime.h.
#ifndef HEDDLE_CUDA_SM_20_INTRINSICS_H
#define HEDDLE_CUDA_SM_20_INTRINSICS_H
#include "cuda_runtime.h"
#endif
