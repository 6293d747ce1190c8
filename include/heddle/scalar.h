// For CUDA programs: values that all threads of a warp have in common.
//
// yilmazer2020gw, section 5.2: a vertex is the task of a warp, and what depends on the warp alone
// is computed once for all of its lanes, where the machine executes scalar instructions so:
//
//     __global__ void compute_ranks(const int *vertices, const int *edges, ...)
//     {
//         unsigned v = get_warp_id();
//         if (v >= count) return;
//         int start = vertices[v], end = vertices[v + 1];
//         float share = ranks[v] / (end - start);
//         for (int e = start + get_warp_local_id(); e < end; e += get_simd_width()) ...
//     }
//
// Heddle finds most of these instructions itself. Where it cannot, heddle_scalar(x) says that x is
// equal in all lanes that execute it together. Heddle checks that: lanes that differ stop the
// kernel, with their values. On a GPU, heddle_scalar(x) is x. Mark an index, not an address: a load
// through a marked address is a generic one, which is never scalar.
//
// Reference: docs/run-cuda.md.
#ifndef HEDDLE_SCALAR_H
#define HEDDLE_SCALAR_H

#if defined(__CUDACC__)

#define HEDDLE_SCALAR_FUNCTION static __device__ __forceinline__
// A fault then names the program's line.
#if defined(__clang__)
#define HEDDLE_NO_LINES __attribute__((nodebug))
#else
#define HEDDLE_NO_LINES
#endif

// Lanes of a warp, and the lane of the thread.
HEDDLE_SCALAR_FUNCTION unsigned get_simd_width()
{
    unsigned width;
    asm("mov.u32 %0, WARP_SZ;" : "=r"(width));
    return width;
}

HEDDLE_SCALAR_FUNCTION unsigned get_warp_local_id()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// The index of the thread's warp in a one-dimensional grid. For Heddle only: there, %warpid is the
// index of a warp in its block, and %nwarpid the number of the block's warps. On a GPU, %warpid is
// the warp slot of the SM that the warp is in, and %nwarpid the number of such slots. A program
// that is to run on a GPU too has (blockIdx.x * blockDim.x + threadIdx.x) / warpSize there, with
// blocks of whole warps.
HEDDLE_SCALAR_FUNCTION unsigned get_warp_id()
{
    unsigned warp, count;
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%nwarpid;" : "=r"(count));
    return blockIdx.x * count + warp;
}

// x, of which the program says that it is equal in all active lanes of the warp. The number of the
// place keeps compilers from making one mark of those on the two sides of a branch.
#define heddle_scalar(x) heddle_scalar_at<__COUNTER__>(x)
#define HEDDLE_SCALAR_VALUE(type, ptx, constraint)                                                 \
    template <int place> HEDDLE_NO_LINES HEDDLE_SCALAR_FUNCTION type heddle_scalar_at(type x)      \
    {                                                                                              \
        type same;                                                                                 \
        asm volatile(".pragma \"heddle scalar\";\n\tmov." ptx " %0, %1; // %2"                     \
                     : "=" constraint(same) : constraint(x), "n"(place));                          \
        return same;                                                                               \
    }
HEDDLE_SCALAR_VALUE(int, "s32", "r")
HEDDLE_SCALAR_VALUE(unsigned, "u32", "r")
HEDDLE_SCALAR_VALUE(float, "f32", "f")
HEDDLE_SCALAR_VALUE(long, "s64", "l")
HEDDLE_SCALAR_VALUE(unsigned long, "u64", "l")
HEDDLE_SCALAR_VALUE(long long, "s64", "l")
HEDDLE_SCALAR_VALUE(unsigned long long, "u64", "l")
HEDDLE_SCALAR_VALUE(double, "f64", "d")

#undef HEDDLE_SCALAR_VALUE
#undef HEDDLE_NO_LINES
#undef HEDDLE_SCALAR_FUNCTION

#endif

#endif
