// Breadth-first search with the data of programs that authors published: hipc (H-BFS of
// lakshminarayana2014; with a warp for a vertex, BFS-WC), hong, uiuc (BFS-DD), and graphbig (that
// of guo2018dsap). They are the searches topology, warp (both bfs.cu), data and data-warp
// (bfs_worklist.cu). Where an array is not `restrict`, a value is read again after a store or
// atomic, which may have changed it for all that a compiler knows.
#include "heddle.cuh"

// ---- hipc: topology, with flags of one byte, and a row's start and length side by side ----

struct Row {
    int first, count;
};

// Gives every unvisited neighbour of a frontier vertex its level.
HEDDLE_INLINE void expand(const Row *row, const int *column, bool *frontier, bool *next,
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

__global__ void bfs_hipc(const Row *row, const int *column, bool *frontier, bool *next,
                         const bool *visited, int *level, int vertices)
{
    expand(row, column, frontier, next, visited, level, vertices);
}

// The same, with one warp per chunk of vertices: its lanes share the edges of each.
__global__ void bfs_hipc_warp(const Row *row, const int *column, bool *frontier, bool *next,
                              const bool *visited, int *level, int vertices, int chunk)
{
    int width = warp_width(), log = 31 - __builtin_clz(width);
    int lane = thread_index() & (width - 1);
    int first = (thread_index() >> log) * chunk;
    int last = vertices - first < chunk ? vertices : first + chunk;
    for (int v = first; v < last; v++) {
        if (!frontier[v]) continue;
        if (lane == 0) frontier[v] = false;
        for (int i = row[v].first + lane; i < row[v].first + row[v].count; i += width) {
            int u = column[i];
            if (visited[u]) continue;
            level[u] = level[v] + 1;
            next[u] = true;
        }
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

// ---- hong: warp, with the levels and rows of a chunk in shared memory ----

extern __shared__ int chunks[]; // for each warp of the block: a chunk's levels and row offsets

__global__ void bfs_hong(const int *__restrict__ row, const int *__restrict__ column, int *level,
                         int *again, int current, int chunk, int vertices)
{
    int width = warp_width(), log = 31 - __builtin_clz(width);
    int lane = thread_index() & (width - 1);
    int first = (thread_index() >> log) * chunk;
    int count = vertices - first < chunk ? vertices - first : chunk;
    int *levels = chunks + (threadIdx.x >> log) * (2 * chunk + 1), *rows = levels + chunk;
    for (int i = lane; i < count; i += width) levels[i] = level[first + i];
    for (int i = lane; i <= count; i += width) rows[i] = row[first + i];
    warp_sync(); // all lanes have written
    for (int v = 0; v < count; v++) {
        if (levels[v] != current) continue;
        for (int i = rows[v] + lane; i < rows[v + 1]; i += width) {
            int u = column[i];
            if (level[u] < 0) {
                level[u] = current + 1;
                *again = 1;
            }
        }
    }
}

// ---- uiuc: data, with atomics alone on the neighbours ----

enum { LOCAL_QUEUE = 1024 }; // entries of a block's queue in shared memory

// Lowers the level of each neighbour without a look at it first; unreached vertices have one above
// all levels. `listed` keeps a vertex from being listed twice.
__global__ void bfs_uiuc(const int *row, const int *column, int *level, int *listed,
                         const int *worklist, int *next, int *tail, int count)
{
    __shared__ int queue[LOCAL_QUEUE];
    __shared__ int queued, first;
    if (threadIdx.x == 0) queued = 0;
    __syncthreads();
    int at = thread_index();
    if (at < count) {
        int v = worklist[at];
        listed[v] = 0;
        int end = row[v + 1];
        for (int i = row[v]; i < end; i++) {
            int u = column[i], below = level[v] + 1;
            if (atomicMin(&level[u], below) <= below || atomicExch(&listed[u], 1)) continue;
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

// ---- graphbig: data-warp, with lists of 64 bits, and what a thread reaches in local memory ----

typedef unsigned long long Wide;
enum { REACHED = 128 }; // vertices that a thread keeps

// Appends the vertices that a thread keeps, if any, to the next list.
HEDDLE_INLINE void append(Wide *next, int *tail, const Wide *reached, int count)
{
    int first = atomicAdd(tail, count);
    for (int i = 0; i < count; i++) next[first + i] = reached[i];
}

// Threads do not claim: a vertex that several see unreached at the same time is listed by each.
__global__ void bfs_graphbig(const Wide *row, const Wide *column, int *level, const Wide *worklist,
                             const int *count, Wide *next, int *tail, int below, int chunk)
{
    int width = warp_width(), lane = thread_index() & (width - 1);
    int id = (thread_index() >> (31 - __builtin_clz(width))) * chunk, last = id + chunk;
    if (id >= *count) return;
    if (last > *count) last = *count;
    Wide reached[REACHED];
    int kept = 0;
    for (; id < last; id++) {
        Wide v = worklist[id], edge = row[v], edges = row[v + 1] - edge;
        for (Wide i = lane; i < edges; i += width) {
            Wide u = column[edge + i];
            if (level[u] >= 0) continue;
            level[u] = below;
            reached[kept++] = u;
            if (kept < REACHED) continue;
            append(next, tail, reached, kept);
            kept = 0;
        }
    }
    append(next, tail, reached, kept);
}

// ---- scalar: hipc, with one warp per vertex ----

// After yilmazer2020gw, Listing 2: what depends on the vertex alone is scalar, and is read once,
// before the loop over the edges.
__global__ void bfs_scalar(const Row *row, const int *column, bool *frontier, bool *next,
                           const bool *visited, int *level, int vertices)
{
    int v = get_warp_id();
    if (v >= vertices || !frontier[v]) return;
    frontier[v] = false;
    int start = row[v].first, end = start + row[v].count, below = level[v] + 1;
    for (int i = start + get_warp_local_id(); i < end; i += get_simd_width()) {
        int u = column[i];
        if (visited[u]) continue;
        level[u] = below;
        next[u] = true;
    }
}

// bfs_hipc with the tags of lakshminarayana2014, 3.3.2.1: the arrays that it only reads. So the row
// is read once, before the loop.
__global__ void bfs_hipc_tagged(const Row *__restrict__ row, const int *__restrict__ column,
                                bool *frontier, bool *next, const bool *__restrict__ visited,
                                int *level, int vertices)
{
    expand(row, column, frontier, next, visited, level, vertices);
}
