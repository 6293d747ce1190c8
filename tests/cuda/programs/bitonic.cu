// Bitonic sort: steps within a block work in shared memory, wider steps in global memory.
#include "check.h"

#include <algorithm>

enum { COUNT = 4096, THREADS = 256, SPAN = 2 * THREADS };

__device__ void order(unsigned &a, unsigned &b, bool up)
{
    if ((a > b) == up) {
        unsigned t = a;
        a = b;
        b = t;
    }
}

// The steps of stage `size` with distances of `apart` and below; `apart` is below SPAN.
__global__ void within_block(unsigned *data, int size, int apart)
{
    __shared__ unsigned part[SPAN];
    int start = blockIdx.x * SPAN;
    part[threadIdx.x] = data[start + threadIdx.x];
    part[threadIdx.x + THREADS] = data[start + threadIdx.x + THREADS];
    for (int step = apart; step; step /= 2) {
        __syncthreads();
        int low = 2 * threadIdx.x - (threadIdx.x & (step - 1));
        order(part[low], part[low + step], !((start + low) & size));
    }
    __syncthreads();
    data[start + threadIdx.x] = part[threadIdx.x];
    data[start + threadIdx.x + THREADS] = part[threadIdx.x + THREADS];
}

__global__ void across(unsigned *data, int size, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int low = 2 * i - (i & (step - 1));
    unsigned a = data[low], b = data[low + step];
    order(a, b, !(low & size));
    data[low] = a;
    data[low + step] = b;
}

int main()
{
    std::vector<unsigned> values(COUNT);
    Random random(12);
    for (unsigned &v : values) v = random.next();
    Buffer<unsigned> data(values);
    for (int size = 2; size <= COUNT; size *= 2) {
        int step = size / 2;
        for (; step > THREADS; step /= 2) across<<<COUNT / SPAN, THREADS>>>(data, size, step);
        within_block<<<COUNT / SPAN, THREADS>>>(data, size, step);
    }
    LAUNCHED();
    std::sort(values.begin(), values.end());
    return verdict(data.get() == values, "%d values sorted", COUNT);
}
