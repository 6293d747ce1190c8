// Breadth-first search without a frontier: every vertex that has been reached relaxes its
// neighbours in every launch, until nothing changes. This is kernel unrolling, lakshminarayana2014,
// Figure 51.
#include "heddle.cuh"

enum { UNREACHED = 0x7fffffff, MOST_WORK = 64 };

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
            if (level[u] <= below || atomicMin(&level[u], below) <= below) continue;
            changed = true;
            if (done < limit) queue[done++] = u;
        }
    }
    if (changed) *again = 1;
}
