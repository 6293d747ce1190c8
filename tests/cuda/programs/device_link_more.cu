// The second file of device_link.cu.
#include "device_link.h"

__constant__ int weights[4] = {9, 9, 9, 9};
static __device__ int own = 1000;

__device__ int weighted(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum += values[i] * weights[i];
    return sum;
}

__device__ __noinline__ unsigned even_steps(unsigned n) { return n == 0 ? 1 : odd_steps(n - 1); }

__global__ void scale(int *values, int by)
{
    values[threadIdx.x] *= by * (own / 1000);
}
