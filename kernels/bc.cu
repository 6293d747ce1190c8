// Betweenness centrality by Brandes' algorithm ("A faster algorithm for betweenness centrality",
// 2001), source by source: a search counts the shortest paths to every vertex, level by level;
// then, from the deepest level up, each vertex sums its dependency: the fraction of the paths to
// its successors that lead through it. The edges of v are col[row[v]] .. col[row[v + 1] - 1].
#include "warp.cuh"

// Extends the paths of v, a vertex of the current level, along every `step`th edge from `first`.
// The first thread to reach a vertex sets its level; all threads would set the same.
HEDDLE_INLINE void count_paths(const int *row, const int *col, int *level, float *paths, int *again,
                               int depth, int v, int first, int step)
{
    float mine = paths[v];
    int end = row[v + 1];
    for (int i = row[v] + first; i < end; i += step) {
        int u = col[i], at = level[u];
        if (at < 0) {
            at = depth + 1;
            level[u] = at;
            *again = 1;
        }
        if (at == depth + 1) atomicAdd(&paths[u], mine);
    }
}

// v's dependency: the sum over its successors of the fraction of the paths to them, and of the
// paths beyond them, that leads through v.
HEDDLE_INLINE float take_back(const int *row, const int *col, const int *level, const float *paths,
                              const float *dependency, int depth, int v, int first, int step)
{
    float mine = paths[v], sum = 0;
    int end = row[v + 1];
    for (int i = row[v] + first; i < end; i += step) {
        int u = col[i];
        if (level[u] == depth + 1) sum += mine / paths[u] * (1 + dependency[u]);
    }
    return sum;
}

// ---- thread: one thread per vertex ----

__global__ void bc_forward(const int *__restrict__ row, const int *__restrict__ col,
                           int *__restrict__ level, float *__restrict__ paths,
                           int *__restrict__ again, int depth, int vertices)
{
    int v = thread_index();
    if (v < vertices && level[v] == depth)
        count_paths(row, col, level, paths, again, depth, v, 0, 1);
}

__global__ void bc_backward(const int *__restrict__ row, const int *__restrict__ col,
                            const int *__restrict__ level, const float *__restrict__ paths,
                            float *dependency, int depth, int vertices)
{
    int v = thread_index();
    if (v < vertices && level[v] == depth)
        dependency[v] = take_back(row, col, level, paths, dependency, depth, v, 0, 1);
}

// ---- warp: one warp per vertex, lanes on consecutive edges ----

__global__ void bc_forward_warp(const int *__restrict__ row, const int *__restrict__ col,
                                int *__restrict__ level, float *__restrict__ paths,
                                int *__restrict__ again, int depth, int vertices)
{
    int width = warp_width();
    int v = thread_index() >> (31 - __builtin_clz(width));
    if (v < vertices && level[v] == depth)
        count_paths(row, col, level, paths, again, depth, v, thread_index() & (width - 1), width);
}

__global__ void bc_backward_warp(const int *__restrict__ row, const int *__restrict__ col,
                                 const int *__restrict__ level, const float *__restrict__ paths,
                                 float *dependency, int depth, int vertices)
{
    int width = warp_width(), lane = thread_index() & (width - 1);
    int v = thread_index() >> (31 - __builtin_clz(width));
    if (v >= vertices || level[v] != depth) return;
    float part = take_back(row, col, level, paths, dependency, depth, v, lane, width);
    float sum = warp_sum(part, width);
    if (lane == 0) dependency[v] = sum;
}

// ---- between sources ----

// Adds each vertex's dependency to its centrality, except for the source, the only vertex at level
// 0. Resets all vertices for the search from `next`.
__global__ void bc_collect(int *__restrict__ level, float *__restrict__ paths,
                           float *__restrict__ dependency, float *__restrict__ centrality, int next,
                           int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    if (level[v] > 0) centrality[v] += dependency[v];
    level[v] = v == next ? 0 : -1;
    paths[v] = v == next ? 1 : 0;
    dependency[v] = 0;
}

// ---- scalar: one warp per vertex, after yilmazer2020gw, Listing 2 ----
// What depends on the vertex alone is scalar. Lanes share data in shared memory (its footnote 13):
// a load from one address is scalar, where a shuffle is not.

__global__ void bc_forward_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                  int *__restrict__ level, float *__restrict__ paths,
                                  int *__restrict__ again, int depth, int vertices)
{
    int v = get_warp_id();
    if (v < vertices && level[v] == depth)
        count_paths(row, col, level, paths, again, depth, v, get_warp_local_id(),
                    get_simd_width());
}

extern __shared__ float sums[]; // of each thread of the block

__global__ void bc_backward_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                   const int *__restrict__ level, const float *__restrict__ paths,
                                   float *dependency, int depth, int vertices)
{
    unsigned width = get_simd_width(), lane = get_warp_local_id();
    int v = get_warp_id();
    if (v >= vertices || level[v] != depth) return;
    float *of_warp = sums + get_warp_in_block() * width;
    of_warp[lane] = take_back(row, col, level, paths, dependency, depth, v, lane, width);
    warp_sync();
    for (unsigned apart = width / 2; apart; apart /= 2) {
        if (lane < apart) of_warp[lane] += of_warp[lane + apart];
        warp_sync();
    }
    dependency[v] = of_warp[0];
}
