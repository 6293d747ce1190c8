// The kernels that segura2022iru instruments (Figures 9 to 11), in place of those of the same names
// and arguments in bfs_edge.cu, sssp_frontier.cu and pagerank.cu. The host loads this file only in
// runs with the mechanism `iru`, after the other, so that these are the ones that it finds: no real
// GPU has the instructions. Reports that compare both then have one name for each step.
//
// Each needs a call of `configure` before its launch (src/workloads/reorder.h). Its elements come
// from there, and not from the frontiers that are its arguments.
#include "bfs_contract.cuh"
#include "iru.cuh"

// Filter: none. Index: a vertex. Target: level.
__global__ void bfs_contract(const int *__restrict__ edge_frontier, int count, int *level,
                             int distance, int *vertex_frontier, int *tail, int culling)
{
    contract<true>(edge_frontier, count, level, distance, vertex_frontier, tail, culling);
}

// Filter: min. Index: the head of an edge. Secondary: the length of the path that ends with it.
// Target: distance. Of edges with the same head the unit may drop all but a shortest one, whose
// position is then the one in `lookup`. `first`: the index of the configured arrays' first element
// in the frontier, which may be too long for one launch. Figure 10 ignores the result of the load,
// but a lane without an element has no vertex to lower.
__global__ void sssp_compaction(const int *, const unsigned *, unsigned *distance,
                                int *__restrict__ lookup, int count, int first)
{
    if (thread_index() >= count) return;
    int edge;
    unsigned weight, position;
    if (!load_iru(edge, weight, position)) return;
    unsigned old = atomicMin(&distance[edge], weight);
    if (old > weight) lookup[edge] = first + (int)position;
}

// Filter: add. Index: the head of an edge. Secondary: the share that passes along it. Target: next.
// The unit may add up the shares of edges with the same head.
__global__ void pagerank_contract(const int *, const float *, float *next, int count)
{
    if (thread_index() >= count) return;
    int edge;
    float weight;
    if (load_iru(edge, weight)) atomicAdd(&next[edge], weight);
}
