// A histogram of bytes: by atomics on global memory, and by block in shared memory first.
#include "check.h"

enum { COUNT = 30000, BINS = 64, THREADS = 128 };

__global__ void global_bins(const unsigned char *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] % BINS], 1u);
}

__global__ void shared_bins(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[BINS];
    if (threadIdx.x < BINS) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i] % BINS], 1u);
    __syncthreads();
    if (threadIdx.x < BINS && mine[threadIdx.x]) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main()
{
    std::vector<unsigned char> values(COUNT);
    std::vector<unsigned> wanted(BINS);
    Random random(11);
    for (unsigned char &v : values) {
        v = (unsigned char)(random.below(16) * random.below(16));
        wanted[v % BINS]++;
    }
    Buffer<unsigned char> in(values);
    Buffer<unsigned> a(BINS), b(BINS);
    global_bins<<<blocks_for(COUNT, THREADS), THREADS>>>(in, a, COUNT);
    shared_bins<<<8, THREADS>>>(in, b, COUNT);
    LAUNCHED();
    return verdict(a.get() == wanted && b.get() == wanted, "%d values in %d bins", COUNT, BINS);
}
