// Single-source shortest paths, round by round, in four implementations. Graphs are in compressed
// sparse rows: the out-edges of v are col[row[v]] .. col[row[v + 1] - 1], with their weights at the
// same indices.
#include "warp.cuh"

// The distance of an unreached vertex. Every path is shorter, and its sum with any weight is less
// than 2^32, so sums do not wrap.
#define UNREACHED 0x7fffffffu

// ---- topology: one thread per vertex, flags as frontier ----
// After Harish and Narayanan, "Accelerating large graph algorithms on the GPU using CUDA" (HiPC
// 2007). Two kernels per round: new distances go to a separate array, so that all threads of a
// round see the distances of the previous round.

// Relaxes the edges of frontier vertices into the separate array.
__global__ void sssp_relax(const int *__restrict__ row, const int *__restrict__ col,
                           const unsigned *__restrict__ weight, int *__restrict__ frontier,
                           const unsigned *__restrict__ distance, unsigned *__restrict__ updating,
                           int vertices)
{
    int v = thread_index();
    if (v >= vertices || !frontier[v]) return;
    frontier[v] = 0;
    unsigned so_far = distance[v];
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) atomicMin(&updating[col[i]], so_far + weight[i]);
}

// Commits shorter distances; their vertices form the next frontier. Sets *again if there are
// any.
__global__ void sssp_commit(unsigned *__restrict__ distance, const unsigned *__restrict__ updating,
                            int *__restrict__ frontier, int *__restrict__ again, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    unsigned found = updating[v];
    if (found >= distance[v]) return;
    distance[v] = found;
    frontier[v] = 1;
    *again = 1;
}

// ---- warp: one warp per chunk of vertices, flags as frontier ----
// After Hong, Kim, Oguntebi and Olukotun, "Accelerating CUDA graph algorithms at maximum warp"
// (PPoPP 2011). A warp processes its chunk vertex by vertex; its lanes take consecutive edges. The
// width is a power of two. sssp_commit ends the round.
__global__ void sssp_warp(const int *__restrict__ row, const int *__restrict__ col,
                          const unsigned *__restrict__ weight, int *frontier,
                          const unsigned *__restrict__ distance, unsigned *__restrict__ updating,
                          int chunk, int vertices)
{
    int width = warp_width();
    int lane = thread_index() & (width - 1);
    int warp = thread_index() >> (31 - __builtin_clz(width));
    int first = warp * chunk;
    int last = first + chunk < vertices ? first + chunk : vertices;
    for (int v = first; v < last; v++) {
        if (!frontier[v]) continue;
        warp_sync(); // every lane has read the flag
        if (lane == 0) frontier[v] = 0;
        unsigned so_far = distance[v];
        int end = row[v + 1];
        for (int i = row[v] + lane; i < end; i += width)
            atomicMin(&updating[col[i]], so_far + weight[i]);
    }
}

// ---- data: one thread per vertex of a worklist ----
// After the data-driven search of Lakshminarayana (Georgia Tech 2014, section 5.2): a block
// collects lowered vertices in shared memory. Those that do not fit go directly to the list in
// global memory; at the end the block appends the others with one atomic.

enum { GATHERED = 1024 };

// Relaxes an edge to u behind a path of length `so_far`. Returns whether u is to be listed: true
// for one of the edges that lower its distance in a round. seen[u] is the last round that listed u.
HEDDLE_INLINE bool relax(unsigned *distance, int *seen, int u, unsigned so_far, unsigned weight,
                         int round)
{
    unsigned found = so_far + weight;
    if (found >= distance[u] || atomicMin(&distance[u], found) <= found) return false;
    return atomicExch(&seen[u], round) != round;
}

// Builds the next round's worklist from this round's.
__global__ void sssp_data(const int *__restrict__ row, const int *__restrict__ col,
                          const unsigned *__restrict__ weight, unsigned *distance,
                          const int *__restrict__ worklist, int *__restrict__ next, int *next_count,
                          int *seen, int round, int count)
{
    __shared__ int gathered[GATHERED];
    __shared__ int held, base;
    int entry = thread_index();
    if (threadIdx.x == 0) held = 0;
    __syncthreads();
    int v = entry < count ? worklist[entry] : 0;
    unsigned so_far = entry < count ? distance[v] : 0;
    int end = entry < count ? row[v + 1] : 0;
    for (int i = entry < count ? row[v] : 0; i < end; i++) {
        int u = col[i];
        if (!relax(distance, seen, u, so_far, weight[i], round)) continue;
        int slot = atomicAdd(&held, 1);
        if (slot < GATHERED) {
            gathered[slot] = u;
            store_apart();
        } else {
            next[atomicAdd(next_count, 1)] = u;
        }
    }
    __syncthreads();
    int kept = held < GATHERED ? held : GATHERED;
    if (threadIdx.x == 0) base = atomicAdd(next_count, kept);
    __syncthreads();
    for (int i = threadIdx.x; i < kept; i += blockDim.x) next[base + i] = gathered[i];
}

// ---- data-warp: guo2018dsap, Algorithm 1, with distances for the visited list ----

// A warp takes `chunk` entries one after the other; its lanes share the edges of each.
__global__ void sssp_data_warp(const int *__restrict__ row, const int *__restrict__ col,
                               const unsigned *__restrict__ weight, unsigned *distance,
                               const int *__restrict__ worklist, int *__restrict__ next,
                               int *next_count, int *seen, int round, int count, int chunk)
{
    WarpChunk mine = warp_chunk(chunk, count);
    for (int id = mine.first; id < mine.last; id++) {
        int v = worklist[id], edge = row[v], edges = row[v + 1] - edge;
        unsigned so_far = distance[v];
        for (int i = mine.lane; i < edges; i += mine.width) {
            int u = col[edge + i];
            if (relax(distance, seen, u, so_far, weight[edge + i], round))
                next[atomicAdd(next_count, 1)] = u;
        }
    }
}
