// PageRank: sums over vertices, one partial result per block.
#ifndef HEDDLE_KERNELS_PAGERANK_SUMS_CUH
#define HEDDLE_KERNELS_PAGERANK_SUMS_CUH

#include "block.cuh"

// The total rank of the vertices of the list, which have no edges.
__global__ void pagerank_dangling(const float *__restrict__ rank, const int *__restrict__ dangling,
                                  float *__restrict__ block_sums, int count)
{
    __shared__ float sums[MOST_THREADS];
    int entry = thread_index();
    block_sum(sums, entry < count ? rank[dangling[entry]] : 0);
    if (threadIdx.x == 0) block_sums[blockIdx.x] = sums[0];
}

// The total difference between the next ranks, base + damping * next, and the current ranks.
__global__ void pagerank_change(const float *__restrict__ rank, const float *__restrict__ next,
                                float *__restrict__ block_sums, float base, float damping,
                                int vertices)
{
    __shared__ float sums[MOST_THREADS];
    int v = thread_index();
    float change = v < vertices ? base + damping * next[v] - rank[v] : 0;
    block_sum(sums, change < 0 ? -change : change);
    if (threadIdx.x == 0) block_sums[blockIdx.x] = sums[0];
}

#endif
