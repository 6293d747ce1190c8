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

// ---- load-balanced expansion: each block expands an equal part of the edges ----

// The place of each pile entry's first edge among the edges of its block, and the block's edges.
__global__ void sssp_degrees(const int *__restrict__ row, const int *__restrict__ near,
                             int *__restrict__ place, int *__restrict__ block_edges, int count)
{
    __shared__ int sums[MOST_THREADS];
    int entry = thread_index(), total;
    int v = entry < count ? near[entry] : 0;
    int before = block_scan(sums, entry < count ? row[v + 1] - row[v] : 0, &total);
    if (entry < count) place[entry] = before;
    if (threadIdx.x == 0) block_edges[blockIdx.x] = total;
}

// One block: turns the blocks' edges into the places of their first ones, and adds them all up.
__global__ void sssp_scan(int *block_edges, int *edge_count, int blocks)
{
    __shared__ int sums[MOST_THREADS];
    int scanned = 0, total;
    for (int from = 0; from < blocks; from += blockDim.x) {
        int block = from + threadIdx.x;
        int before = block_scan(sums, block < blocks ? block_edges[block] : 0, &total);
        if (block < blocks) block_edges[block] = scanned + before;
        scanned += total;
        __syncthreads(); // sums is free again
    }
    if (threadIdx.x == 0) *edge_count = scanned;
}

// The last entry of a list that is not above a value, in a list that does not fall and begins with
// such an entry. All threads of the block search together, each at one entry. A list of at most as
// many entries as there are threads takes one step, with coalesced loads.
HEDDLE_INLINE int block_last(const int *__restrict__ list, int count, int value, int *chosen)
{
    int first = 0, thread = threadIdx.x, threads = blockDim.x;
    while (count > 1) {
        int step = count <= threads ? 1 : (count + threads) / (threads + 1);
        int at = (thread + 1) * step, next = at + step;
        bool is = at < count && list[first + at] <= value;
        bool next_is = thread + 1 < threads && next < count && list[first + next] <= value;
        if (is && !next_is) *chosen = at;
        if (thread == 0 && !is) *chosen = 0;
        __syncthreads();
        first += *chosen;
        count = *chosen + step < count ? step : count - *chosen;
        __syncthreads();
    }
    return first;
}

// Writes the edges as sssp_expand does, one in each thread. The block searches for the pile entry
// that has its first edge: the last one whose first edge is not behind it. It reads entries from
// there on, as many at a time as it has threads, and each thread looks up the owner of its edge.
__global__ void sssp_expand_balanced(const int *__restrict__ row, const int *__restrict__ col,
                                     const unsigned *__restrict__ weight,
                                     const unsigned *__restrict__ distance,
                                     const int *__restrict__ near, const int *__restrict__ place,
                                     const int *__restrict__ block_place,
                                     int *__restrict__ edge_frontier,
                                     unsigned *__restrict__ weight_frontier, int count,
                                     int count_blocks, int edges)
{
    __shared__ int ends[MOST_THREADS], starts[MOST_THREADS], chosen;
    __shared__ unsigned lengths[MOST_THREADS];
    int thread = threadIdx.x, threads = blockDim.x;
    int first = blockIdx.x * threads, i = first + thread;
    int behind = first + threads < edges ? first + threads : edges;
    int block = block_last(block_place, count_blocks, first, &chosen), from = block * threads;
    int skipped = block_last(place + from, count - from < threads ? count - from : threads,
                             first - block_place[block], &chosen);
    from += skipped;
    block += skipped + thread >= threads; // of this thread's entry
    for (int begun = first; begun < behind; from += threads, block++) {
        int entry = from + thread, end = edges;
        int at = entry < count ? block_place[block] + place[entry] : edges;
        if (at < behind) {
            int v = near[entry], start = row[v];
            end = at + row[v + 1] - start;
            starts[thread] = start - at;
            lengths[thread] = distance[v];
        }
        ends[thread] = end;
        __syncthreads();
        int next = ends[threads - 1];
        if (i >= begun && i < behind && i < next) {
            int owner = block_owner(ends, i), edge = starts[owner] + i, head = col[edge];
            unsigned length = lengths[owner] + weight[edge];
            edge_frontier[i] = head;
            weight_frontier[i] = length;
        }
        begun = next; // edges before it have been written
        __syncthreads();
    }
}
