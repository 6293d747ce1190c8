// The contraction of a search over an edge frontier: bfs_contract of bfs_edge.cu, and of
// edge_frontier_iru.cu, where the mechanism `iru` reorders the frontier.
#ifndef HEDDLE_BFS_CONTRACT_CUH
#define HEDDLE_BFS_CONTRACT_CUH

#include "block.cuh"
#include "iru.cuh"

enum {
    WARP_HASH = 128,     // entries of the table in which a warp looks for duplicates
    HISTORY = 512,       // entries of the table of vertices that a block saw recently
    HASHED_WARPS = 16,   // warps of a block with such a table; the others do no warp culling
};

HEDDLE_INLINE int warp_of_thread(int width) { return threadIdx.x >> (31 - __builtin_clz(width)); }

// Returns whether another lane keeps this lane's vertex. Lanes with the same vertex write to the
// same entry of the warp's table; the last writer keeps the vertex. All lanes must call this.
HEDDLE_INLINE bool warp_duplicate(volatile int *table, int vertex, int lane)
{
    int at = vertex & (WARP_HASH - 1);
    if (vertex >= 0) table[at] = vertex;
    warp_sync();
    bool same = vertex >= 0 && table[at] == vertex;
    warp_sync();
    if (same) table[at] = lane;
    warp_sync();
    bool duplicate = same && table[at] != lane;
    warp_sync();
    return duplicate;
}

// Returns whether the block has recently passed the vertex; records that it passes now.
HEDDLE_INLINE bool history_duplicate(volatile int *history, int vertex)
{
    int at = vertex & (HISTORY - 1);
    if (history[at] == vertex) return true;
    history[at] = vertex;
    return false;
}

// The vertex of an element that the mechanism `iru` has reordered; -1: this thread has none.
HEDDLE_INLINE int reordered_vertex()
{
    int vertex;
    return load_iru(vertex) ? vertex : -1;
}

// One thread per entry of the edge frontier, of which a thread takes its own or, if REORDERED, any
// that no other thread takes. Culling works in any order: it drops a vertex only if another thread
// has it. If `culling` is 0, only levels are checked.
template <bool REORDERED>
HEDDLE_INLINE void contract(const int *__restrict__ edge_frontier, int count, int *level,
                            int distance, int *vertex_frontier, int *tail, int culling)
{
    __shared__ volatile int tables[HASHED_WARPS][WARP_HASH];
    __shared__ volatile int history[HISTORY];
    __shared__ int sums[MOST_THREADS];
    __shared__ int first;
    int width = warp_width(), warp = warp_of_thread(width);
    for (int i = threadIdx.x; i < HISTORY; i += blockDim.x) history[i] = -1;
    __syncthreads();
    int at = thread_index();
    int vertex = at < count ? (REORDERED ? reordered_vertex() : edge_frontier[at]) : -1;
    // Bypass the L1 to see other SMs' labels, and label at once: the shorter the time between the
    // two, the fewer duplicates remain.
    if (vertex >= 0 && load_uncached(&level[vertex]) >= 0) vertex = -1;
    if (vertex >= 0) level[vertex] = distance;
    if (culling && warp < HASHED_WARPS &&
        warp_duplicate(tables[warp], vertex, threadIdx.x & (width - 1)))
        vertex = -1;
    if (culling && vertex >= 0 && history_duplicate(history, vertex)) vertex = -1;
    int total, place = block_scan(sums, vertex >= 0, &total);
    if (threadIdx.x == 0) first = total ? atomicAdd(tail, total) : 0;
    __syncthreads();
    if (vertex >= 0) vertex_frontier[first + place] = vertex;
}

#endif
