// The cheapest path through a grid, row by row, after pathfinder of Rodinia (Che et al., IISWC
// 2009). yilmazer2020gw uses it as a workload without a graph.
#include "heddle.cuh"

extern __shared__ int sums[]; // two for each thread

// A launch goes through `steps` rows of costs, from row `first` on. A block begins with the sums of
// as many columns as it has threads. Each step leaves one column less at either side that is right,
// so that blocks overlap. They store the columns that are right to the end. `halo` is the number of
// these columns at either side in a launch with the most steps.
__global__ void pathfinder_rows(const int *__restrict__ cost, const int *__restrict__ before,
                                int *__restrict__ after, int columns, int first, int steps,
                                int halo)
{
    int threads = blockDim.x, x = threadIdx.x;
    int *now = sums, *next = &sums[threads];
    int left_end = (threads - 2 * steps) * (int)blockIdx.x - halo; // the column of thread 0
    int right_end = left_end + threads - 1, column = left_end + x;
    // The threads whose columns are in the grid.
    int low = left_end < 0 ? -left_end : 0;
    int high = right_end > columns - 1 ? threads - 1 - (right_end - columns + 1) : threads - 1;
    int west = x - 1 < low ? low : x - 1, east = x + 1 > high ? high : x + 1;
    bool inside = x >= low && x <= high;
    if (column >= 0 && column < columns) now[x] = before[column];
    __syncthreads();
    bool right = false;
    for (int step = 0; step < steps; step++) {
        right = x > step && x < threads - 1 - step && inside;
        if (right) {
            int least = now[west] <= now[x] ? now[west] : now[x];
            least = least <= now[east] ? least : now[east];
            next[x] = least + cost[columns * (first + step) + column];
        }
        __syncthreads();
        if (step == steps - 1) break;
        if (right) now[x] = next[x];
        __syncthreads();
    }
    if (right) after[column] = next[x];
}
