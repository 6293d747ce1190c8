// Operations of all lanes of a warp. The width is a power of two, and blocks are whole warps.
#ifndef HEDDLE_WARP_CUH
#define HEDDLE_WARP_CUH

#include "heddle.cuh"

// The sum of the lanes' values, by pairwise addition.
HEDDLE_INLINE float warp_sum(float value, int width)
{
    for (int apart = width / 2; apart; apart /= 2)
        value += __nvvm_shfl_bfly_f32(value, apart, 0x1f);
    return value;
}

#endif
