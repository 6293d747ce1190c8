// The topology implementation of breadth-first search with software prefetching and unrolling by
// hand, after lakshminarayana2014, section 5.5.1: the expand kernel of bfs.cu in six variants.
//
// Figures 76 and 77 there prefetch edge_list[i] for the next turn, which is the neighbour at hand
// once more; what is meant, and done here, is i + 1.
#include "heddle.cuh"

// What an expand kernel works on.
struct Level {
    int *next, *level;
    int below;
};

// A neighbour whose flag has been loaded.
HEDDLE_INLINE void process(const Level &at, int neighbour, int visited)
{
    if (visited) return;
    at.level[neighbour] = at.below; // several threads may: all write the same value
    at.next[neighbour] = 1;
}

// The head of all variants: leaves where the thread has no vertex to expand.
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

// Figure 76: the next neighbour and its flag are loaded a turn ahead, behind a check.
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

// Figure 77: the last neighbour is left to behind the loop, which then needs no check.
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

// Figure 78: two neighbours per turn, an odd one behind the loop.
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

// The same with three.
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

// Both: the next pair is loaded a turn ahead, behind a check.
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

// The unrolled loop without the check: the last pair is processed behind the loop.
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

// Makes the vertices just reached the frontier; *again tells the host that there are some.
__global__ void bfs_update(int *frontier, int *next, int *visited, int *again, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !next[v]) return;
    next[v] = 0;
    frontier[v] = 1;
    visited[v] = 1;
    *again = 1;
}
