// Work on vectors, after the CUDA SDK samples of these names. khairy2015 uses them as streaming
// workloads, because no element is read twice.
#include "block.cuh"

// ---- vecadd: one thread per element ----
__global__ void vecadd_add(const float *__restrict__ a, const float *__restrict__ b,
                           float *__restrict__ sum, int elements)
{
    int i = thread_index();
    if (i < elements) sum[i] = a[i] + b[i];
}

// ---- scalarprod: one block per pair of vectors ----
// Pairs are contiguous. The threads of a block take consecutive elements; shared memory combines
// the threads' sums.
__global__ void scalarprod_pairs(const float *__restrict__ a, const float *__restrict__ b,
                                 float *__restrict__ product, int elements)
{
    __shared__ float sums[MOST_THREADS];
    int start = blockIdx.x * elements;
    float sum = 0;
    for (int i = threadIdx.x; i < elements; i += blockDim.x) sum += a[start + i] * b[start + i];
    block_sum(sums, sum);
    if (threadIdx.x == 0) product[blockIdx.x] = sums[0];
}
