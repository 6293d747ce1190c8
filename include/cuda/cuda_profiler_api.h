// For programs that include this name; cuda_runtime.h declares everything.
#ifndef HEDDLE_CUDA_CUDA_PROFILER_API_H
#define HEDDLE_CUDA_CUDA_PROFILER_API_H
#include "cuda_runtime.h"
#endif
