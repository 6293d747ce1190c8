// Breadth-first search, level by level, with the data of the program that its authors published
// (Harish and Narayanan, HiPC 2007): flags of one byte, and a row's start and length side by side.
// bfs_expand (bfs.cu) is the same search with words. After each store a row and its vertex's level
// are read again, because a flag may lie anywhere for all that a compiler knows.
#include "heddle.cuh"

struct Row {
    int first, count;
};

// Gives every unvisited neighbour of a frontier vertex its level.
__global__ void bfs_hipc(const Row *row, const int *column, bool *frontier, bool *next,
                         const bool *visited, int *level, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !frontier[v]) return;
    frontier[v] = false;
    for (int i = row[v].first; i < row[v].first + row[v].count; i++) {
        int u = column[i];
        if (visited[u]) continue;
        level[u] = level[v] + 1;
        next[u] = true;
    }
}

// Moves the vertices just reached to the frontier; sets *again if there are any.
__global__ void bfs_hipc_update(bool *frontier, bool *next, bool *visited, int *again, int vertices)
{
    int v = thread_index();
    if (v >= vertices || !next[v]) return;
    frontier[v] = true;
    visited[v] = true;
    *again = 1;
    next[v] = false;
}
