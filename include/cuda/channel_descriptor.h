// For programs that include this name; cuda_runtime.h declares everything.
#ifndef HEDDLE_CUDA_CHANNEL_DESCRIPTOR_H
#define HEDDLE_CUDA_CHANNEL_DESCRIPTOR_H
#include "cuda_runtime.h"
#endif
