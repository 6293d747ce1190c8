// Breadth-first search over an edge frontier: contraction and expansion in turn, after Merrill,
// Garland and Grimshaw, "Scalable GPU graph traversal" (PPoPP 2012), the baseline of segura2022iru,
// whose BFS_Contract (Figure 9) is the labelling step of bfs_contract.
//
// The edge frontier holds heads of edges, with duplicates. Contraction culls vertices reached
// before, and duplicates that are cheap to detect; the rest is the vertex frontier. No atomics
// claim a vertex: duplicates may remain, which costs time but does not change the result. A block
// reserves its entries in a frontier with one atomicAdd.
#include "bfs_contract.cuh"

// ---- contraction: edge frontier to vertex frontier ----

// One thread per entry of the edge frontier. If `culling` is 0, only levels are checked.
__global__ void bfs_contract(const int *__restrict__ edge_frontier, int count, int *level,
                             int distance, int *vertex_frontier, int *tail, int culling)
{
    contract<false>(edge_frontier, count, level, distance, vertex_frontier, tail, culling);
}

// ---- expansion: vertex frontier to edge frontier ----

// The edges that a thread has yet to gather, and their destination.
struct Gather {
    int edge, end, place;
};

// The edge frontier being written. Edges that do not fit are only counted, in *tail.
struct Frontier {
    const int *column;
    int *edges;
    int capacity;
};

HEDDLE_INLINE void gather_one(const Frontier &to, int edge, int place)
{
    if (place < to.capacity) to.edges[place] = to.column[edge];
}

// Block gathering: all threads gather each list at least as long as the block is wide.
HEDDLE_INLINE void gather_by_block(const Frontier &to, Gather *mine)
{
    __shared__ volatile int owner, edge, end, place;
    for (;;) {
        if (threadIdx.x == 0) owner = -1;
        __syncthreads();
        if (mine->end - mine->edge >= (int)blockDim.x) owner = threadIdx.x;
        __syncthreads();
        int chosen = owner;
        if (chosen < 0) break;
        if (chosen == (int)threadIdx.x) {
            edge = mine->edge;
            end = mine->end;
            place = mine->place;
            mine->edge = mine->end;
        }
        __syncthreads();
        int from = edge, last = end, into = place;
        for (int i = from + (int)threadIdx.x; i < last; i += blockDim.x)
            gather_one(to, i, into + i - from);
        __syncthreads();
    }
}

// Warp gathering: the lanes of a warp gather each list at least as long as the warp is wide.
HEDDLE_INLINE void gather_by_warp(const Frontier &to, Gather *mine, int width)
{
    int lane = threadIdx.x & (width - 1);
    for (unsigned left; (left = warp_ballot(mine->end - mine->edge >= width));) {
        int chosen = 31 - __builtin_clz(left);
        int from = warp_broadcast(mine->edge, chosen);
        int last = warp_broadcast(mine->end, chosen);
        int into = warp_broadcast(mine->place, chosen);
        if (lane == chosen) mine->edge = mine->end;
        for (int i = from + lane; i < last; i += width) gather_one(to, i, into + i - from);
    }
}

// Gathers the remaining edges, a block's width at a time. Threads write the indices of their edges
// to consecutive entries of shared memory, and each thread gathers one.
HEDDLE_INLINE void gather_by_scan(const Frontier &to, Gather mine, int *sums)
{
    __shared__ int edges[MOST_THREADS], places[MOST_THREADS];
    int total, offset = block_scan(sums, mine.end - mine.edge, &total);
    for (int done = 0; done < total; done += blockDim.x) {
        while (mine.edge < mine.end && offset < done + (int)blockDim.x) {
            edges[offset - done] = mine.edge++;
            places[offset - done] = mine.place++;
            offset++;
        }
        __syncthreads();
        if (done + (int)threadIdx.x < total)
            gather_one(to, edges[threadIdx.x], places[threadIdx.x]);
        __syncthreads();
    }
}

// One thread per entry of the vertex frontier. *tail becomes the length of the edge frontier, even
// if it exceeds `capacity`.
__global__ void bfs_edge_expand(const int *__restrict__ row, const int *__restrict__ column,
                                const int *__restrict__ vertex_frontier, int count,
                                int *edge_frontier, int capacity, int *tail)
{
    __shared__ int sums[MOST_THREADS];
    __shared__ int first;
    int at = thread_index();
    Gather mine = {0, 0, 0};
    if (at < count) {
        int v = vertex_frontier[at];
        mine.edge = row[v];
        mine.end = row[v + 1];
    }
    int total, offset = block_scan(sums, mine.end - mine.edge, &total);
    if (threadIdx.x == 0) first = total ? atomicAdd(tail, total) : 0;
    __syncthreads();
    mine.place = first + offset;
    const Frontier to = {column, edge_frontier, capacity};
    gather_by_block(to, &mine);
    gather_by_warp(to, &mine, warp_width());
    gather_by_scan(to, mine, sums);
}
