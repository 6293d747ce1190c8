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

// The entries first to last - 1 of a list, which a warp takes one after the other, and the place of
// a lane in the warp.
struct WarpChunk {
    int first, last, lane, width;
};

// The chunk of the thread's warp: each takes `chunk` of `count` entries, the last one the rest.
// Blocks need not be whole warps.
HEDDLE_INLINE WarpChunk warp_chunk(int chunk, int count)
{
    WarpChunk mine;
    mine.width = warp_width();
    mine.lane = thread_index() & (mine.width - 1);
    int warp = thread_index() >> (31 - __builtin_clz(mine.width));
    mine.first = warp * chunk;
    mine.last = (warp + 1) * chunk < count ? (warp + 1) * chunk : count;
    return mine;
}

#endif
