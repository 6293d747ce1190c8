// Counting without atomics in shared memory: the lanes of a warp store to the same word, one store
// wins, and the others detect that and store again. Then a bucket sort, which places each value by
// its count and reads the buckets' limits as texels.
#include "check.h"

enum { COUNT = 20000, BUCKETS = 64, WARPS = 3, THREADS = 32 * WARPS, LANE_SHIFT = 27 };
#define COUNT_BITS ((1u << LANE_SHIFT) - 1)

// Returns the earlier count. The upper bits of a count identify the lane that stored it.
__device__ unsigned count_one(volatile unsigned *counts, unsigned bucket, unsigned lane)
{
    unsigned mine;
    do {
        mine = (lane << LANE_SHIFT) | ((counts[bucket] & COUNT_BITS) + 1);
        counts[bucket] = mine;
    } while (counts[bucket] != mine);
    return (mine & COUNT_BITS) - 1;
}

// Counts by warp, then sums the warps' counts by block.
__global__ void count_values(const float *in, unsigned *bins, int n)
{
    __shared__ unsigned counts[WARPS][BUCKETS];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < WARPS * BUCKETS; i += THREADS) counts[0][i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        count_one(counts[warp], (unsigned)(in[i] * BUCKETS), lane);
    __syncthreads();
    for (int i = threadIdx.x; i < BUCKETS; i += THREADS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++) sum += counts[w][i] & COUNT_BITS;
        atomicAdd(&bins[i], sum);
    }
}

// Finds the last limit that is not above the value, by binary search.
__device__ unsigned bucket_of(cudaTextureObject_t limits, float value)
{
    int low = 0;
    for (int step = BUCKETS / 2; step; step /= 2)
        if (tex1Dfetch<float2>(limits, low + step).x <= value) low += step;
    return (unsigned)low;
}

// Launched with one warp. The order of the values within a bucket depends on a race.
__global__ void place_values(cudaTextureObject_t limits, const float *in, const unsigned *starts,
                             float *out, int n)
{
    __shared__ unsigned counts[BUCKETS];
    for (int i = threadIdx.x; i < BUCKETS; i += 32) counts[i] = 0;
    __syncwarp();
    for (int i = threadIdx.x; i < n; i += 32) {
        unsigned bucket = bucket_of(limits, in[i]);
        out[starts[bucket] + count_one(counts, bucket, threadIdx.x)] = in[i];
    }
}

static cudaTextureObject_t texture_of(const Buffer<float2> &values)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = values.device;
    resource.res.linear.desc = cudaCreateChannelDesc<float2>();
    resource.res.linear.sizeInBytes = values.count * sizeof(float2);
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

int main()
{
    std::vector<float> values = random_values<float>(COUNT, 17);
    std::vector<unsigned> wanted(BUCKETS), starts(BUCKETS);
    std::vector<float2> limits(BUCKETS);
    // Squares the values, so that small ones are more frequent.
    for (float &v : values) wanted[(unsigned)((v *= v) * BUCKETS)]++;
    for (int i = 0; i < BUCKETS; i++) {
        limits[i].x = (float)i / BUCKETS;
        limits[i].y = 0;
        starts[i] = i ? starts[i - 1] + wanted[i - 1] : 0;
    }
    Buffer<float> in(values), out(COUNT);
    Buffer<unsigned> bins(BUCKETS), first(starts);
    Buffer<float2> limit(limits);
    cudaTextureObject_t texture = texture_of(limit);
    count_values<<<5, THREADS>>>(in, bins, COUNT);
    place_values<<<1, 32>>>(texture, in, first, out, COUNT);
    LAUNCHED();
    CUDA(cudaDestroyTextureObject(texture));
    double sum = 0, wanted_sum = 0;
    int misplaced = 0;
    std::vector<float> got = out.get();
    for (int i = 0; i < COUNT; i++) {
        sum += got[i];
        wanted_sum += values[i];
        unsigned bucket = (unsigned)(got[i] * BUCKETS);
        misplaced += (unsigned)i < starts[bucket] || (unsigned)i >= starts[bucket] + wanted[bucket];
    }
    bool all = std::fabs(sum - wanted_sum) < 1e-6 * wanted_sum;
    return verdict(bins.get() == wanted && !misplaced && all, "%d values, %d misplaced, sum %g",
                   COUNT, misplaced, sum);
}
