// Breadth-first search from lists of vertices: a thread for each entry (data), or a warp for a
// chunk of entries (data-warp). level is -1 where the search has not been.
#include "heddle.cuh"

// ---- data: after Luo, Wong and Hwu, "An effective GPU implementation of breadth-first search"
// (DAC 2010), as lakshminarayana2014 describes it in section 5.2 (BFS-DD) ----

enum { LOCAL_QUEUE = 1024 }; // entries of a block's queue in shared memory

// Marks the vertex as reached. true, for one thread alone, if it was not reached before.
HEDDLE_INLINE bool claim(int *level, int vertex, int below)
{
    return level[vertex] < 0 && atomicCAS(&level[vertex], -1, below) < 0;
}

// A thread expands an entry of the work list. What it reaches goes into the block's queue in
// shared memory or, where that is full, behind the next list; at the end the queue follows.
__global__ void bfs_data(const int *__restrict__ row, const int *__restrict__ column, int *level,
                         const int *__restrict__ worklist, int *next, int *tail, int below,
                         int count)
{
    __shared__ int queue[LOCAL_QUEUE];
    __shared__ int queued, first;
    if (threadIdx.x == 0) queued = 0;
    __syncthreads();
    int at = thread_index();
    if (at < count) {
        int v = worklist[at], end = row[v + 1];
        for (int i = row[v]; i < end; i++) {
            int u = column[i];
            if (!claim(level, u, below)) continue;
            int place = atomicAdd(&queued, 1);
            if (place < LOCAL_QUEUE) {
                queue[place] = u;
                store_apart();
            } else {
                next[atomicAdd(tail, 1)] = u;
            }
        }
    }
    __syncthreads();
    int mine = queued < LOCAL_QUEUE ? queued : LOCAL_QUEUE;
    if (threadIdx.x == 0) first = atomicAdd(tail, mine);
    __syncthreads();
    for (int i = threadIdx.x; i < mine; i += blockDim.x) next[first + i] = queue[i];
}

// ---- data-warp: guo2018dsap, Algorithm 1 ----

// A warp takes `chunk` entries one after the other and shares out the edges of each.
__global__ void bfs_data_warp(const int *__restrict__ row, const int *__restrict__ column,
                              int *visited, const int *__restrict__ worklist, int *next,
                              int *tail, int below, int count, int chunk)
{
    int width = warp_width();
    int lane = thread_index() & (width - 1);
    int warp = thread_index() >> (31 - __builtin_clz(width));
    int last = (warp + 1) * chunk < count ? (warp + 1) * chunk : count;
    for (int id = warp * chunk; id < last; id++) {
        int v = worklist[id], edge = row[v], edges = row[v + 1] - edge;
        for (int i = lane; i < edges; i += width) {
            int u = column[edge + i];
            if (claim(visited, u, below)) next[atomicAdd(tail, 1)] = u;
        }
    }
}
