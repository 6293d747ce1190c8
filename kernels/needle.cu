// Needleman-Wunsch alignment of two sequences, after Rodinia (Che et al., IISWC 2009). khairy2015
// uses it as a streaming workload: a tile's scores are computed in shared memory, and only its edge
// is read again, in the next launch.
#include "heddle.cuh"

extern __shared__ int tile[];

// One block per tile of an anti-diagonal of tiles, with a thread per column. The tile's scores,
// with the row above and the column at the left, and its similarities are in shared memory. Both
// matrices have `columns` columns; row 0 and column 0 are the scores of gaps alone. `first` is the
// first tile's column, and `diagonal` the sum of each tile's row and column.
__global__ void needle_diagonal(int *score, const int *__restrict__ similarity, int columns,
                                int first, int diagonal, int gap)
{
    int side = blockDim.x, x = threadIdx.x, pitch = side + 1;
    int *mine = tile, *similar = &tile[pitch * pitch];
    int across = first + blockIdx.x, down = diagonal - across;
    int corner = down * side * columns + across * side; // above and at the left of the tile
    int start = corner + columns + 1;
    if (x == 0) mine[0] = score[corner];
    for (int y = 0; y < side; y++)
        similar[y * side + x] = similarity[start + y * columns + x];
    mine[(x + 1) * pitch] = score[corner + (x + 1) * columns];
    mine[x + 1] = score[corner + x + 1];
    __syncthreads();
    // The tile's own anti-diagonals.
    for (int step = 0; step < 2 * side - 1; step++) {
        int y = step - x;
        if (y >= 0 && y < side) {
            int *here = &mine[(y + 1) * pitch + x + 1];
            int best = here[-pitch - 1] + similar[y * side + x];
            int left = here[-1] - gap, above = here[-pitch] - gap;
            best = left > best ? left : best;
            *here = above > best ? above : best;
        }
        __syncthreads();
    }
    for (int y = 0; y < side; y++)
        score[start + y * columns + x] = mine[(y + 1) * pitch + x + 1];
}
