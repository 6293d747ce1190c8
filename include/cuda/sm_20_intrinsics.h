// For programs that include this name; cuda_runtime.h declares everything.
#ifndef HEDDLE_CUDA_SM_20_INTRINSICS_H
#define HEDDLE_CUDA_SM_20_INTRINSICS_H
#include "cuda_runtime.h"
#endif
