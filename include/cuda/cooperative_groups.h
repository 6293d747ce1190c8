// Cooperative groups: the block, tiles of a warp, the threads that execute together, and the grid
// of a cooperative launch.
#ifndef HEDDLE_CUDA_COOPERATIVE_GROUPS_H
#define HEDDLE_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define HEDDLE_METHOD __device__ __forceinline__

// For grid_group::sync: counts arrivals; the top bit flips when the last block arrives.
static __device__ unsigned heddle_grid_arrivals;

namespace cooperative_groups
{

namespace details
{
HEDDLE_METHOD unsigned lane()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
HEDDLE_METHOD unsigned lanes_below()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
HEDDLE_METHOD unsigned rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HEDDLE_METHOD unsigned threads_of_block()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
} // namespace details

// ---- lanes: the base of groups within a warp ----

// A mask of lanes of this warp; ranks increase with lane numbers.
struct heddle_lanes {
    unsigned mask;

    HEDDLE_METHOD unsigned thread_rank() const
    {
        return (unsigned)__popc(mask & details::lanes_below());
    }
    HEDDLE_METHOD unsigned size() const { return (unsigned)__popc(mask); }
    HEDDLE_METHOD unsigned num_threads() const { return size(); }
    HEDDLE_METHOD void sync() const { __syncwarp(mask); }
    HEDDLE_METHOD int any(int predicate) const { return __any_sync(mask, predicate); }
    HEDDLE_METHOD int all(int predicate) const { return __all_sync(mask, predicate); }

  protected:
    // The lane of the thread with this rank.
    HEDDLE_METHOD int lane_of(unsigned rank) const
    {
        unsigned left = mask;
        for (; rank; rank--) left &= left - 1;
        return __ffs((int)left) - 1;
    }
    // A ballot's bits by rank instead of by lane.
    HEDDLE_METHOD unsigned by_rank(unsigned lanes) const
    {
        unsigned result = 0, rank = 0;
        for (unsigned left = mask; left; left &= left - 1, rank++)
            result |= ((lanes & left & (0u - left)) ? 1u : 0u) << rank;
        return result;
    }
};

// ---- the block ----

class thread_block
{
  public:
    HEDDLE_METHOD static void sync() { __syncthreads(); }
    HEDDLE_METHOD static unsigned thread_rank() { return details::rank_in_block(); }
    HEDDLE_METHOD static unsigned size() { return details::threads_of_block(); }
    HEDDLE_METHOD static unsigned num_threads() { return size(); }
    HEDDLE_METHOD static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    HEDDLE_METHOD static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    HEDDLE_METHOD static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    HEDDLE_METHOD static dim3 dim_threads() { return group_dim(); }
};
HEDDLE_METHOD thread_block this_thread_block()
{
    return thread_block();
}

// ---- tiles ----

template <unsigned Size, typename Parent = void> class thread_block_tile : public heddle_lanes
{
    static_assert(Size && (Size & (Size - 1)) == 0 && Size <= 32,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    HEDDLE_METHOD thread_block_tile()
    {
        mask =
            Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1));
    }
    HEDDLE_METHOD static unsigned thread_rank() { return details::lane() & (Size - 1); }
    HEDDLE_METHOD static constexpr unsigned size() { return Size; }
    HEDDLE_METHOD static constexpr unsigned num_threads() { return Size; }
    HEDDLE_METHOD static unsigned meta_group_rank() { return details::rank_in_block() / Size; }
    HEDDLE_METHOD static unsigned meta_group_size()
    {
        return (details::threads_of_block() + Size - 1) / Size;
    }
    template <typename T> HEDDLE_METHOD T shfl(T value, int rank) const
    {
        return __shfl_sync(mask, value, rank, Size);
    }
    template <typename T> HEDDLE_METHOD T shfl_down(T value, unsigned by) const
    {
        return __shfl_down_sync(mask, value, by, Size);
    }
    template <typename T> HEDDLE_METHOD T shfl_up(T value, unsigned by) const
    {
        return __shfl_up_sync(mask, value, by, Size);
    }
    template <typename T> HEDDLE_METHOD T shfl_xor(T value, unsigned with) const
    {
        return __shfl_xor_sync(mask, value, (int)with, Size);
    }
    HEDDLE_METHOD unsigned ballot(int predicate) const
    {
        return down(__ballot_sync(mask, predicate));
    }
    template <typename T> HEDDLE_METHOD unsigned match_any(T value) const
    {
        return down(__match_any_sync(mask, value));
    }
    template <typename T> HEDDLE_METHOD unsigned match_all(T value, int &all) const
    {
        return down(__match_all_sync(mask, value, &all));
    }

