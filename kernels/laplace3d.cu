// A Jacobi step of the Laplace equation in three dimensions, after laplace3d (Giles), which is LPS
// among the programs of Bakhoda et al., ISPASS 2009. Three planes of a block's tile are in shared
// memory, with a ring of halo cells. yilmazer2020gw uses it as an irregular workload.
#include "heddle.cuh"

enum {
    TILE_COLUMNS = 32, // a block is a tile of 32 columns of cells; with 128 threads, of 4 rows
    PITCH = TILE_COLUMNS + 2,
};

extern __shared__ float tile[];

// Moves a cell's upper two of three values one plane down, and loads the new upper one.
HEDDLE_INLINE void move_down(float *cell, int slab, const float *above, bool more)
{
    cell[-slab] = cell[0];
    cell[0] = cell[slab];
    if (more) cell[slab] = *above;
}

// One thread per column of cells, which goes up the planes. It also loads at most one column of the
// halo: the first two rows of threads those above and below the tile, the next threads those at its
// sides, with the corners. Border cells keep their value.
__global__ void laplace3d_sweep(const float *__restrict__ in, float *__restrict__ out, int columns,
                                int rows, int planes)
{
    int tile_rows = blockDim.x / TILE_COLUMNS, slab = PITCH * (tile_rows + 2);
    int across = (columns + TILE_COLUMNS - 1) / TILE_COLUMNS, down = blockIdx.x / across;
    int left = (blockIdx.x - down * across) * TILE_COLUMNS, top = down * tile_rows;
    int thread = threadIdx.x, x = thread % TILE_COLUMNS, y = thread / TILE_COLUMNS;

    int halo_x = x, halo_y = y ? tile_rows : -1;
    if (y >= 2) {
        halo_x = thread % 2 ? TILE_COLUMNS : -1;
        halo_y = thread / 2 - TILE_COLUMNS - 1;
    }
    float *halo = &tile[slab + PITCH * (halo_y + 1) + halo_x + 1];
    halo_x += left;
    halo_y += top;
    bool has_halo = thread < 2 * (PITCH + tile_rows) && halo_x >= 0 && halo_x < columns &&
                    halo_y >= 0 && halo_y < rows;
    int halo_at = halo_y * columns + halo_x;

    float *cell = &tile[slab + PITCH * (y + 1) + x + 1];
    x += left;
    y += top;
    bool has_cell = x < columns && y < rows;
    int at = y * columns + x, plane = rows * columns;

    if (has_cell) cell[slab] = in[at];
    if (has_halo) halo[slab] = in[halo_at];
    for (int z = 0; z < planes; z++) {
        bool more = z + 1 < planes;
        if (has_cell) move_down(cell, slab, &in[at + plane], more);
        if (has_halo) move_down(halo, slab, &in[halo_at + plane], more);
        __syncthreads();
        if (has_cell) {
            float value;
            if (x == 0 || x == columns - 1 || y == 0 || y == rows - 1 || z == 0 || !more)
                value = cell[0];
            else
                value = (cell[-1] + cell[1] + cell[-PITCH] + cell[PITCH] + cell[-slab] +
                         cell[slab]) * (1 / 6.f);
            out[at] = value;
        }
        at += plane;
        halo_at += plane;
        __syncthreads();
    }
}
