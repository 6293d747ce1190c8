// A matrix transposed in tiles, with and without a spare column that avoids bank conflicts.
#include "check.h"

enum { TILE = 32, ROWS = 8, WIDTH = 96, HEIGHT = 64 };

template <int PAD> __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main()
{
    std::vector<float> in = random_values<float>(WIDTH * HEIGHT, 26), wanted(in.size());
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) wanted[x * HEIGHT + y] = in[y * WIDTH + x];
    Buffer<float> from(in), a(in.size()), b(in.size());
    dim3 blocks(WIDTH / TILE, HEIGHT / TILE), threads(TILE, ROWS);
    transpose<0><<<blocks, threads>>>(from, a, WIDTH, HEIGHT);
    transpose<1><<<blocks, threads>>>(from, b, WIDTH, HEIGHT);
    LAUNCHED();
    return verdict(a.get() == wanted && b.get() == wanted, "%d x %d", WIDTH, HEIGHT);
}
