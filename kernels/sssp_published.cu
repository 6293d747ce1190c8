// Single-source shortest paths with the data of the program that Harish and Narayanan published
// (HiPC 2007), which lakshminarayana2014 measures (H-SSSP): topology of sssp.cu with flags of one
// byte and weights of two. The arrays are not `restrict`: the vertex's own distance is read for
// each edge, because the atomics may change it for all that a compiler knows.
#include "heddle.cuh"

HEDDLE_INLINE void relax(const int *row, const int *column, const short *weight, bool *frontier,
                         const unsigned *distance, unsigned *updating, int vertices, int edges)
{
    int v = thread_index(), end = edges;
    if (v >= vertices || !frontier[v]) return;
    if (v < vertices - 1) end = row[v + 1];
    for (int i = row[v]; i < end; i++)
        atomicMin(&updating[column[i]], distance[v] + weight[i]);
    frontier[v] = false;
}

__global__ void sssp_hipc(const int *row, const int *column, const short *weight, bool *frontier,
                          const unsigned *distance, unsigned *updating, int vertices, int edges)
{
    relax(row, column, weight, frontier, distance, updating, vertices, edges);
}

// With the tags of lakshminarayana2014, 3.3.2.1: the arrays that it only reads.
__global__ void sssp_hipc_tagged(const int *__restrict__ row, const int *__restrict__ column,
                                 const short *__restrict__ weight, bool *frontier,
                                 const unsigned *__restrict__ distance, unsigned *updating,
                                 int vertices, int edges)
{
    relax(row, column, weight, frontier, distance, updating, vertices, edges);
}

// Commits shorter distances; their vertices form the next frontier. Sets *again if there are any.
// Both arrays are then the same.
__global__ void sssp_hipc_commit(unsigned *distance, unsigned *updating, bool *frontier,
                                 bool *again, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    if (distance[v] > updating[v]) {
        distance[v] = updating[v];
        frontier[v] = true;
        *again = true;
    }
    updating[v] = distance[v];
}
