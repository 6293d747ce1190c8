// The keywords, types and functions of CUDA C, and the runtime API. `heddle cc` includes this
// header in front of every program, as nvcc does.
//
// The device side is clang's own CUDA headers (builtin variables, warp and conversion functions,
// the overloads of math.h) on top of our functions, which replace the toolkit's device library.
// Other compilers get only the types and the API.
#ifndef HEDDLE_CUDA_CUDA_RUNTIME_H
#define HEDDLE_CUDA_CUDA_RUNTIME_H
// The include guard of the toolkit: other headers test it.
#define __CUDA_RUNTIME_H__

#include "host_defines.h"

#if defined(__CUDA__) && defined(__cplusplus)

// Must precede the first inclusion of cmath, which then does not define these names for the device.
#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

#include <stdlib.h>

// Reports attribute inlined code of our headers, and of clang's, to the line of the call.
#define HEDDLE_CALLERS_LINE                                                                        \
    _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")
HEDDLE_CALLERS_LINE
#include "heddle/device_calls.h"
#pragma clang attribute pop

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits.h>
#include <math.h>
#include <new>
#include <string.h>
#include <utility>

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"

HEDDLE_CALLERS_LINE

#include "vector_functions.h"

#include <__clang_cuda_builtin_vars.h>

#include "heddle/math_basic.h"
#include "heddle/math_bessel.h"
#include "heddle/math_double.h"
#include "heddle/math_float.h"
#include "heddle/math_special.h"

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "heddle/both_math.h"
#include "heddle/device_library.h"
#include "heddle/float_overloads.h"

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>

#include "heddle/atomics.h"
#include "heddle/barriers.h"
#include "heddle/packed_integers.h"
#include "heddle/redux.h"
#include "heddle/runtime_templates.h"
#include "heddle/surfaces.h"
#include "heddle/textures.h"
#if defined(HEDDLE_TEXTURE_REFERENCES)
#include "heddle/texture_references.h"
#endif

// threadIdx and the like as values; clang's header does not define these before the types.
#define HEDDLE_BUILTIN_VALUE(name)                                                                 \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const                             \
    {                                                                                              \
        return dim3(x, y, z);                                                                      \
    }                                                                                              \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const                            \
    {                                                                                              \
        return uint3{x, y, z};                                                                     \
    }
HEDDLE_BUILTIN_VALUE(threadIdx)
HEDDLE_BUILTIN_VALUE(blockIdx)
HEDDLE_BUILTIN_VALUE(blockDim)
HEDDLE_BUILTIN_VALUE(gridDim)
#undef HEDDLE_BUILTIN_VALUE

#pragma clang attribute pop
#undef HEDDLE_CALLERS_LINE

#else

#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"

#if defined(__cplusplus)
#include "heddle/runtime_templates.h"
#endif

#endif

#endif
