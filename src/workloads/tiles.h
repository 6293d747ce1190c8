// Grids whose blocks are tiles of a matrix (kernels/tile.cuh).
#ifndef HEDDLE_WORKLOADS_TILES_H
#define HEDDLE_WORKLOADS_TILES_H

#include "workloads/program.h"

// The number of threads whose tiles of 32 columns cover a matrix of rows by columns. Fails if a
// block is not whole rows of a tile.
uint64_t tile_threads(Program *program, uint32_t rows, uint32_t columns);

#endif
