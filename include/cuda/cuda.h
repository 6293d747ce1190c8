// Types of the CUDA driver API that programs of the runtime API use. The driver API itself is not
// supported.
#ifndef HEDDLE_CUDA_CUDA_H
#define HEDDLE_CUDA_CUDA_H
// The include guard of the toolkit: other headers test it.
#define __cuda_cuda_h__

#include <stdint.h>

#define CUDA_VERSION 13000

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#endif
