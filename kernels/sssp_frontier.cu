// Single-source shortest paths over a frontier of edges, with a near and a far pile. After
// Davidson, Baxter, Garland and Owens, "Work-efficient parallel GPU methods for single-source
// shortest paths" (IPDPS 2014), and the compaction kernel of Segura, Arnau and González,
// "Irregular accesses reorder unit" (2022), Fig. 10.
//
// A round expands the near pile into its edges and lowers their heads' distances. Each lowered head
// goes once to the near pile if it is nearer than the threshold, otherwise to the far pile. When
// the near pile is empty, the threshold rises and the far pile is split.
#include "block.cuh"

// Writes every edge of the pile's vertices, with the length of the path that ends with it. The
// threads of a block share its vertices' edges evenly: each looks up the owner of its edge.
__global__ void sssp_expand(const int *__restrict__ row, const int *__restrict__ col,
                            const unsigned *__restrict__ weight,
                            const unsigned *__restrict__ distance, const int *__restrict__ near,
                            int *__restrict__ edge_frontier, unsigned *__restrict__ weight_frontier,
                            int *edge_count, int count)
{
    __shared__ int sums[MOST_THREADS], starts[MOST_THREADS];
    __shared__ unsigned lengths[MOST_THREADS];
    __shared__ int base;
    int entry = thread_index();
    int v = entry < count ? near[entry] : 0;
    int start = entry < count ? row[v] : 0;
    int degree = entry < count ? row[v + 1] - start : 0;
    starts[threadIdx.x] = start;
    lengths[threadIdx.x] = entry < count ? distance[v] : 0;
    int total;
    block_scan(sums, degree, &total);
    if (threadIdx.x == 0) base = atomicAdd(edge_count, total);
    __syncthreads();
    for (int i = threadIdx.x; i < total; i += blockDim.x) {
        int owner = block_owner(sums, i);
        int edge = starts[owner] + i - (owner ? sums[owner - 1] : 0);
        edge_frontier[base + i] = col[edge];
        weight_frontier[base + i] = lengths[owner] + weight[edge];
    }
}

// Lowers the distances. lookup[v] becomes the index of one of the edges that lowered v.
__global__ void sssp_compaction(const int *__restrict__ edge_frontier,
                                const unsigned *__restrict__ weight_frontier, unsigned *distance,
                                int *__restrict__ lookup, int count)
{
    int pos = thread_index();
    if (pos >= count) return;
    int edge = edge_frontier[pos];
    unsigned weight = weight_frontier[pos];
    unsigned old = atomicMin(&distance[edge], weight);
    if (old > weight) lookup[edge] = pos;
}

// Appends each thread's vertex (none: -1) to a list in global memory, with one atomic per block.
HEDDLE_INLINE void block_append(int vertex, int *list, int *list_count, int *held, int *base)
{
    if (threadIdx.x == 0) *held = 0;
    __syncthreads();
    int slot = vertex >= 0 ? atomicAdd(held, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0) *base = *held ? atomicAdd(list_count, *held) : 0;
    __syncthreads();
    if (vertex >= 0) list[*base + slot] = vertex;
}

// Sorts the heads selected by `lookup` onto the piles. in_far[v]: v is on the far pile, which lists
// it at most once. counts: near, far.
__global__ void sssp_filter(const int *__restrict__ edge_frontier,
                            const unsigned *__restrict__ distance, int *lookup, int *in_far,
                            int *near, int *far, int *counts, unsigned threshold, int count)
{
    __shared__ int held, base;
    int pos = thread_index();
    int to_near = -1, to_far = -1;
    int v = pos < count ? edge_frontier[pos] : -1;
    if (v >= 0 && lookup[v] == pos) {
        lookup[v] = -1; // reset for the next round
        if (distance[v] < threshold) {
            to_near = v;
        } else if (!in_far[v]) {
            in_far[v] = 1;
            to_far = v;
        }
    }
    block_append(to_near, near, &counts[0], &held, &base);
    block_append(to_far, far, &counts[1], &held, &base);
}

// Splits the far pile at the threshold. Drops vertices nearer than `passed`, the previous
// threshold, because the near pile has held them since. *least becomes the least distance that
// remains.
__global__ void sssp_split(const unsigned *__restrict__ distance, const int *__restrict__ far,
                           int *in_far, int *near, int *far_left, int *counts, unsigned *least,
                           unsigned passed, unsigned threshold, int count)
{
    __shared__ int held, base;
    int entry = thread_index();
    int to_near = -1, to_far = -1;
    if (entry < count) {
        int v = far[entry];
        unsigned length = distance[v];
        if (length >= threshold) {
            to_far = v;
            atomicMin(least, length);
        } else {
            in_far[v] = 0;
            if (length >= passed) to_near = v;
        }
    }
    block_append(to_near, near, &counts[0], &held, &base);
    block_append(to_far, far_left, &counts[1], &held, &base);
}
