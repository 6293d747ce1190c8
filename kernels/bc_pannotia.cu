// Betweenness centrality in the form of Pannotia (Che, Beckmann, Reinhardt and Skadron, IISWC
// 2013): as bc.cu, but sums are by compare and swap, and on the way back a vertex adds to the
// dependency of its predecessors, over the transposed graph, and to its own centrality.
//
// Without __restrict__ a kernel reads what it may have written again for each edge.
#include "cas.cuh"

// Prepares the search from `source`.
__global__ void bc_start(int *__restrict__ level, float *__restrict__ paths,
                         float *__restrict__ dependency, int source, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    dependency[v] = 0;
    paths[v] = v == source ? 1 : 0;
    level[v] = v == source ? 0 : -1;
}

// Extends the paths along the edge to u.
HEDDLE_INLINE void extend(int *level, float *paths, int *again, int depth, int u, float mine)
{
    if (level[u] < 0) {
        *again = 1;
        level[u] = depth + 1;
    }
    if (level[u] == depth + 1) cas_add(&paths[u], mine);
}

// ---- pannotia: one thread per vertex ----

__global__ void bc_forward_cas(const int *__restrict__ row, const int *__restrict__ col, int *level,
                               float *paths, int *again, int depth, int vertices)
{
    int v = thread_index();
    if (v >= vertices || level[v] != depth) return;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) extend(level, paths, again, depth, col[i], paths[v]);
}

// in_row and in_col are the rows of the transposed graph.
__global__ void bc_backward_push(const int *__restrict__ in_row, const int *__restrict__ in_col,
                                 const int *level, const float *paths, float *dependency,
                                 float *centrality, int depth, int source, int vertices)
{
    int v = thread_index();
    if (v >= vertices || level[v] != depth) return;
    int end = in_row[v + 1];
    for (int i = in_row[v]; i < end; i++) {
        int u = in_col[i];
        if (level[u] == depth - 1)
            cas_add(&dependency[u], paths[u] / paths[v] * (1 + dependency[v]));
    }
    if (v != source) centrality[v] += dependency[v];
}

// ---- pannotia-scalar: one warp per vertex, after yilmazer2020gw, Listing 2 ----

__global__ void bc_forward_cas_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                      int *level, float *paths, int *again, int depth,
                                      int vertices)
{
    int v = get_warp_id();
    if (v >= vertices || level[v] != depth) return;
    int start = row[v], end = row[v + 1];
    float mine = paths[v];
    for (int i = start + get_warp_local_id(); i < end; i += get_simd_width())
        extend(level, paths, again, depth, col[i], mine);
}

__global__ void bc_backward_push_scalar(const int *__restrict__ in_row,
                                        const int *__restrict__ in_col, const int *level,
                                        const float *paths, float *dependency, float *centrality,
                                        int depth, int source, int vertices)
{
    int v = get_warp_id();
    if (v >= vertices || level[v] != depth) return;
    int start = in_row[v], end = in_row[v + 1];
    float mine = paths[v], own = dependency[v];
    for (int i = start + get_warp_local_id(); i < end; i += get_simd_width()) {
        int u = in_col[i];
        if (level[u] == depth - 1) cas_add(&dependency[u], paths[u] / mine * (1 + own));
    }
    if (v != source) centrality[v] += own;
}
