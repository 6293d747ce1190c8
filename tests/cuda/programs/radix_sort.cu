// Radix sort by four bits per pass: digit counts by block, a scan of the counts, a stable scatter.
#include "check.h"

#include <algorithm>

enum { COUNT = 4000, THREADS = 128, DIGITS = 16 };

__global__ void count(const unsigned *in, unsigned *counts, int n, int shift, int blocks)
{
    __shared__ unsigned mine[DIGITS];
    if (threadIdx.x < DIGITS) mine[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&mine[in[i] >> shift & 15], 1u);
    __syncthreads();
    if (threadIdx.x < DIGITS) counts[threadIdx.x * blocks + blockIdx.x] = mine[threadIdx.x];
}

// Exclusive prefix sums. Launched with one block.
__global__ void scan(unsigned *counts, unsigned n)
{
    __shared__ unsigned sums[1024];
    unsigned value = threadIdx.x < n ? counts[threadIdx.x] : 0;
    sums[threadIdx.x] = value;
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        __syncthreads();
        unsigned before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
    }
    if (threadIdx.x < n) counts[threadIdx.x] = sums[threadIdx.x] - value;
}

__global__ void scatter(const unsigned *in, unsigned *out, const unsigned *starts, int n, int shift,
                        int blocks)
{
    __shared__ unsigned char digits[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned digit = i < n ? in[i] >> shift & 15 : DIGITS;
    digits[threadIdx.x] = (unsigned char)digit;
    __syncthreads();
    if (i >= n) return;
    unsigned before = 0; // earlier values of this block with the same digit
    for (unsigned k = 0; k < threadIdx.x; k++) before += digits[k] == digit;
    out[starts[digit * blocks + blockIdx.x] + before] = in[i];
}

int main()
{
    std::vector<unsigned> values(COUNT);
    Random random(13);
    for (unsigned &v : values) v = random.next() >> 16;
    int blocks = (int)blocks_for(COUNT, THREADS);
    Buffer<unsigned> a(values), b(COUNT), counts(DIGITS * blocks);
    unsigned *from = a, *to = b;
    for (int shift = 0; shift < 16; shift += 4) {
        count<<<blocks, THREADS>>>(from, counts, COUNT, shift, blocks);
        scan<<<1, 512>>>(counts, DIGITS * blocks);
        scatter<<<blocks, THREADS>>>(from, to, counts, COUNT, shift, blocks);
        std::swap(from, to);
    }
    LAUNCHED();
    std::sort(values.begin(), values.end());
    return verdict(a.get() == values, "%d values sorted", COUNT);
}
