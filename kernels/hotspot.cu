// Temperatures of a chip from the power of its parts, after Rodinia's hotspot (Che et al., IISWC
// 2009). khairy2015 uses it as a streaming workload: tiles are in shared memory, and neighbouring
// tiles read the same elements only at their edges.
#include "heddle.cuh"

enum { TILE_WIDTH = 16 };

extern __shared__ float tile[];

// `steps` steps of the simulation. A block is a tile of 16 columns and (threads / 16) rows. With
// each step, a ring less of the tile is right; the block stores what is right after the last one.
// Such inner parts cover the chip row by row, the first of them at row 0 and column 0. At the
// chip's edge, an element is its own neighbour.
__global__ void hotspot_steps(const float *__restrict__ power, const float *__restrict__ from,
                              float *__restrict__ to, int rows, int columns, int steps,
                              float capacity, float by_column, float by_row, float up,
                              float ambient)
{
    int x = threadIdx.x % TILE_WIDTH, y = threadIdx.x / TILE_WIDTH;
    int height = blockDim.x / TILE_WIDTH;
    int inner_width = TILE_WIDTH - 2 * steps, inner_height = height - 2 * steps;
    int across = (columns + inner_width - 1) / inner_width, down = blockIdx.x / across;
    int row = down * inner_height - steps + y;
    int column = (blockIdx.x - down * across) * inner_width - steps + x;
    bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
    float *here = &tile[threadIdx.x], *next = here + blockDim.x, *source = next + blockDim.x;
    if (inside) {
        *here = from[row * columns + column];
        *source = power[row * columns + column];
    }
    __syncthreads();
    const float *north = row > 0 ? here - TILE_WIDTH : here;
    const float *south = row < rows - 1 ? here + TILE_WIDTH : here;
    const float *west = column > 0 ? here - 1 : here;
    const float *east = column < columns - 1 ? here + 1 : here;
    for (int step = 1;; step++) {
        bool right = inside && x >= step && x < TILE_WIDTH - step && y >= step &&
                     y < height - step;
        if (right)
            *next = *here + capacity * (*source + (*south + *north - 2 * *here) * by_row +
                                        (*east + *west - 2 * *here) * by_column +
                                        (ambient - *here) * up);
        __syncthreads();
        if (step == steps) {
            if (right) to[row * columns + column] = *next;
            return;
        }
        if (right) *here = *next;
        __syncthreads();
    }
}
