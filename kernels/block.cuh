// Operations of all threads of a block: prefix sums, sums, searches in a prefix sum.
#ifndef HEDDLE_BLOCK_CUH
#define HEDDLE_BLOCK_CUH

#include "heddle.cuh"

enum { MOST_THREADS = 1024 }; // upper bound of the threads of a block

// Exclusive prefix sum over the threads; *total becomes the sum over all threads. `sums`, in shared
// memory, has room for every thread. Afterwards, until a barrier, it holds the inclusive prefix
// sums.
HEDDLE_INLINE int block_scan(int *sums, int value, int *total)
{
    int thread = threadIdx.x, threads = blockDim.x;
    sums[thread] = value;
    __syncthreads();
    for (int step = 1; step < threads; step *= 2) {
        int before = thread >= step ? sums[thread - step] : 0;
        __syncthreads();
        sums[thread] += before;
        __syncthreads();
    }
    *total = sums[threads - 1];
    return sums[thread] - value;
}

// The thread that owns an entry if the threads' lists are concatenated: the first thread whose
// inclusive prefix sum, as left by block_scan, is greater than the entry.
HEDDLE_INLINE int block_owner(const int *sums, int entry)
{
    int low = 0, high = blockDim.x - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sums[middle] > entry)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Sets sums[0] to the sum of all threads' values, by pairwise addition.
HEDDLE_INLINE void block_sum(float *sums, float value)
{
    int thread = threadIdx.x, threads = blockDim.x;
    sums[thread] = value;
    for (int step = 1; step < threads; step *= 2) {
        __syncthreads();
        if (thread % (2 * step) == 0 && thread + step < threads)
            sums[thread] += sums[thread + step];
    }
    __syncthreads();
}

#endif
