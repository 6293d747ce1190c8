// Bellman-Ford: every vertex relaxes its edges by an atomic minimum whose result is used.
extern "C" __global__ void sssp_relax(const int *row, const int *column, const int *weight,
                                      int *distance, int *again, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int from = distance[v];
    if (from == 0x7fffffff) return;
    for (int e = row[v]; e < row[v + 1]; e++) {
        int to = from + weight[e];
        if (atomicMin(&distance[column[e]], to) > to) *again = 1;
    }
}
