// Grids whose blocks are tiles of a matrix.
#ifndef HEDDLE_WORKLOADS_TILES_H
#define HEDDLE_WORKLOADS_TILES_H

#include "workloads/program.h"

enum { TILE_COLUMNS = 32 }; // as in kernels/tile.cuh

// The number of threads whose tiles of `width` columns cover a matrix of rows by columns. Fails if
// a block is not whole rows of a tile.
uint64_t tile_threads(Program *program, uint32_t width, uint32_t rows, uint32_t columns);

#endif
