// The topology implementation of breadth-first search with software prefetching and unrolling by
// hand, after lakshminarayana2014, section 5.5.1: the expand kernel of bfs.cu in six variants.
//
// Figures 76 and 77 there prefetch edge_list[i] for the next iteration, which is the current
// neighbour. We take this as an error and prefetch edge_list[i + 1].
#include "heddle.cuh"

// The state of an expand kernel.
struct Level {
    int *next, *level;
    int below;
};

// A neighbour whose flag has been loaded.
HEDDLE_INLINE void process(const Level &at, int neighbour, int visited)
{
    if (visited) return;
    at.level[neighbour] = at.below; // several threads may write: all write the same value
    at.next[neighbour] = 1;
}

// The start of all variants: returns if the thread has no vertex to expand.
#define EXPAND(name)                                                                               \
    __global__ void name(const int *__restrict__ row, const int *__restrict__ column,              \
                         int *frontier, int *next, const int *__restrict__ visited, int *level,    \
                         int vertices)
#define EXPAND_BEGIN                                                                               \
    int v = thread_index();                                                                        \
    if (v >= vertices || !frontier[v]) return;                                                     \
    frontier[v] = 0;                                                                               \
    const Level at = {next, level, level[v] + 1};                                                  \
    int i = row[v], end = row[v + 1];

// Figure 76: loads the next neighbour and its flag one iteration ahead, after a check.
EXPAND(bfs_expand_swp)
{
    EXPAND_BEGIN
    int id0 = 0, visited0 = 0;
    if (i < end) {
        id0 = column[i];
        visited0 = visited[id0];
    }
    for (; i < end; i++) {
        int id = id0, flag = visited0;
        if (i < end - 1) {
            id0 = column[i + 1];
            visited0 = visited[id0];
        }
        process(at, id, flag);
    }
}

// Figure 77: handles the last neighbour after the loop, which then needs no check.
EXPAND(bfs_expand_swpnc)
{
    EXPAND_BEGIN
    if (i >= end) return;
    int id0 = column[i], visited0 = visited[id0];
    for (; i < end - 1; i++) {
        int id = id0, flag = visited0;
        id0 = column[i + 1];
        visited0 = visited[id0];
        process(at, id, flag);
    }
    process(at, id0, visited0);
}

// Figure 78: two neighbours per iteration; an odd one after the loop.
EXPAND(bfs_expand_unr2)
{
    EXPAND_BEGIN
    int unrolled = i + (end - i) / 2 * 2;
    for (; i < unrolled; i += 2) {
        int id0 = column[i], id1 = column[i + 1];
        int visited0 = visited[id0], visited1 = visited[id1];
        process(at, id0, visited0);
        process(at, id1, visited1);
    }
    if (i != end) {
        int id = column[i];
        process(at, id, visited[id]);
    }
}

// As Figure 78, with three neighbours per iteration.
EXPAND(bfs_expand_unr3)
{
    EXPAND_BEGIN
    int unrolled = i + (end - i) / 3 * 3;
    for (; i < unrolled; i += 3) {
        int id0 = column[i], id1 = column[i + 1], id2 = column[i + 2];
        int visited0 = visited[id0], visited1 = visited[id1], visited2 = visited[id2];
        process(at, id0, visited0);
        process(at, id1, visited1);
        process(at, id2, visited2);
    }
    for (; i < end; i++) {
        int id = column[i];
        process(at, id, visited[id]);
    }
}

// Unrolling and prefetching: loads the next pair one iteration ahead, after a check.
EXPAND(bfs_expand_unr2_swp)
{
    EXPAND_BEGIN
    int unrolled = i + (end - i) / 2 * 2;
    int id0 = 0, id1 = 0, visited0 = 0, visited1 = 0;
    if (i < unrolled) {
        id0 = column[i];
        id1 = column[i + 1];
        visited0 = visited[id0];
        visited1 = visited[id1];
    }
    for (; i < unrolled; i += 2) {
        int a = id0, b = id1, flag_a = visited0, flag_b = visited1;
        if (i < unrolled - 2) {
            id0 = column[i + 2];
            id1 = column[i + 3];
            visited0 = visited[id0];
            visited1 = visited[id1];
        }
        process(at, a, flag_a);
        process(at, b, flag_b);
    }
    if (i != end) {
        int id = column[i];
        process(at, id, visited[id]);
    }
}

// As above without the check: handles the last pair after the loop.
EXPAND(bfs_expand_unr2_swpnc)
{
    EXPAND_BEGIN
    int unrolled = i + (end - i) / 2 * 2;
    if (i < unrolled) {
        int id0 = column[i], id1 = column[i + 1];
        int visited0 = visited[id0], visited1 = visited[id1];
        for (; i < unrolled - 2; i += 2) {
            int a = id0, b = id1, flag_a = visited0, flag_b = visited1;
            id0 = column[i + 2];
            id1 = column[i + 3];
            visited0 = visited[id0];
            visited1 = visited[id1];
            process(at, a, flag_a);
            process(at, b, flag_b);
        }
        process(at, id0, visited0);
        process(at, id1, visited1);
    }
    if (unrolled != end) {
        int id = column[unrolled];
        process(at, id, visited[id]);
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
