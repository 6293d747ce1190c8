// A float addition by compare and swap, for devices or languages without a float atomic.
#ifndef HEDDLE_KERNELS_CAS_CUH
#define HEDDLE_KERNELS_CAS_CUH

#include "heddle.cuh"

HEDDLE_INLINE void cas_add(float *at, float value)
{
    int found = __builtin_bit_cast(int, *at), before;
    do {
        before = found;
        float sum = __builtin_bit_cast(float, before) + value;
        found = atomicCAS((int *)at, before, __builtin_bit_cast(int, sum));
    } while (found != before);
}

#endif
