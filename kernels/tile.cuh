// Blocks as tiles of a matrix, for kernels with a thread per element.
#ifndef HEDDLE_TILE_CUH
#define HEDDLE_TILE_CUH

#include "heddle.cuh"

enum { TILE_COLUMNS = 32 };

// The element of this thread. A block is a tile of 32 columns and as many rows as it has threads
// for; tiles lie row by row over a matrix of `columns` columns. The last of a row, or of all, may
// stand out.
HEDDLE_INLINE void tile_element(int columns, int *row, int *column)
{
    int across = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS, rows = blockDim.x / TILE_COLUMNS;
    int down = blockIdx.x / across;
    *row = down * rows + threadIdx.x / TILE_COLUMNS;
    *column = (blockIdx.x - down * across) * TILE_COLUMNS + threadIdx.x % TILE_COLUMNS;
}

#endif
