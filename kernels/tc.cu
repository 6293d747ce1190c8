// Triangle counting: one warp per vertex. The graph has each edge once, from the lower to the
// higher vertex in some order, with ascending rows. A triangle is found once, at its lowest vertex,
// as in Polak, "Counting triangles in large graphs on GPU" (2015).
#include "block.cuh"

// Returns whether the ascending list col[first .. last - 1] contains x.
HEDDLE_INLINE bool holds(const int *__restrict__ col, int first, int last, int x)
{
    while (first < last) {
        int middle = first + (last - first) / 2;
        int found = col[middle];
        if (found == x) return true;
        if (found < x)
            first = middle + 1;
        else
            last = middle;
    }
    return false;
}

// The lanes share the neighbours of each neighbour v of u, and search for each in the row of u.
__global__ void tc_count(const int *__restrict__ row, const int *__restrict__ col,
                         unsigned long long *triangles, int vertices)
{
    __shared__ int sums[MOST_THREADS];
    int width = warp_width();
    int lane = thread_index() & (width - 1);
    int u = thread_index() >> (31 - __builtin_clz(width));
    int first = u < vertices ? row[u] : 0, last = u < vertices ? row[u + 1] : 0;
    int found = 0;
    for (int i = first; i < last; i++) {
        int v = col[i], end = row[v + 1];
        for (int j = row[v] + lane; j < end; j += width) found += holds(col, first, last, col[j]);
    }
    int total;
    block_scan(sums, found, &total);
    if (threadIdx.x == 0 && total) atomicAdd(triangles, (unsigned long long)total);
}
