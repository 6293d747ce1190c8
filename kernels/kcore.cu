// Core numbers by peeling: vertices of at most k neighbours left are taken away, k by k. Work
// lists as in Ahmad, Yuan, Yan, Guo, Chen and Zhang, "Accelerating k-core decomposition by a GPU"
// (ICDE 2023), with one list for all blocks.
#include "block.cuh"

// Neighbours of each vertex, itself left out.
__global__ void kcore_degrees(const int *__restrict__ row, const int *__restrict__ col,
                              int *__restrict__ degree, int vertices)
{
    int v = thread_index();
    if (v >= vertices) return;
    int end = row[v + 1], count = 0;
    for (int i = row[v]; i < end; i++) count += col[i] != v;
    degree[v] = count;
}

// Puts the vertices that have k neighbours left at the end of the list; core is -1 of those that
// are still there. *least becomes the least number of neighbours of the others.
__global__ void kcore_scan(const int *__restrict__ degree, int *__restrict__ core,
                           int *__restrict__ worklist, int *tail, int *least, int k, int vertices)
{
    __shared__ int sums[MOST_THREADS];
    __shared__ int base, lowest;
    int v = thread_index();
    bool there = v < vertices && core[v] < 0, taken = there && degree[v] <= k;
    if (threadIdx.x == 0) lowest = 0x7fffffff;
    int total, place = block_scan(sums, taken, &total);
    if (there && !taken) atomicMin(&lowest, degree[v]);
    if (threadIdx.x == 0) base = total ? atomicAdd(tail, total) : 0;
    __syncthreads();
    if (threadIdx.x == 0 && lowest < 0x7fffffff) atomicMin(least, lowest);
    if (!taken) return;
    core[v] = k;
    worklist[base + place] = v;
}

// A warp takes an entry away: each of its neighbours has one less; those that had k + 1 follow at
// the end of the list. A decrement that found fewer is undone.
__global__ void kcore_peel(const int *__restrict__ row, const int *__restrict__ col, int *degree,
                           int *core, int *worklist, int *tail, int first, int last, int k)
{
    int width = warp_width();
    int lane = thread_index() & (width - 1);
    int at = first + (thread_index() >> (31 - __builtin_clz(width)));
    if (at >= last) return;
    int v = worklist[at], end = row[v + 1];
    for (int i = row[v] + lane; i < end; i += width) {
        int u = col[i];
        if (u == v || load_uncached(&degree[u]) <= k) continue;
        int before = atomicAdd(&degree[u], -1);
        if (before == k + 1) {
            core[u] = k;
            worklist[atomicAdd(tail, 1)] = u;
        } else if (before <= k) {
            atomicAdd(&degree[u], 1);
        }
    }
}
