// cooperative_groups::reduce over the threads of a tile or of a coalesced group.
#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define HEDDLE_OPERATION(name, ...)                                                                \
    template <typename T = void> struct name {                                                     \
        __device__ __forceinline__ T operator()(T a, T b) const { return __VA_ARGS__; }            \
    };
HEDDLE_OPERATION(plus, a + b)
HEDDLE_OPERATION(less, a < b ? a : b)
HEDDLE_OPERATION(greater, a > b ? a : b)
HEDDLE_OPERATION(bit_and, a &b)
HEDDLE_OPERATION(bit_or, a | b)
HEDDLE_OPERATION(bit_xor, a ^ b)
#undef HEDDLE_OPERATION

template <unsigned Size, typename P, typename T, typename F>
static __device__ __forceinline__ T reduce(const thread_block_tile<Size, P> &tile, T value, F &&op)
{
    for (unsigned apart = Size / 2; apart; apart /= 2)
        value = op(value, tile.shfl_xor(value, apart));
    return value;
}
template <typename T, typename F>
static __device__ __forceinline__ T reduce(const coalesced_group &group, T value, F &&op)
{
    T result = group.shfl(value, 0u);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = op(result, group.shfl(value, rank));
    return result;
}

} // namespace cooperative_groups

#endif
