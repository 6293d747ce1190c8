// For CUDA programs: kernels get the elements of an array of indices in an order that suits their
// accesses by these indices. The reordering is done by the mechanism `iru` of Heddle.
//
// segura2022iru, section 4 and its Figures 8 to 11. On Heddle's runtime with `iru` in the run, the
// engines beside the L2 read the array ahead of the kernel:
//
//     if (iru_available()) {
//         configure_iru(label, sizeof *label, edge_frontier, weight_frontier, count, IRU_MIN);
//         compact_iru<<<...>>>(label, lookup, count);
//     } else {
//         compact<<<...>>>(edge_frontier, weight_frontier, label, lookup, count);
//     }
//
//     __global__ void compact_iru(unsigned *label, unsigned *lookup, int count)
//     {
//         int edge;
//         unsigned weight, position;
//         if (blockIdx.x * blockDim.x + threadIdx.x >= count) return;
//         if (!load_iru(edge, weight, position)) return;
//         if (atomicMin(&label[edge], weight) > weight) lookup[edge] = position;
//     }
//
// On any other runtime, and without `iru`, iru_available() is false and configure_iru does nothing.
// No kernel with load_iru can run there, so a program needs its plain kernel as well. No GPU has
// the instructions: ptxas and the driver reject a file that has them, with all of its kernels. A
// program that is to run on a GPU too has its kernels with load_iru in a file of their own, which
// nvcc compiles to PTX alone (-gencode arch=compute_70,code=compute_70), and launches none of them
// there.
//
// Reference: docs/mechanisms/iru.md.
#ifndef HEDDLE_IRU_H
#define HEDDLE_IRU_H

#include <cuda_runtime_api.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef RTLD_DEFAULT
#define RTLD_DEFAULT ((void *)0) /* where dlfcn.h has it for _GNU_SOURCE only */
#endif

// What the engines may do with elements that have the same index.
typedef enum IruFilter {
    IRU_NONE, // keep them all
    IRU_MIN,  // keep one with the least secondary element, compared as unsigned integers; without
              // secondary elements, any one
    IRU_ADD   // keep one, with the sum of the secondary elements, which are floats
} IruFilter;

// Each file has its own copies. They are not inlined, so that reports name the line of the caller.
#define HEDDLE_IRU_FUNCTION static __attribute__((unused, noinline))

// Whether kernels with load_iru can run: the runtime is Heddle's, with `iru` in the run.
HEDDLE_IRU_FUNCTION bool iru_available(void)
{
    bool (*has)(const char *);
    *(void **)&has = dlsym(RTLD_DEFAULT, "heddle_has_mechanism");
    return has && has("iru");
}

// Says what the next launched kernel with load_iru gets: `count` elements of `indices`, which have
// 32 bits and are below 2^24, and of `secondary_array`, of any type of 32 bits, or NULL. The kernel
// uses an index for an element of `target_array`, which has `target_type_size` bytes: elements are
// grouped by the lines of 128 bytes that it touches. A kernel that loads positions has at most 2^24
// elements. A call that the mechanism refuses returns cudaErrorInvalidValue, and the reason is
// printed on stderr. With secondary elements, both arrays should start in the same L2 slice: on
// most machines they do if their addresses have the same remainder by 12,288.
HEDDLE_IRU_FUNCTION cudaError_t configure_iru(const void *target_array, size_t target_type_size,
                                              const void *indices, const void *secondary_array,
                                              size_t count, IruFilter filter)
{
    const uint64_t values[6] = {(uint64_t)(uintptr_t)target_array, target_type_size,
                                (uint64_t)(uintptr_t)indices,
                                (uint64_t)(uintptr_t)secondary_array, count, (uint64_t)filter};
    cudaError_t (*call)(const char *, const char *, const uint64_t *, size_t);
    *(void **)&call = dlsym(RTLD_DEFAULT, "heddle_call");
    return call ? call("iru", "configure", values, 6) : cudaSuccess;
}

// ---- in kernels ----
//
// Each thread with a number below the count calls one of these functions, once. It gets an element
// that no other thread gets. false: there is none for it, because elements have been dropped or
// added up: it must skip what it would do with one, and the results are undefined. This also holds
// for IRU_MIN: the kernel of the paper's Figure 10 ignores the result.
#if defined(__CUDACC__)

#define HEDDLE_IRU_DEVICE template <class Index> __device__ __forceinline__ bool
// The text of a load whose destinations are the operands of the asm statement from %1 on. The
// instruction sets a predicate, which cannot be an operand.
#define HEDDLE_IRU_TEXT(name, destinations)                                                        \
    "{\n\t.reg .pred %%p;\n\t" name " %%p, " destinations ";\n\tselp.u32 %0, 1, 0, %%p;\n\t}"

#define HEDDLE_IRU_CHECK_INDEX                                                                     \
    static_assert(sizeof(Index) == 4 && Index(1) / Index(2) == Index(0),                           \
                  "load_iru: expected an index of type int or unsigned")

// The index is an int or unsigned.
HEDDLE_IRU_DEVICE load_iru(Index &index)
{
    HEDDLE_IRU_CHECK_INDEX;
    unsigned has;
    asm volatile(HEDDLE_IRU_TEXT("load_iru", "%1") : "=r"(has), "=r"(index));
    return has != 0;
}

// The position of the element in the arrays is less than their length.
HEDDLE_IRU_DEVICE load_iru_position(Index &index, unsigned &position)
{
    HEDDLE_IRU_CHECK_INDEX;
    unsigned has;
    asm volatile(HEDDLE_IRU_TEXT("load_iru.position", "%1, %2")
                 : "=r"(has), "=r"(index), "=r"(position));
    return has != 0;
}

// load_iru(index, secondary) and load_iru(index, secondary, position) for secondary elements of a
// type.
#define HEDDLE_IRU_SECONDARY(type, constraint)                                                     \
    HEDDLE_IRU_DEVICE load_iru(Index &index, type &secondary)                                      \
    {                                                                                              \
        HEDDLE_IRU_CHECK_INDEX;                                                                    \
        unsigned has;                                                                              \
        asm volatile(HEDDLE_IRU_TEXT("load_iru.secondary", "%1, %2")                               \
                     : "=r"(has), "=r"(index), constraint(secondary));                             \
        return has != 0;                                                                           \
    }                                                                                              \
    HEDDLE_IRU_DEVICE load_iru(Index &index, type &secondary, unsigned &position)                  \
    {                                                                                              \
        HEDDLE_IRU_CHECK_INDEX;                                                                    \
        unsigned has;                                                                              \
        asm volatile(HEDDLE_IRU_TEXT("load_iru.secondary.position", "%1, %2, %3")                  \
                     : "=r"(has), "=r"(index), constraint(secondary), "=r"(position));             \
        return has != 0;                                                                           \
    }
HEDDLE_IRU_SECONDARY(int, "=r")
HEDDLE_IRU_SECONDARY(unsigned, "=r")
HEDDLE_IRU_SECONDARY(float, "=f")

#endif

#endif
