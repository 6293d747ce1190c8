// Breadth-first search, level by level, in two implementations. Graphs are in compressed sparse
// rows: the out-edges of v are column[row[v]] .. column[row[v + 1] - 1].
#include "heddle.cuh"

// ---- topology: one thread per vertex, flags as frontier ----
// After Harish and Narayanan, "Accelerating large graph algorithms on the GPU using CUDA" (HiPC
// 2007). Two kernels per level, so that no thread sees a flag of the level being built.

// Gives every unvisited neighbour of a frontier vertex its level.
__global__ void bfs_expand(const int *__restrict__ row, const int *__restrict__ column,
                           int *frontier, int *next, const int *__restrict__ visited, int *level,
                           int vertices)
{
    int v = thread_index();
    if (v >= vertices || !frontier[v]) return;
    frontier[v] = 0;
    int below = level[v] + 1;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) {
        int u = column[i];
        if (!visited[u]) {
            level[u] = below; // several threads may write: all write the same value
            next[u] = 1;
        }
    }
}

// Moves the vertices just reached to the frontier; sets *again if there are any.
__global__ void bfs_update(int *frontier, int *next, int *visited, int *again, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !next[v]) return;
    next[v] = 0;
    frontier[v] = 1;
    visited[v] = 1;
    *again = 1;
}

// ---- warp: one warp per chunk of vertices, the levels as frontier ----
// After Hong, Kim, Oguntebi and Olukotun, "Accelerating CUDA graph algorithms at maximum warp"
// (PPoPP 2011), with virtual warps as wide as the machine's. The lanes read a vertex's edges
// consecutively, so that columns are coalesced and the lanes share the work of a hub. The width is
// a power of two.
__global__ void bfs_warp(const int *__restrict__ row, const int *__restrict__ column, int *level,
                         int *again, int current, int chunk, int vertices)
{
    int width = warp_width();
    int lane = thread_index() & (width - 1);
    int warp = thread_index() >> (31 - __builtin_clz(width));
    int last = vertices - warp * chunk < chunk ? vertices : (warp + 1) * chunk;
    for (int v = warp * chunk; v < last; v++) {
        if (level[v] != current) continue;
        int end = row[v + 1];
        for (int i = row[v] + lane; i < end; i += width) {
            int u = column[i];
            if (level[u] < 0) {
                level[u] = current + 1;
                *again = 1;
            }
        }
    }
}
