// Reference kernel, exactly as it was run on GPGPU-Sim for the comparison in docs/validation.md
// (there: reference/gpgpusim/warp.cu).
#include "heddle.cuh"

// Warp-centric BFS: one 32-lane warp per vertex, level array as frontier (Hong et al. PPoPP'11,
// W=32).
__global__ void warp_expand(const int *row, const int *col, int *level, int *again, int cur, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = t & 31;
    int v = t >> 5;
    if (v < n && level[v] == cur) {
        int e = row[v + 1];
        for (int i = row[v] + lane; i < e; i += 32) {
            int u = col[i];
            if (level[u] < 0) {
                level[u] = cur + 1;
                *again = 1;
            }
        }
    }
}
