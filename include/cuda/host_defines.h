// The keywords of CUDA C.
#ifndef HEDDLE_CUDA_HOST_DEFINES_H
#define HEDDLE_CUDA_HOST_DEFINES_H

#if defined(__CUDA__)
#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
// clang 15 and newer define this keyword.
#if defined(__CUDA__) && defined(__clang__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__           __thread
#define __maxnreg__(n)
// A hint to read the parameter in place; clang decides this itself.
#define __grid_constant__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#endif
