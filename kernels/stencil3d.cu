// A stencil of seven points in three dimensions, after hotspot3D of Rodinia (Che et al., IISWC
// 2009). khairy2015 uses such a kernel for L1 conflicts: the rows of a block's tile map to one set
// if a row's number of cache lines is a multiple of the number of sets.
#include "heddle.cuh"

enum { TILE_COLUMNS = 64 }; // a block is a tile of 64 columns of cells; with 256 threads, of 4 rows

// One thread per column of cells, which goes up the planes and keeps its own value below, at and
// above the current plane in registers. The four neighbours in a plane come from memory. Border
// cells have no result.
__global__ void stencil3d_sweep(const float *__restrict__ in, float *__restrict__ out, float centre,
                                float side, int columns, int rows, int planes)
{
    int across = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS, down = blockIdx.x / across;
    int row = down * (blockDim.x / TILE_COLUMNS) + threadIdx.x / TILE_COLUMNS;
    int column = (blockIdx.x - down * across) * TILE_COLUMNS + threadIdx.x % TILE_COLUMNS;
    if (row < 1 || row >= rows - 1 || column < 1 || column >= columns - 1) return;
    int plane = rows * columns, at = row * columns + column;
    float below = in[at], here = in[at + plane];
    for (int z = 1; z < planes - 1; z++) {
        at += plane;
        float above = in[at + plane];
        out[at] = centre * here + side * (below + above + in[at - 1] + in[at + 1] +
                                          in[at - columns] + in[at + columns]);
        below = here;
        here = above;
    }
}
