// Single-source shortest paths, round by round, in four implementations. Graphs are in compressed
// sparse rows: the out-edges of v are col[row[v]] .. col[row[v + 1] - 1], with their weights at the
// same places.
#include "heddle.cuh"

// The distance of what has not been reached. No path is as long, and this much and any weight are
// less than 2^32, so that sums do not wrap.
#define UNREACHED 0x7fffffffu

// ---- topology: one thread per vertex, flags as frontier ----
// After Harish and Narayanan, "Accelerating large graph algorithms on the GPU using CUDA" (HiPC
// 2007). Two kernels per round: paths found go to an array of their own, so that every thread of a
// round sees the distances of the round before.

// Offers each neighbour of a frontier vertex the path over it.
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

// Takes over the paths that are shorter; their ends are the frontier. *again tells the host that
// there are some.
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
// (PPoPP 2011). A warp goes through its chunk vertex by vertex; its lanes take a vertex's edges
// side by side. The width is a power of two. sssp_commit ends the round.
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
        warp_sync(); // every lane has looked
        if (lane == 0) frontier[v] = 0;
        unsigned so_far = distance[v];
        int end = row[v + 1];
        for (int i = row[v] + lane; i < end; i += width)
            atomicMin(&updating[col[i]], so_far + weight[i]);
    }
}

// ---- lonestar: every vertex in every round, no frontier ----
// In the manner of LonestarGPU (Burtscher, Nasre, Pingali, "A quantitative study of irregular
// programs on GPUs", IISWC 2012): distances are lowered in place, and a block goes on in the same
// launch with the vertices that it has lowered, which it keeps in shared memory. What finds no room
// there, or is left when the steps are used up, the next launch comes to.

// With the count, the list is 12 KiB: four blocks fill an SM's 48.
enum { LISTED = 3071 };

__global__ void sssp_lonestar(const int *__restrict__ row, const int *__restrict__ col,
                              const unsigned *__restrict__ weight, unsigned *distance, int *again,
                              int steps, int vertices)
{
    __shared__ int list[LISTED]; // the block's own vertices, then those that it lowers
    __shared__ int listed;       // may be more: these found no room
    int own = vertices - (int)(blockIdx.x * blockDim.x);
    if (own > (int)blockDim.x) own = blockDim.x;
    if ((int)threadIdx.x < own) list[threadIdx.x] = thread_index();
    if (threadIdx.x == 0) listed = own;
    int done = 0;
    for (int step = 0; step <= steps; step++) {
        __syncthreads();
        int end = listed < LISTED ? listed : LISTED;
        __syncthreads(); // every thread has the same end
        if (done == end) break;
        for (int at = done + threadIdx.x; at < end; at += blockDim.x) {
            int v = list[at];
            unsigned so_far = distance[v];
            if (so_far == UNREACHED) continue;
            int last = row[v + 1];
            for (int i = row[v]; i < last; i++) {
                int u = col[i];
                unsigned found = so_far + weight[i];
                if (found >= distance[u] || atomicMin(&distance[u], found) <= found) continue;
                int slot = atomicAdd(&listed, 1);
                if (slot < LISTED) list[slot] = u;
            }
        }
        done = end;
    }
    __syncthreads();
    if (threadIdx.x == 0 && listed > own) *again = 1;
}

// ---- data: one thread per vertex of a worklist ----
// After the data-driven search of Lakshminarayana (Georgia Tech 2014, section 5.2): a block gathers
// what it lowers in shared memory, and what finds no room there goes to the list in global memory
// by itself; at the end the block's part follows, with one atomic for all of it.

enum { GATHERED = 1024 };

// The worklist of the round becomes that of the next one. seen[v] is the last round in which v was
// put on it, so that it is there once.
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
        unsigned found = so_far + weight[i];
        if (found >= distance[u] || atomicMin(&distance[u], found) <= found) continue;
        if (atomicExch(&seen[u], round) == round) continue;
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
