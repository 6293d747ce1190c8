// For programs that include this name; cuda_runtime.h declares threadIdx and the like.
#ifndef HEDDLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define HEDDLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif
