// cooperative_groups::inclusive_scan and exclusive_scan over the threads of a tile or of a
// coalesced group, in the order of their ranks.
#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <typename Group, typename T, typename F>
static __device__ __forceinline__ T inclusive_scan(const Group &group, T value, F &&op)
{
    for (unsigned by = 1; by < group.size(); by *= 2) {
        T before = group.shfl_up(value, by);
        if (group.thread_rank() >= by) value = op(before, value);
    }
    return value;
}
template <typename Group, typename T>
static __device__ __forceinline__ T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

// The first thread, which has no predecessor, gets T().
template <typename Group, typename T, typename F>
static __device__ __forceinline__ T exclusive_scan(const Group &group, T value, F &&op)
{
    T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() ? before : T();
}
template <typename Group, typename T>
static __device__ __forceinline__ T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
