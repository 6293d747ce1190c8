// For programs that include it by this name; all of it is there with driver_types.h.
#ifndef HEDDLE_CUDA_BUILTIN_TYPES_H
#define HEDDLE_CUDA_BUILTIN_TYPES_H
#include "driver_types.h"
#include "texture_types.h"
#endif
