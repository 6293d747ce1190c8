// The subset of CUDA C that Heddle's kernels use, for clang without a CUDA SDK.
#ifndef HEDDLE_CUH
#define HEDDLE_CUH

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define HEDDLE_INLINE static __device__ __attribute__((always_inline)) inline

// Members such as threadIdx.x read a special register; the objects themselves do not exist.
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

// ---- blocks ----

#define __syncthreads() __nvvm_bar_sync(0)

// Makes the stores of a warp's lanes visible to each other. On the targets of these kernels the
// lanes run in lock step, so a compiler barrier is enough.
#define warp_sync() asm volatile("" ::: "memory")

// The index of the thread in the grid, and the number of threads.
HEDDLE_INLINE int thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
HEDDLE_INLINE int thread_count() { return gridDim.x * blockDim.x; }

// ---- lanes of a warp; all lanes must call these together ----

// One bit per lane whose predicate is nonzero.
HEDDLE_INLINE unsigned warp_ballot(int predicate)
{
    unsigned lanes;
    asm volatile("{\n\t.reg .pred %%p;\n\tsetp.ne.s32 %%p, %1, 0;\n\t"
                 "vote.ballot.b32 %0, %%p;\n\t}" : "=r"(lanes) : "r"(predicate));
    return lanes;
}

// The value of lane `lane`.
HEDDLE_INLINE int warp_broadcast(int value, int lane)
{
    return __nvvm_shfl_idx_i32(value, lane, 0x1f);
}

// ---- memory ----

// A load that bypasses the L1, which is not coherent.
HEDDLE_INLINE int load_uncached(const int *at)
{
    int value;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

// ---- atomics; each returns the old value ----

HEDDLE_INLINE int atomicAdd(int *at, int value) { return __nvvm_atom_add_gen_i(at, value); }
HEDDLE_INLINE unsigned atomicAdd(unsigned *at, unsigned value)
{
    return __nvvm_atom_add_gen_i((int *)at, value);
}
HEDDLE_INLINE unsigned long long atomicAdd(unsigned long long *at, unsigned long long value)
{
    return __nvvm_atom_add_gen_ll((long long *)at, value);
}
HEDDLE_INLINE float atomicAdd(float *at, float value) { return __nvvm_atom_add_gen_f(at, value); }
HEDDLE_INLINE int atomicMin(int *at, int value) { return __nvvm_atom_min_gen_i(at, value); }
HEDDLE_INLINE unsigned atomicMin(unsigned *at, unsigned value)
{
    return __nvvm_atom_min_gen_ui(at, value);
}
HEDDLE_INLINE unsigned long long atomicMin(unsigned long long *at, unsigned long long value)
{
    return __nvvm_atom_min_gen_ull(at, value);
}
HEDDLE_INLINE int atomicMax(int *at, int value) { return __nvvm_atom_max_gen_i(at, value); }
HEDDLE_INLINE unsigned atomicMax(unsigned *at, unsigned value)
{
    return __nvvm_atom_max_gen_ui(at, value);
}
HEDDLE_INLINE int atomicExch(int *at, int value) { return __nvvm_atom_xchg_gen_i(at, value); }
HEDDLE_INLINE int atomicOr(int *at, int value) { return __nvvm_atom_or_gen_i(at, value); }
HEDDLE_INLINE int atomicCAS(int *at, int expected, int value)
{
    return __nvvm_atom_cas_gen_i(at, expected, value);
}

// ---- compiler directives ----

// Placed after one of the two stores in the arms of an if, to keep the compiler from merging them
// into one store with a selected address. If one store is to shared and the other to global memory,
// the merged instruction would use two state spaces, which Heddle does not support.
#define store_apart() asm volatile("" ::: "memory")

// ---- a warp for each task ----
// After Yilmazer-Metin, "Graph-Waving architecture", 2020, Listing 2.

HEDDLE_INLINE unsigned get_simd_width() { return warp_width(); }

// The lane of the thread in its warp.
HEDDLE_INLINE unsigned get_warp_local_id()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// The index of the thread's warp in its block; as get_warp_id() for Heddle only.
HEDDLE_INLINE unsigned get_warp_in_block()
{
    unsigned warp;
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    return warp;
}

// The index of the thread's warp in a one-dimensional grid. Heddle sees that it is equal in all
// lanes, which it cannot see of thread_index() / warp_width(). For Heddle only: on a GPU, %warpid
// is a warp slot of the SM, not an index in the block, and %nwarpid is the number of such slots.
HEDDLE_INLINE unsigned get_warp_id()
{
    unsigned count;
    asm("mov.u32 %0, %%nwarpid;" : "=r"(count));
    return blockIdx.x * count + get_warp_in_block();
}

#endif
