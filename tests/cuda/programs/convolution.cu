// A separable image filter: weights in constant memory, rows and columns in two launches.
#include "check.h"

enum { WIDTH = 64, HEIGHT = 48, RADIUS = 4, TILE = 32 };

__constant__ float weights[2 * RADIUS + 1];

__global__ void rows(const float *in, float *out)
{
    __shared__ float line[TILE + 2 * RADIUS];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y;
    for (int i = threadIdx.x; i < TILE + 2 * RADIUS; i += TILE) {
        int from = (int)blockIdx.x * TILE + i - RADIUS;
        line[i] = from >= 0 && from < WIDTH ? in[y * WIDTH + from] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * line[threadIdx.x + k];
    out[y * WIDTH + x] = sum;
}

__global__ void columns(const float *in, float *out)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        if (y + k >= 0 && y + k < HEIGHT) sum += weights[k + RADIUS] * in[(y + k) * WIDTH + x];
    out[y * WIDTH + x] = sum;
}

int main()
{
    std::vector<float> image = random_values<float>(WIDTH * HEIGHT, 30), between(image.size());
    std::vector<float> w(2 * RADIUS + 1), wanted(image.size());
    for (int k = -RADIUS; k <= RADIUS; k++) w[k + RADIUS] = std::exp(-0.1f * (float)(k * k));
    CUDA(cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(float)));
    Buffer<float> in(image), half(image.size()), out(image.size());
    dim3 blocks(WIDTH / TILE, HEIGHT);
    rows<<<blocks, TILE>>>(in, half);
    columns<<<blocks, TILE>>>(half, out);
    LAUNCHED();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int k = -RADIUS; k <= RADIUS; k++)
                if (x + k >= 0 && x + k < WIDTH)
                    between[y * WIDTH + x] += w[k + RADIUS] * image[y * WIDTH + x + k];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int k = -RADIUS; k <= RADIUS; k++)
                if (y + k >= 0 && y + k < HEIGHT)
                    wanted[y * WIDTH + x] += w[k + RADIUS] * between[(y + k) * WIDTH + x];
    double apart = difference(out.get(), wanted);
    return verdict(apart < 1e-5, "%d x %d, radius %d, difference %.1e", WIDTH, HEIGHT, RADIUS,
                   apart);
}
