// Sums in four ways: a tree in shared memory, shuffles, shuffles of a few lanes only, and shuffles
// with a final atomic.
#include "check.h"

enum { COUNT = 20000, THREADS = 256 };

__global__ void tree(const int *in, int *out, int n)
{
    extern __shared__ int sums[];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__device__ int warp_sum(int value)
{
    for (int apart = warpSize / 2; apart; apart /= 2)
        value += __shfl_down_sync(0xffffffff, value, apart);
    return value;
}

__global__ void shuffles(const int *in, int *out, int n)
{
    __shared__ int of_warp[THREADS / 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = warp_sum(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warp_sum(threadIdx.x < THREADS / 32 ? of_warp[threadIdx.x] : 0);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

// The last sum is over 8 lanes, but its shuffles also read lanes 8..23, which are inactive: as
// in NVIDIA's sample `reduction`, the result is right where these give 0.
__global__ void few_lanes(const int *in, int *out, int n)
{
    __shared__ int of_warp[THREADS / 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = warp_sum(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    const unsigned lanes = __ballot_sync(0xffffffff, threadIdx.x < THREADS / 32);
    if (threadIdx.x >= THREADS / 32) return;
    sum = of_warp[threadIdx.x];
    for (int apart = warpSize / 2; apart; apart /= 2) sum += __shfl_down_sync(lanes, sum, apart);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void atomics(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;
    for (int apart = 16; apart; apart /= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

static long total(const std::vector<int> &values)
{
    long sum = 0;
    for (int v : values) sum += v;
    return sum;
}

int main()
{
    std::vector<int> values(COUNT);
    Random random(4);
    for (int &v : values) v = (int)random.below(1000) - 500;
    long wanted = total(values);
    unsigned blocks = blocks_for(COUNT, THREADS);
    Buffer<int> in(values), few(16), many(blocks), eight(blocks), one(1);
    tree<<<16, THREADS, THREADS * sizeof(int)>>>(in, few, COUNT);
    shuffles<<<blocks, THREADS>>>(in, many, COUNT);
    few_lanes<<<blocks, THREADS>>>(in, eight, COUNT);
    atomics<<<blocks, THREADS>>>(in, one, COUNT);
    LAUNCHED();
    long a = total(few.get()), b = total(many.get()), c = total(eight.get()), d = one.get()[0];
    return verdict(a == wanted && b == wanted && c == wanted && d == wanted,
                   "%ld %ld %ld %ld, wanted %ld", a, b, c, d, wanted);
}
