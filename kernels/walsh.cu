// Fast Walsh transform in natural order, after the CUDA SDK sample fastWalshTransform. khairy2015
// uses it as a streaming workload: a launch reads every element once, and so does the next launch.
#include "heddle.cuh"

// Two stages of the transform on four elements: those `2 * stride` apart, then those `stride`
// apart. Thread i of a range of threads takes the i-th group of four.
HEDDLE_INLINE void walsh_four(float *values, int i, int stride)
{
    int low = i & (stride - 1);
    float *at = &values[4 * (i - low) + low];
    float a = at[0], b = at[stride], c = at[2 * stride], d = at[3 * stride];
    float even = a + c, odd = b + d;
    at[0] = even + odd;
    at[stride] = even - odd;
    even = a - c;
    odd = b - d;
    at[2 * stride] = even + odd;
    at[3 * stride] = even - odd;
}

// Two stages in global memory. One thread per four elements.
__global__ void walsh_pass(float *values, int stride, int elements)
{
    int i = thread_index();
    if (i < elements / 4) walsh_four(values, i, stride);
}

extern __shared__ float part[];

// All stages of a part of `elements` elements, a power of two, in shared memory. One block per
// part.
__global__ void walsh_part(float *values, int elements)
{
    float *mine = &values[blockIdx.x * elements];
    for (int i = threadIdx.x; i < elements; i += blockDim.x) part[i] = mine[i];
    int stride = elements >> 2;
    for (; stride; stride >>= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < elements >> 2; i += blockDim.x) walsh_four(part, i, stride);
    }
    if (__builtin_ctz(elements) & 1) { // a last stage is left
        __syncthreads();
        for (int i = threadIdx.x; i < elements >> 1; i += blockDim.x) {
            float a = part[2 * i], b = part[2 * i + 1];
            part[2 * i] = a + b;
            part[2 * i + 1] = a - b;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < elements; i += blockDim.x) mine[i] = part[i];
}
