// Single-source shortest paths with the data of the program that Harish and Narayanan published
// (HiPC 2007), which lakshminarayana2014 measures (H-SSSP): topology of sssp.cu with flags of one
// byte. The arrays are not `restrict`: the vertex's own distance is read for each edge, because the
// atomics may change it for all that a compiler knows.
#include "heddle.cuh"

__global__ void sssp_hipc(const int *row, const int *column, const unsigned *weight,
                          bool *frontier, const unsigned *distance, unsigned *updating,
                          int vertices)
{
    int v = thread_index();
    if (v >= vertices || !frontier[v]) return;
    frontier[v] = false;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++)
        atomicMin(&updating[column[i]], distance[v] + weight[i]);
}

// Commits shorter distances; their vertices form the next frontier. Sets *again if there are any.
__global__ void sssp_hipc_commit(unsigned *distance, const unsigned *updating, bool *frontier,
                                 int *again, int vertices)
{
    int v = thread_index();
    if (v >= vertices || updating[v] >= distance[v]) return;
    distance[v] = updating[v];
    frontier[v] = true;
    *again = 1;
}
