// For programs that include this name; driver_types.h declares everything.
#ifndef HEDDLE_CUDA_BUILTIN_TYPES_H
#define HEDDLE_CUDA_BUILTIN_TYPES_H
#include "driver_types.h"
#include "texture_types.h"
#endif
