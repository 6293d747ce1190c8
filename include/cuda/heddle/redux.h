// __reduce_add_sync and the like: combine the values of a mask's lanes, and give the result to each
// lane. They replace clang's functions, because some versions of clang exchange the mask and the
// value.
#ifndef HEDDLE_CUDA_REDUX_H
#define HEDDLE_CUDA_REDUX_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

#define HEDDLE_REDUCE(name, ptx, type)                                                             \
    static __device__ __forceinline__ type heddle_reduce_##name(unsigned mask, type value)         \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("redux.sync." ptx " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));     \
        return result;                                                                             \
    }
HEDDLE_REDUCE(add, "add.s32", int)
HEDDLE_REDUCE(add, "add.u32", unsigned)
HEDDLE_REDUCE(min, "min.s32", int)
HEDDLE_REDUCE(min, "min.u32", unsigned)
HEDDLE_REDUCE(max, "max.s32", int)
HEDDLE_REDUCE(max, "max.u32", unsigned)
HEDDLE_REDUCE(and, "and.b32", unsigned)
HEDDLE_REDUCE(or, "or.b32", unsigned)
HEDDLE_REDUCE(xor, "xor.b32", unsigned)
#undef HEDDLE_REDUCE

#define __reduce_add_sync heddle_reduce_add
#define __reduce_min_sync heddle_reduce_min
#define __reduce_max_sync heddle_reduce_max
#define __reduce_and_sync heddle_reduce_and
#define __reduce_or_sync  heddle_reduce_or
#define __reduce_xor_sync heddle_reduce_xor

#endif

#endif
