// Included by clang's own header of warp functions, by this name: __match_any_sync and
// __match_all_sync for each type, and functions of compute capability 7.0 and later.
#ifndef HEDDLE_CUDA_SM_70_RT_HPP
#define HEDDLE_CUDA_SM_70_RT_HPP

#define HEDDLE_MATCH(type, bits, as)                                                               \
    static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, type value)         \
    {                                                                                              \
        return (unsigned)__match##bits##_any_sync(mask, __builtin_bit_cast(as, value));            \
    }                                                                                              \
    static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, type value,         \
                                                                int *all)                          \
    {                                                                                              \
        return (unsigned)__match##bits##_all_sync(mask, __builtin_bit_cast(as, value), all);       \
    }
HEDDLE_MATCH(int, 32, unsigned)
HEDDLE_MATCH(unsigned, 32, unsigned)
HEDDLE_MATCH(float, 32, unsigned)
HEDDLE_MATCH(long, 64, unsigned long long)
HEDDLE_MATCH(unsigned long, 64, unsigned long long)
HEDDLE_MATCH(long long, 64, unsigned long long)
HEDDLE_MATCH(unsigned long long, 64, unsigned long long)
HEDDLE_MATCH(double, 64, unsigned long long)
#undef HEDDLE_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned nanoseconds)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}

#endif
