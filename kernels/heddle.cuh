// The part of CUDA C that Heddle's kernels use, for clang without a CUDA SDK.
#ifndef HEDDLE_CUH
#define HEDDLE_CUH

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define HEDDLE_INLINE static __device__ __attribute__((always_inline)) inline

// threadIdx.x and the like read a special register; the objects themselves do not exist.
#define HEDDLE_AXIS(axis, builtin)                                                                 \
    __declspec(property(get = get_##axis)) unsigned axis;                                          \
    HEDDLE_INLINE unsigned get_##axis() { return builtin##axis(); }
#define HEDDLE_TRIPLE(type, name, builtin)                                                         \
    struct type {                                                                                  \
        HEDDLE_AXIS(x, builtin)                                                                    \
        HEDDLE_AXIS(y, builtin)                                                                    \
        HEDDLE_AXIS(z, builtin)                                                                    \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) type name;

HEDDLE_TRIPLE(HeddleThreadIdx, threadIdx, __nvvm_read_ptx_sreg_tid_)
HEDDLE_TRIPLE(HeddleBlockIdx, blockIdx, __nvvm_read_ptx_sreg_ctaid_)
HEDDLE_TRIPLE(HeddleBlockDim, blockDim, __nvvm_read_ptx_sreg_ntid_)
HEDDLE_TRIPLE(HeddleGridDim, gridDim, __nvvm_read_ptx_sreg_nctaid_)

// Lanes of a warp on the machine that runs the kernel: never a constant of the compiler.
HEDDLE_INLINE unsigned warp_width()
{
    unsigned width;
    asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
    return width;
}

#endif
