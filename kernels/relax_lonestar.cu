// LonestarGPU's first breadth-first search and shortest paths (Burtscher, Nasre, Pingali, IISWC
// 2012), which lakshminarayana2014 measures: LS-BFS, LS-SSSP. They are one program, with lengths of
// 1 or an array of them. It has no frontier: in every launch every vertex offers paths to its
// neighbours, until nothing changes. The data that it accesses are those of the published program:
// a vertex's row has an index, a start and a length, and nothing is `restrict`, so that a vertex's
// own distance is read for each edge.
#include "heddle.cuh"

struct Graph {
    const unsigned *index; // of each vertex's row in `row`
    const unsigned *row, *degree;
    const unsigned *column;
    const unsigned *weight;
    const unsigned *vertices; // their number
};

enum { WORK_PER_THREAD = 12 }; // entries of a thread's queue: 48 KB for a block of 1,024

extern __shared__ unsigned work[]; // entries with the same number lie side by side

// An element of an array of the graph. tagged: the array is `const __restrict`, as
// lakshminarayana2014, 3.3.2.1, has the programmer tag it for prefetches: the load is of read-only
// data.
HEDDLE_INLINE unsigned element(const unsigned *array, unsigned i, bool tagged)
{
    return tagged ? __nvvm_ldg_ui(&array[i]) : array[i];
}

// A thread starts with its own vertex. It continues with the first vertices whose distance it has
// lowered, as far as its queue holds them. Unreached vertices have a distance above all others,
// to which a length can be added without overflow.
HEDDLE_INLINE void relax_all(const Graph &graph, bool weighted, bool tagged, unsigned *distance,
                             int *again)
{
    unsigned lowered = 0, end = threadIdx.x + blockDim.x;
    work[threadIdx.x] = thread_index();
    for (unsigned at = threadIdx.x; at < end; at += blockDim.x) {
        unsigned v = work[at];
        if (v >= *graph.vertices) continue;
        unsigned first = graph.row[graph.index[v]], last = first + graph.degree[v];
        for (unsigned i = first; i < last; i++) {
            unsigned u = element(graph.column, i, tagged);
            unsigned found = distance[v] + (weighted ? element(graph.weight, i, tagged) : 1);
            if (found >= distance[u]) continue;
            atomicMin(&distance[u], found);
            if (++lowered >= WORK_PER_THREAD) continue;
            work[end] = u;
            end += blockDim.x;
        }
    }
    if (lowered) *again = 1;
}

__global__ void bfs_lonestar(const unsigned *index, const unsigned *row, const unsigned *degree,
                             const unsigned *column, const unsigned *vertices, unsigned *level,
                             int *again)
{
    relax_all({index, row, degree, column, nullptr, vertices}, false, false, level, again);
}

__global__ void sssp_lonestar(const unsigned *index, const unsigned *row, const unsigned *degree,
                              const unsigned *column, const unsigned *weight,
                              const unsigned *vertices, unsigned *distance, int *again)
{
    relax_all({index, row, degree, column, weight, vertices}, true, false, distance, again);
}

__global__ void bfs_lonestar_tagged(const unsigned *index, const unsigned *row,
                                    const unsigned *degree, const unsigned *column,
                                    const unsigned *vertices, unsigned *level, int *again)
{
    relax_all({index, row, degree, column, nullptr, vertices}, false, true, level, again);
}

__global__ void sssp_lonestar_tagged(const unsigned *index, const unsigned *row,
                                     const unsigned *degree, const unsigned *column,
                                     const unsigned *weight, const unsigned *vertices,
                                     unsigned *distance, int *again)
{
    relax_all({index, row, degree, column, weight, vertices}, true, true, distance, again);
}
