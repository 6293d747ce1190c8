// threadIdx and the like are there with cuda_runtime.h; this name is for programs that include it.
#ifndef HEDDLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define HEDDLE_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif
