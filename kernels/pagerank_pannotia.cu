// PageRank in the form of Pannotia (Che, Beckmann, Reinhardt and Skadron, IISWC 2013): sums by
// compare and swap. Arguments are those of the kernels in pagerank.cu.
#include "cas.cuh"
#include "pagerank_sums.cuh"

// ---- pannotia: one thread per vertex ----
// `rank` and `next` may be one array for the compiler, so the rank is read, and divided, again for
// each edge.
__global__ void pagerank_push_cas(const int *__restrict__ row, const int *__restrict__ col,
                                  const float *rank, float *next, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int start = row[v], end = row[v + 1];
    for (int i = start; i < end; i++) cas_add(&next[col[i]], rank[v] / (end - start));
}

// ---- pannotia-scalar: one warp per vertex, after yilmazer2020gw, Listing 2 ----
__global__ void pagerank_push_cas_scalar(const int *__restrict__ row, const int *__restrict__ col,
                                         const float *__restrict__ rank, float *next, int vertices)
{
    int v = get_warp_id();
    if (v >= vertices) return;
    int start = row[v], end = row[v + 1];
    float part = rank[v] / (end - start); // unused for a vertex without edges
    for (int i = start + get_warp_local_id(); i < end; i += get_simd_width())
        cas_add(&next[col[i]], part);
}

// Kernels lie in memory in the order of the file, so this stays behind the others.
#include "pagerank_update.cuh"
