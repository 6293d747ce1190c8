// Separable convolution of an image, after the CUDA SDK sample convolutionSeparable. khairy2015
// uses it as a streaming workload: a block reads its part of the image into shared memory once.
#include "heddle.cuh"

enum { RADIUS = 8, WIDTH = 16, RESULTS = 8 }; // WIDTH: threads side by side

// The weights by distance, in both directions: (1 2 3 ... 9 ... 3 2 1) / 64.
#define WEIGHT(n) ((n) / 64.f)
__constant__ float weights[2 * RADIUS + 1] = {
    WEIGHT(1), WEIGHT(2), WEIGHT(3), WEIGHT(4), WEIGHT(5), WEIGHT(6), WEIGHT(7), WEIGHT(8),
    WEIGHT(9), WEIGHT(8), WEIGHT(7), WEIGHT(6), WEIGHT(5), WEIGHT(4), WEIGHT(3), WEIGHT(2),
    WEIGHT(1)};

extern __shared__ float part[];

// The image in the direction of its rows. A thread has RESULTS elements, 16 apart. A block has 16
// columns of threads, and its rows are rows of the image. Outside the image, all is 0.
__global__ void convolution_rows(const float *__restrict__ in, float *__restrict__ out, int rows,
                                 int columns)
{
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    int across = (columns + WIDTH * RESULTS - 1) / (WIDTH * RESULTS), down = blockIdx.x / across;
    int row = down * (blockDim.x / WIDTH) + y;
    int column = (blockIdx.x - down * across) * WIDTH * RESULTS + x;
    const float *from = &in[row * columns];
    float *mine = &part[y * WIDTH * (RESULTS + 2) + x];
    bool inside = row < rows;
#pragma unroll
    for (int i = -1; i <= RESULTS; i++) {
        int at = column + i * WIDTH;
        mine[(i + 1) * WIDTH] = inside && at >= 0 && at < columns ? from[at] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < RESULTS; i++) {
        int at = column + i * WIDTH;
        float sum = 0;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += weights[RADIUS + k] * mine[(i + 1) * WIDTH + k];
        if (inside && at < columns) out[row * columns + at] = sum;
    }
}

// The image in the direction of its columns. A thread has RESULTS elements, as many rows apart as
// the block has rows of threads: at least RADIUS. Columns are contiguous in shared memory, with a
// word between them.
__global__ void convolution_columns(const float *__restrict__ in, float *__restrict__ out,
                                    int rows, int columns)
{
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH, apart = blockDim.x / WIDTH;
    int across = (columns + WIDTH - 1) / WIDTH, down = blockIdx.x / across;
    int column = (blockIdx.x - down * across) * WIDTH + x, row = down * apart * RESULTS + y;
    float *mine = &part[x * (apart * (RESULTS + 2) + 1) + y];
    bool inside = column < columns;
#pragma unroll
    for (int i = -1; i <= RESULTS; i++) {
        int at = row + i * apart;
        mine[(i + 1) * apart] = inside && at >= 0 && at < rows ? in[at * columns + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < RESULTS; i++) {
        int at = row + i * apart;
        float sum = 0;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += weights[RADIUS + k] * mine[(i + 1) * apart + k];
        if (inside && at < rows) out[at * columns + column] = sum;
    }
}
