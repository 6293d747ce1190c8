// Breadth-first search without a frontier: every vertex relaxes its neighbours in every launch,
// until nothing changes. level is the largest integer for unreached vertices.
#include "heddle.cuh"

enum { UNREACHED = 0x7fffffff };

// Lowers the neighbour's level to `below`, if that is lower; returns whether it was.
HEDDLE_INLINE bool relax(int *level, int neighbour, int below)
{
    return level[neighbour] > below && atomicMin(&level[neighbour], below) > below;
}

// ---- lonestar: as LonestarGPU's bfs (Burtscher, Nasre, Pingali, IISWC 2012; LS-BFS of
// lakshminarayana2014) ----

enum { WORK_PER_THREAD = 12 }; // entries of a thread's part of the shared memory: 48 KB at 1,024

extern __shared__ int work[]; // WORK_PER_THREAD for each thread of the block

// Each thread starts from its vertex and continues with vertices whose level it has lowered, as far
// as its part of the shared memory holds them.
__global__ void bfs_lonestar(const int *__restrict__ row, const int *__restrict__ column,
                             int *level, int *again, int vertices)
{
    int v = thread_index();
    int first = threadIdx.x * WORK_PER_THREAD, queued = first, most = first + WORK_PER_THREAD;
    bool changed = false;
    if (v < vertices) work[queued++] = v;
    for (int at = first; at < queued; at++) {
        int node = work[at], below = level[node];
        if (below == UNREACHED) continue;
        below++;
        int end = row[node + 1];
        for (int i = row[node]; i < end; i++) {
            int u = column[i];
            if (!relax(level, u, below)) continue;
            changed = true;
            if (queued < most) work[queued++] = u;
        }
    }
    if (changed) *again = 1;
}

// ---- unrolled: kernel unrolling, lakshminarayana2014, Figure 51 ----

enum { MOST_WORK = 64 };

// The queue is in local memory. A thread processes up to `limit` vertices, at most MOST_WORK.
__global__ void bfs_unrolled(const int *__restrict__ row, const int *__restrict__ column,
                             int *level, int *again, int limit, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int queue[MOST_WORK];
    int done = 1;
    bool changed = false;
    queue[0] = v;
    for (int at = 0; at < done; at++) {
        int node = queue[at], below = level[node];
        if (below == UNREACHED) continue;
        below++;
        int end = row[node + 1];
        for (int i = row[node]; i < end; i++) {
            int u = column[i];
            if (!relax(level, u, below)) continue;
            changed = true;
            if (done < limit) queue[done++] = u;
        }
    }
    if (changed) *again = 1;
}
