// Blocks as tiles of a matrix, for kernels with one thread per element.
#ifndef HEDDLE_TILE_CUH
#define HEDDLE_TILE_CUH

#include "heddle.cuh"

enum { TILE_COLUMNS = 32 };

// The element of this thread. A block is a tile of 32 columns and (threads / 32) rows; tiles cover
// a matrix of `columns` columns row by row. The last tiles of a row or column may exceed the
// matrix.
HEDDLE_INLINE void tile_element(int columns, int *row, int *column)
{
    int across = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS, rows = blockDim.x / TILE_COLUMNS;
    int down = blockIdx.x / across;
    *row = down * rows + threadIdx.x / TILE_COLUMNS;
    *column = (blockIdx.x - down * across) * TILE_COLUMNS + threadIdx.x % TILE_COLUMNS;
}

#endif
