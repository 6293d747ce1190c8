// Reference kernel, exactly as it was run on GPGPU-Sim for the comparison in docs/validation.md
// (there: reference/gpgpusim/topo.cu).
#include "heddle.cuh"

// Topology-driven, thread-centric BFS, one thread per vertex, flag frontier, two kernels (Harish &
// Narayanan).
__global__ void topo_expand(const int *row, const int *col, const int *frontier, int *next,
                            const int *visited, int *level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && frontier[v]) {
        int l = level[v] + 1;
        int e = row[v + 1];
        for (int i = row[v]; i < e; i++) {
            int u = col[i];
            if (!visited[u]) {
                level[u] = l;
                next[u] = 1;
            }
        }
    }
}

__global__ void topo_update(int *frontier, int *next, int *visited, int *again, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        int f = next[v];
        frontier[v] = f;
        if (f) {
            next[v] = 0;
            visited[v] = 1;
            *again = 1;
        }
    }
}
