// Speckle-reducing anisotropic diffusion, after srad_v2 of Rodinia (Che et al., IISWC 2009).
// khairy2015 uses it for L1 conflicts: the rows of a block's tile map to one set if a row's number
// of cache lines is a multiple of the number of sets.
#include "heddle.cuh"

enum { SIDE = 16 }; // a block is a tile of 16 by 16 pixels

// The place of a thread in its tile and in the image. Threads beyond the image stand for the
// nearest pixel of it, so that a pixel at the border is its own neighbour.
struct Pixel {
    int x, y;         // in the tile
    int column, row;  // in the image
    bool inside;
};

HEDDLE_INLINE int at_most(int value, int most) { return value < most ? value : most; }

HEDDLE_INLINE Pixel tile_pixel(int first_row, int first_column, int rows, int columns)
{
    Pixel p;
    p.x = threadIdx.x % SIDE;
    p.y = threadIdx.x / SIDE;
    p.inside = first_column + p.x < columns && first_row + p.y < rows;
    p.column = at_most(first_column + p.x, columns - 1);
    p.row = at_most(first_row + p.y, rows - 1);
    return p;
}

// The first row and column of a block's tile; tiles cover the image row by row.
HEDDLE_INLINE void tile_start(int columns, int *row, int *column)
{
    int across = (columns + SIDE - 1) / SIDE, down = blockIdx.x / across;
    *row = down * SIDE;
    *column = (blockIdx.x - down * across) * SIDE;
}

// The differences to the four neighbours, and the diffusion coefficient of each pixel. Every thread
// reads a neighbour of the tile for each of its sides, as in Rodinia: a row above and below, which
// all rows of the block read alike, and a column left and right, alike for all columns.
__global__ void srad_coefficients(const float *__restrict__ image, float *__restrict__ coefficient,
                                  float *__restrict__ north, float *__restrict__ south,
                                  float *__restrict__ west, float *__restrict__ east, float speckle,
                                  int rows, int columns)
{
    __shared__ float here[SIDE][SIDE], above[SIDE][SIDE], below[SIDE][SIDE];
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    int first_row, first_column;
    tile_start(columns, &first_row, &first_column);
    Pixel p = tile_pixel(first_row, first_column, rows, columns);
    int x = p.x, y = p.y;
    int row_above = first_row > 0 ? first_row - 1 : 0;
    int row_below = at_most(first_row + SIDE, rows - 1);
    above[y][x] = image[row_above * columns + p.column];
    below[y][x] = image[row_below * columns + p.column];
    __syncthreads();
    int column_left = first_column > 0 ? first_column - 1 : 0;
    int column_right = at_most(first_column + SIDE, columns - 1);
    left[y][x] = image[p.row * columns + column_left];
    right[y][x] = image[p.row * columns + column_right];
    __syncthreads();
    int at = p.row * columns + p.column;
    here[y][x] = image[at];
    __syncthreads();
    if (!p.inside) return;
    float own = here[y][x];
    float n = (y > 0 ? here[y - 1][x] : above[y][x]) - own;
    float s = (y < SIDE - 1 ? here[y + 1][x] : below[y][x]) - own;
    float w = (x > 0 ? here[y][x - 1] : left[y][x]) - own;
    float e = (x < SIDE - 1 ? here[y][x + 1] : right[y][x]) - own;
    float gradient = (n * n + s * s + w * w + e * e) / (own * own);
    float laplacian = (n + s + w + e) / own;
    float scale = 1 + 0.25f * laplacian;
    float variation = (0.5f * gradient - 0.0625f * (laplacian * laplacian)) / (scale * scale);
    float c = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
    coefficient[at] = c < 0 ? 0 : c > 1 ? 1 : c;
    north[at] = n;
    south[at] = s;
    west[at] = w;
    east[at] = e;
}

// A step of the diffusion. A pixel's own coefficient counts to the north and the west, that of its
// neighbour to the south and the east.
__global__ void srad_update(float *__restrict__ image, const float *__restrict__ coefficient,
                            const float *__restrict__ north, const float *__restrict__ south,
                            const float *__restrict__ west, const float *__restrict__ east,
                            float rate, int rows, int columns)
{
    __shared__ float own[SIDE][SIDE], here[SIDE][SIDE], below[SIDE][SIDE], right[SIDE][SIDE];
    int first_row, first_column;
    tile_start(columns, &first_row, &first_column);
    Pixel p = tile_pixel(first_row, first_column, rows, columns);
    int x = p.x, y = p.y, at = p.row * columns + p.column;
    own[y][x] = image[at];
    __syncthreads();
    int row_below = at_most(first_row + SIDE, rows - 1);
    int column_right = at_most(first_column + SIDE, columns - 1);
    below[y][x] = coefficient[row_below * columns + p.column];
    __syncthreads();
    right[y][x] = coefficient[p.row * columns + column_right];
    __syncthreads();
    here[y][x] = coefficient[at];
    __syncthreads();
    if (!p.inside) return;
    float c = here[y][x];
    float to_south = y < SIDE - 1 ? here[y + 1][x] : below[y][x];
    float to_east = x < SIDE - 1 ? here[y][x + 1] : right[y][x];
    float change = c * north[at] + to_south * south[at] + c * west[at] + to_east * east[at];
    image[at] = own[y][x] + rate * change;
}