  private:
    // Bits of the tile's lanes, from bit 0 on.
    HEDDLE_METHOD unsigned down(unsigned lanes) const
    {
        return (lanes & mask) >> (details::lane() & ~(Size - 1));
    }
};
template <unsigned Size> HEDDLE_METHOD thread_block_tile<Size> tiled_partition(const thread_block &)
{
    return thread_block_tile<Size>();
}
template <unsigned Size, unsigned Of, typename P>
HEDDLE_METHOD thread_block_tile<Size> tiled_partition(const thread_block_tile<Of, P> &)
{
    static_assert(Size <= Of, "a part is not larger than the whole");
    return thread_block_tile<Size>();
}

// ---- the threads that execute together ----

class coalesced_group : public heddle_lanes
{
  public:
    HEDDLE_METHOD explicit coalesced_group(unsigned lanes) { mask = lanes; }
    template <typename T> HEDDLE_METHOD T shfl(T value, unsigned rank) const
    {
        return __shfl_sync(mask, value, lane_of(rank));
    }
    template <typename T> HEDDLE_METHOD T shfl_down(T value, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(value, rank + by < size() ? rank + by : rank);
    }
    template <typename T> HEDDLE_METHOD T shfl_up(T value, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(value, rank >= by ? rank - by : rank);
    }
    HEDDLE_METHOD unsigned ballot(int predicate) const
    {
        return by_rank(__ballot_sync(mask, predicate));
    }
};
HEDDLE_METHOD coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}
// The threads of a group that have the same predicate, or the same label, as this thread.
HEDDLE_METHOD coalesced_group binary_partition(const heddle_lanes &group, bool predicate)
{
    unsigned lanes = __ballot_sync(group.mask, predicate);
    return coalesced_group(predicate ? lanes : group.mask & ~lanes);
}
template <typename T>
HEDDLE_METHOD coalesced_group labeled_partition(const heddle_lanes &group, T label)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a label has 4 or 8 bytes");
    return coalesced_group(__match_any_sync(group.mask, label));
}

// ---- the grid ----

class grid_group
{
  public:
    HEDDLE_METHOD static bool is_valid() { return true; }
    HEDDLE_METHOD static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    HEDDLE_METHOD static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    HEDDLE_METHOD static unsigned long long size()
    {
        return num_blocks() * details::threads_of_block();
    }
    HEDDLE_METHOD static unsigned long long num_threads() { return size(); }
    HEDDLE_METHOD static unsigned long long thread_rank()
    {
        return block_rank() * details::threads_of_block() + details::rank_in_block();
    }
    HEDDLE_METHOD static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    HEDDLE_METHOD static dim3 dim_blocks() { return group_dim(); }
    // All blocks must be resident, which a cooperative launch ensures. The first block adds the
    // difference to half of the counter's range, so that the top bit flips each time.
    HEDDLE_METHOD static void sync()
    {
        __syncthreads();
        if (details::rank_in_block() == 0) {
            unsigned others = (unsigned)num_blocks() - 1;
            __threadfence();
            unsigned before =
                atomicAdd(&heddle_grid_arrivals, block_rank() == 0 ? 0x80000000u - others : 1u);
            while (((before ^ *(volatile unsigned *)&heddle_grid_arrivals) & 0x80000000u) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
    }
};
HEDDLE_METHOD grid_group this_grid()
{
    return grid_group();
}

// ---- functions that take any group ----

template <typename Group> HEDDLE_METHOD void sync(const Group &group)
{
    group.sync();
}
template <typename Group> HEDDLE_METHOD unsigned thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <typename Group> HEDDLE_METHOD unsigned group_size(const Group &group)
{
    return group.size();
}

// A group whose kind is known only at run time: the block, or lanes of a warp.
class thread_group
{
  public:
    HEDDLE_METHOD thread_group(const thread_block &) : lanes{0} {}
    HEDDLE_METHOD thread_group(const heddle_lanes &of) : lanes(of) {}
    HEDDLE_METHOD unsigned size() const
    {
        return lanes.mask ? lanes.size() : details::threads_of_block();
    }
    HEDDLE_METHOD unsigned num_threads() const { return size(); }
    HEDDLE_METHOD unsigned thread_rank() const
    {
        return lanes.mask ? lanes.thread_rank() : details::rank_in_block();
    }
    HEDDLE_METHOD void sync() const
    {
        if (lanes.mask)
            lanes.sync();
        else
            __syncthreads();
    }

  private:
    heddle_lanes lanes;
};
HEDDLE_METHOD thread_group tiled_partition(const thread_group &, unsigned size)
{
    heddle_lanes lanes;
    lanes.mask = (size >= 32 ? 0xffffffffu : (1u << size) - 1) << (details::lane() & ~(size - 1));
    return thread_group(lanes);
}

} // namespace cooperative_groups

#undef HEDDLE_METHOD

#endif
