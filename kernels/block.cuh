// What the threads of a block do together: sums and appending to lists.
#ifndef HEDDLE_BLOCK_CUH
#define HEDDLE_BLOCK_CUH

#include "heddle.cuh"

enum { MOST_THREADS = 1024 }; // of a block; it need not have as many

// The sum of the values of the threads before this one; *total becomes that of all threads. `sums`,
// in shared memory, has room for every thread; afterwards, until a barrier, it holds the sums up to
// and with each.
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

// Whose the entry is where each thread has a list, and the lists stand one behind the other: the
// first thread whose sum, of those that block_scan leaves, is above it.
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

// sums[0] becomes the sum of all threads' values, added up in pairs.
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
