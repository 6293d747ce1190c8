// PageRank: the ranks from the pushed sums.
#ifndef HEDDLE_KERNELS_PAGERANK_UPDATE_CUH
#define HEDDLE_KERNELS_PAGERANK_UPDATE_CUH

#include "heddle.cuh"

// Computes the ranks from the pushed sums; clears `next` for the next iteration.
__global__ void pagerank_update(float *__restrict__ rank, float *__restrict__ next, float base,
                                float damping, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    rank[v] = base + damping * next[v];
    next[v] = 0;
}

#endif
