// The kernels of iru.cu with load_iru, in a file of their own: only Heddle, with the mechanism
// `iru`, can run a kernel of it.
#include "../../../include/heddle/iru.h"

#include "check.h"
#include "iru_more.h"

static __device__ bool has_thread(int count)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x) < count;
}

// Figure 9, without a filter.
static __global__ void label(int *level, int count)
{
    int head;
    if (has_thread(count) && load_iru(head)) level[head] = 1;
}

static __global__ void copy_heads(int *copy, int count)
{
    int head;
    unsigned position;
    if (has_thread(count) && load_iru_position(head, position)) copy[position] = head;
}

// Two elements for each thread. A warp parts into paths of 1 to 31 lanes, each with its own load.
static __global__ void copy_pairs(int *pairs, int count)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int lane = thread % warpSize, first = 1 + thread / warpSize % (warpSize - 1);
    for (int n = 0; n < 2 && 2 * thread + n < count; n++) {
        int head;
        unsigned length, position;
        const bool has = (lane + 7 * n) % warpSize < first ? load_iru_position(head, position)
                                                           : load_iru(head, length, position);
        if (has) pairs[position] = head;
    }
}

// Figure 10, where a thread without an element skips the atomicMin.
static __global__ void lower(unsigned *distance, int *lookup, int count)
{
    int head;
    unsigned length, position;
    if (!has_thread(count) || !load_iru(head, length, position)) return;
    if (atomicMin(&distance[head], length) > length) lookup[head] = (int)position;
}

// Figure 11.
static __global__ void add(float *sum, int count)
{
    int head;
    float share;
    if (has_thread(count) && load_iru(head, share)) atomicAdd(&sum[head], share);
}

void contract_reordered(const Frontier &frontier, const Results &results)
{
    const int count = frontier.count;
    const unsigned blocks = blocks_for((size_t)count, THREADS);
    CUDA(configure_iru(results.level, sizeof(int), frontier.head, NULL, count, IRU_NONE));
    label<<<blocks, THREADS>>>(results.level, count);
    CUDA(configure_iru(results.copy, sizeof(int), frontier.head, NULL, count, IRU_NONE));
    copy_heads<<<blocks, THREADS>>>(results.copy, count);
    CUDA(configure_iru(results.pairs, sizeof(int), frontier.head, frontier.length, count,
                       IRU_NONE));
    copy_pairs<<<blocks, THREADS>>>(results.pairs, count);
    CUDA(configure_iru(results.distance, sizeof(unsigned), frontier.head, frontier.length, count,
                       IRU_MIN));
    lower<<<blocks, THREADS>>>(results.distance, results.lookup, count);
    CUDA(configure_iru(results.sum, sizeof(float), frontier.head, frontier.share, count, IRU_ADD));
    add<<<blocks, THREADS>>>(results.sum, count);
}
