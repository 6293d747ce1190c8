// What three graph algorithms do with a frontier of edges: levels, shortest paths and sums at the
// heads. With the mechanism `iru` (segura2022iru, Figures 9 to 11), the kernels of iru_more.cu get
// the edges reordered and merged; elsewhere the plain kernels run.
#include "../../../include/heddle/iru.h"

#include "check.h"
#include "iru_more.h"

enum { VERTICES = 700, EDGES = 5001, ALIGNMENT = 12288 };

static __global__ void label(const int *frontier, int *level, int count)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) level[frontier[i]] = 1;
}

static __global__ void copy_heads(const int *frontier, int *copy, int count)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) copy[i] = frontier[i];
}

static __global__ void lower(const int *frontier, const unsigned *lengths, unsigned *distance,
                             int *lookup, int count)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    int head = frontier[i];
    unsigned length = lengths[i];
    if (atomicMin(&distance[head], length) > length) lookup[head] = i;
}

static __global__ void add(const int *frontier, const float *shares, float *sum, int count)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) atomicAdd(&sum[frontier[i]], shares[i]);
}

static void contract(const Frontier &frontier, const Results &results)
{
    const int count = frontier.count;
    const unsigned blocks = blocks_for((size_t)count, THREADS);
    label<<<blocks, THREADS>>>(frontier.head, results.level, count);
    copy_heads<<<blocks, THREADS>>>(frontier.head, results.copy, count);
    copy_heads<<<blocks, THREADS>>>(frontier.head, results.pairs, count);
    lower<<<blocks, THREADS>>>(frontier.head, frontier.length, results.distance, results.lookup,
                               count);
    add<<<blocks, THREADS>>>(frontier.head, frontier.share, results.sum, count);
}

int main()
{
    Random random(22);
    std::vector<int> head(EDGES), level(VERTICES);
    std::vector<unsigned> length(EDGES), distance(VERTICES, 1000000), far(distance);
    std::vector<float> share(EDGES), sum(VERTICES);
    for (int i = 0; i < EDGES; i++) {
        head[i] = (int)(i % 3 ? random.below(VERTICES) : random.below(30)); // many duplicates
        length[i] = random.below(1000);
        share[i] = (float)random.below(64) / 64; // their sums are exact, in any order
        level[head[i]] = 1;
        if (length[i] < distance[head[i]]) distance[head[i]] = length[i];
        sum[head[i]] += share[i];
    }
    // The three arrays in one allocation: edge by edge, their elements are in the same slice.
    const size_t bytes = EDGES * sizeof(int);
    const size_t stride = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Buffer<char> frontier(2 * stride + bytes);
    CUDA(cudaMemcpy(frontier, head.data(), bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(frontier + stride, length.data(), bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(frontier + 2 * stride, share.data(), bytes, cudaMemcpyHostToDevice));
    const Frontier edges = {(const int *)(frontier + 0), (const unsigned *)(frontier + stride),
                            (const float *)(frontier + 2 * stride), EDGES};
    Buffer<int> levels(VERTICES), copy(EDGES), pairs(EDGES), lookup(VERTICES);
    Buffer<unsigned> distances(far);
    Buffer<float> sums(VERTICES);
    const Results results = {levels, copy, pairs, lookup, distances, sums};
    const bool reorders = iru_available();
    (reorders ? contract_reordered : contract)(edges, results);
    LAUNCHED();

    int wrong_lookups = 0;
    const std::vector<int> found = lookup.get();
    for (int v = 0; v < VERTICES; v++)
        if (level[v]) wrong_lookups += head[(size_t)found[v]] != v;
    const bool passed = levels.get() == level && copy.get() == head && pairs.get() == head &&
                        sums.get() == sum && distances.get() == distance && wrong_lookups == 0;
    return verdict(passed, "%d edges, %s", EDGES, reorders ? "reordered" : "in their order");
}
