// The simulation of hotspot.cu with the arithmetic of the published program: a literal 2.0 makes a
// step's differences doubles, and each thread divides by the chip's resistances and its capacity.
#include "heddle.cuh"

enum { TILE_WIDTH = 16 };

extern __shared__ float tile[];

// The threads of a block's columns, or rows, that are in the chip: from `low` to `high`.
struct Range {
    int low, high;
};

HEDDLE_INLINE Range in_chip(int first, int threads, int cells)
{
    int last = first + threads - 1;
    return {first < 0 ? -first : 0, last > cells - 1 ? threads - 1 - (last - cells + 1)
                                                     : threads - 1};
}

HEDDLE_INLINE bool within(int at, int low, int high) { return at >= low && at <= high; }

// As hotspot_steps, with a step's `length` and the resistances `across`, `along` and `up` (to the
// left and right, above and below, and to the surroundings).
__global__ void hotspot_published(const float *power, const float *from, float *to, int rows,
                                  int columns, int steps, float length, float capacity,
                                  float across, float along, float up, float ambient)
{
    float part = length / capacity;
    float by_column = 1 / across, by_row = 1 / along, upwards = 1 / up;
    int x = threadIdx.x % TILE_WIDTH, y = threadIdx.x / TILE_WIDTH;
    int height = blockDim.x / TILE_WIDTH;
    int inner_width = TILE_WIDTH - 2 * steps, inner_height = height - 2 * steps;
    int tiles = (columns + inner_width - 1) / inner_width, down = blockIdx.x / tiles;
    int first_row = down * inner_height - steps;
    int first_column = (blockIdx.x - down * tiles) * inner_width - steps;
    int row = first_row + y, column = first_column + x, at = row * columns + column;
    float *now = tile, *next = now + blockDim.x, *source = next + blockDim.x;
    int here = threadIdx.x;
    if (within(row, 0, rows - 1) && within(column, 0, columns - 1)) {
        now[here] = from[at];
        source[here] = power[at];
    }
    __syncthreads();
    Range wide = in_chip(first_column, TILE_WIDTH, columns);
    Range high = in_chip(first_row, height, rows);
    int north = y - 1 < high.low ? high.low : y - 1, south = y + 1 > high.high ? high.high : y + 1;
    int west = x - 1 < wide.low ? wide.low : x - 1, east = x + 1 > wide.high ? wide.high : x + 1;
    bool right = false;
    for (int step = 0; step < steps; step++) {
        right = within(x, step + 1, TILE_WIDTH - step - 2) &&
                within(y, step + 1, height - step - 2) && within(x, wide.low, wide.high) &&
                within(y, high.low, high.high);
        if (right)
            next[here] = now[here] +
                         part * (source[here] +
                                 (now[south * TILE_WIDTH + x] + now[north * TILE_WIDTH + x] -
                                  2.0 * now[here]) * by_row +
                                 (now[y * TILE_WIDTH + east] + now[y * TILE_WIDTH + west] -
                                  2.0 * now[here]) * by_column +
                                 (ambient - now[here]) * upwards);
        __syncthreads();
        if (step == steps - 1) break;
        if (right) now[here] = next[here];
        __syncthreads();
    }
    if (right) to[at] = next[here];
}
