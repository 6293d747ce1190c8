// PageRank by power iteration, in five implementations. Graphs are in compressed sparse rows: the
// edges of v are col[row[v]] .. col[row[v + 1] - 1]. Each vertex distributes its rank evenly
// along its edges. `base` is the rank that every vertex gets in addition; it includes the share of
// vertices without edges.
#include "block.cuh"

// ---- push: one thread per vertex ----
// After Yilmazer-Metin, "Graph-Waving architecture: Efficient execution of graph applications on
// GPUs" (JPDC 2021), Listing 1.
__global__ void pagerank_push(const int *__restrict__ row, const int *__restrict__ col,
                              const float *__restrict__ rank, float *next, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int start = row[v], end = row[v + 1];
    float part = rank[v] / (end - start); // unused for a vertex without edges
    for (int i = start; i < end; i++) atomicAdd(&next[col[i]], part);
}

// ---- push-warp: one warp per vertex ----
// Listing 2: the lanes take consecutive edges of a vertex. The width is a power of two.
__global__ void pagerank_push_warp(const int *__restrict__ row, const int *__restrict__ col,
                                   const float *__restrict__ rank, float *next, int vertices)
{
    int width = warp_width();
    int v = thread_index() >> (31 - __builtin_clz(width));
    if (v >= vertices) return;
    int start = row[v], end = row[v + 1];
    float part = rank[v] / (end - start);
    int lane = thread_index() & (width - 1);
    for (int i = start + lane; i < end; i += width) atomicAdd(&next[col[i]], part);
}

// Kernels lie in memory in the order of the file, so this stays here.
#include "pagerank_update.cuh"

// ---- pull: one thread per vertex, over the edges that lead to it ----
// No atomics: a vertex sums the shares of its predecessors, always in the same order.

__global__ void pagerank_share(const int *__restrict__ row, const float *__restrict__ rank,
                               float *__restrict__ share, int vertices)
{
    int v = thread_index();
    if (v < vertices) share[v] = rank[v] / (row[v + 1] - row[v]);
}

// in_row and in_col are the rows of the transposed graph.
__global__ void pagerank_pull(const int *__restrict__ in_row, const int *__restrict__ in_col,
                              const float *__restrict__ share, float *__restrict__ next, float base,
                              float damping, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    float sum = 0;
    int end = in_row[v + 1];
    for (int i = in_row[v]; i < end; i++) sum += share[in_col[i]];
    next[v] = base + damping * sum;
}

// ---- edge-frontier: one entry per edge, with the rank share that passes along it ----
// After Geil, Wang and Owens, "WTF, GPU!" (COSN 2014), and the contraction kernel of Segura, Arnau
// and González, "Irregular accesses reorder unit" (2022), Fig. 11.

// Writes every edge of the frontier's vertices, with the rank share that passes along it. A block's
// threads share its vertices' edges evenly: each looks up the owner of the edge that it writes.
__global__ void pagerank_expand(const int *__restrict__ row, const int *__restrict__ col,
                                const float *__restrict__ rank,
                                const int *__restrict__ vertex_frontier,
                                int *__restrict__ edge_frontier,
                                float *__restrict__ weight_frontier, int *edge_count, int count)
{
    __shared__ int sums[MOST_THREADS], starts[MOST_THREADS];
    __shared__ float parts[MOST_THREADS];
    __shared__ int base;
    int entry = thread_index();
    int v = entry < count ? vertex_frontier[entry] : 0;
    int start = entry < count ? row[v] : 0;
    int degree = entry < count ? row[v + 1] - start : 0;
    starts[threadIdx.x] = start;
    parts[threadIdx.x] = entry < count ? rank[v] / degree : 0;
    int total;
    block_scan(sums, degree, &total);
    if (threadIdx.x == 0) base = atomicAdd(edge_count, total);
    __syncthreads();
    for (int i = threadIdx.x; i < total; i += blockDim.x) {
        int owner = block_owner(sums, i);
        edge_frontier[base + i] = col[starts[owner] + i - (owner ? sums[owner - 1] : 0)];
        weight_frontier[base + i] = parts[owner];
    }
}

// Sums the shares at the edges' heads.
__global__ void pagerank_contract(const int *__restrict__ edge_frontier,
                                  const float *__restrict__ weight_frontier, float *next,
                                  int count)
{
    int pos = thread_index();
    if (pos >= count) return;
    int edge = edge_frontier[pos];
    float weight = weight_frontier[pos];
    atomicAdd(&next[edge], weight);
}

// Computes the ranks from the sums. Vertices with edges form the frontier of the next
// iteration.
__global__ void pagerank_filter(const int *__restrict__ row, float *__restrict__ rank,
                                float *__restrict__ next, int *__restrict__ vertex_frontier,
                                int *tail, float base, float damping, int vertices)
{
    __shared__ int sums[MOST_THREADS];
    __shared__ int first;
    int v = thread_index();
    bool kept = v < vertices && row[v + 1] > row[v];
    if (v < vertices) {
        rank[v] = base + damping * next[v];
        next[v] = 0;
    }
    int total, place = block_scan(sums, kept, &total);
    if (threadIdx.x == 0) first = total ? atomicAdd(tail, total) : 0;
    __syncthreads();
    if (kept) vertex_frontier[first + place] = v;
}

// ---- sums, one partial result per block ----
// Kernels lie in memory in the order of the file, so this stays here.
#include "pagerank_sums.cuh"

// ---- scalar: one warp per vertex ----
// Listing 2 of yilmazer2020gw with its intrinsics: all that depends on the vertex alone is scalar.
__global__ void pagerank_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                const float *__restrict__ rank, float *next, int vertices)
{
    int v = get_warp_id();
    if (v >= vertices) return;
    int start = row[v], end = row[v + 1];
    float part = rank[v] / (end - start);
    for (int i = start + get_warp_local_id(); i < end; i += get_simd_width())
        atomicAdd(&next[col[i]], part);
}
