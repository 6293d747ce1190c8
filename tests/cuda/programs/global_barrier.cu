// A barrier of the whole grid, by a counter in global memory. The occupancy query gives the number
// of blocks that run at once. Then the same by a cooperative launch and grid.sync().
#include "check.h"

#include <cooperative_groups.h>

enum { THREADS = 128, ROUNDS = 4 };

__device__ unsigned arrived;

__device__ void wait_for_all_blocks(unsigned round)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1u);
        while (*(volatile unsigned *)&arrived < (round + 1) * gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
}

// In each round, each block sets its value to its neighbour's value plus 1.
__global__ void hand_on(int *values, int *next)
{
    int block = blockIdx.x, blocks = gridDim.x;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == 0) next[block] = ((volatile int *)values)[(block + 1) % blocks] + 1;
        wait_for_all_blocks(round);
        int *other = values;
        values = next;
        next = other;
    }
}

__global__ void hand_on_together(int *values, int *next)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int block = blockIdx.x, blocks = gridDim.x;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == 0) next[block] = ((volatile int *)values)[(block + 1) % blocks] + 1;
        grid.sync();
        int *other = values;
        values = next;
        next = other;
    }
}

int main()
{
    int device, units, blocks, can;
    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device));
    CUDA(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hand_on, THREADS, 0));
    int grid = blocks * units;
    std::vector<int> values(grid), wanted(grid);
    for (int i = 0; i < grid; i++) {
        values[i] = 10 * i;
        wanted[i] = 10 * ((i + ROUNDS) % grid) + ROUNDS;
    }
    Buffer<int> a(values), b(grid), c(values), d(grid);
    hand_on<<<grid, THREADS>>>(a, b);
    LAUNCHED();
    bool first = a.get() == wanted, second = true;
    if (can) {
        int few = std::min(grid, 2 * units);
        for (int i = 0; i < few; i++) wanted[i] = 10 * ((i + ROUNDS) % few) + ROUNDS;
        int *from = c, *to = d;
        void *arguments[] = {&from, &to};
        CUDA(cudaLaunchCooperativeKernel(hand_on_together, few, THREADS, arguments));
        LAUNCHED();
        std::vector<int> got = c.get();
        second = std::vector<int>(got.begin(), got.begin() + few) ==
                 std::vector<int>(wanted.begin(), wanted.begin() + few);
    }
    return verdict(first && second, "%d blocks, %d on each of %d units", grid, blocks, units);
}
