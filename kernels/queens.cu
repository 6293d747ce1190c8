// Solutions of the n queens problem, after N-Queens Solver (Chen), which is NQU among the programs
// of Bakhoda et al., ISPASS 2009. Threads search for different times, with their stacks in shared
// memory. yilmazer2020gw uses it as an irregular workload.
#include "heddle.cuh"

enum { DEPTH = 10 }; // rows of a thread's stack

extern __shared__ unsigned stack[];

// One thread per board whose first rows have their queens. `taken`, `left` and `right` have a bit
// for each column that these queens attack in the next row: straight down, and along the diagonals.
// The thread places the `rows` others, from the lowest column up, and counts its solutions. `tried`
// has a bit for each attacked or tried column. The sum of a block is in `solutions`.
__global__ void queens_solve(const unsigned *__restrict__ all_taken,
                             const unsigned *__restrict__ all_left,
                             const unsigned *__restrict__ all_right,
                             unsigned *__restrict__ solutions, int size, int rows, int boards)
{
    int thread = threadIdx.x, threads = blockDim.x, board = thread_index();
    unsigned *taken = &stack[thread * DEPTH], *left = taken + threads * DEPTH;
    unsigned *right = left + threads * DEPTH, *tried = right + threads * DEPTH;
    unsigned *sum = &stack[4 * threads * DEPTH], columns = (1u << size) - 1;
    int found = 0, row = 0;
    if (board < boards) {
        taken[0] = all_taken[board];
        left[0] = all_left[board];
        right[0] = all_right[board];
        tried[0] = taken[0] | left[0] | right[0];
        while (row >= 0) {
            if ((tried[row] & columns) == columns) {
                row--;
            } else {
                unsigned column = (tried[row] + 1) & ~tried[row]; // the lowest zero
                tried[row] |= column;
                if (column & columns) {
                    if (row + 1 == rows) {
                        found++;
                        row--;
                    } else {
                        taken[row + 1] = taken[row] | column;
                        left[row + 1] = (left[row] | column) << 1;
                        right[row + 1] = (right[row] | column) >> 1;
                        tried[row + 1] = taken[row + 1] | left[row + 1] | right[row + 1];
                        row++;
                    }
                } else { // never, but the published program tests it, too
                    row--;
                }
            }
        }
    }
    sum[thread] = found;
    __syncthreads();
    int half = 1;
    while (2 * half < threads) half *= 2;
    for (; half; half /= 2) {
        if (thread < half && thread + half < threads) sum[thread] += sum[thread + half];
        __syncthreads();
    }
    if (thread == 0) solutions[blockIdx.x] = sum[0];
}
