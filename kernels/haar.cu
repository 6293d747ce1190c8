// Discrete wavelet decomposition of a signal by Haar's wavelets, after the CUDA SDK sample
// dwtHaar1D. yilmazer2020gw uses it as a regular workload (DHWD): the lanes of a warp stay together
// while a block has as many active threads as a warp has lanes.
#include "heddle.cuh"

enum { BANKS_LOG2 = 4 }; // the sample's number of banks: an element in 16 is left out

#define ROOT_HALF 0.70710678f

// The place of approximation `i` in shared memory, where strides of a power of two are spread over
// the banks.
HEDDLE_INLINE int spread(int i) { return i + (i >> BANKS_LOG2); }

// Clears as many elements as there are threads.
__global__ void haar_clear(float *out)
{
    out[thread_index()] = 0;
    __syncthreads();
}

extern __shared__ float part[];

// The first `levels` levels of a decomposition, all that a block's elements have. A block takes two
// elements per thread. In each level the active threads replace two approximations by one, and
// store a detail. `half` is half the signal's length: details of the first level start there, those
// of the next level at half of that, and so on. The block's last approximation goes to `rest`.
__global__ void haar_levels(const float *in, float *out, float *rest, int levels, int half)
{
    int threads = blockDim.x, x = threadIdx.x;
    const float *mine = &in[blockIdx.x * 2 * threads];
    part[x] = mine[x];
    part[x + threads] = mine[x + threads];
    __syncthreads();
    float a = part[2 * x], b = part[2 * x + 1];
    __syncthreads();
    out[half + thread_index()] = (a - b) * ROOT_HALF;
    part[spread(x)] = (a + b) * ROOT_HALF;
    __syncthreads();
    int active = threads >> 1, apart = 1, first = 2 * x;
    for (int level = 1; level < levels; level++) {
        if (x < active) {
            float *left = &part[spread(first)], *right = &part[spread(first + apart)];
            out[active * gridDim.x + active * blockIdx.x + x] = (*left - *right) * ROOT_HALF;
            *left = (*left + *right) * ROOT_HALF;
            active >>= 1;
            apart <<= 1;
            first <<= 1;
        }
        __syncthreads();
    }
    if (x == 0) rest[blockIdx.x] = part[0];
}
