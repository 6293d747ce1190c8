// Heat on a chip: several steps of a 2D stencil, with tiles in shared memory.
#include "check.h"

enum { SIDE = 64, TILE = 16, STEPS = 4 };

__global__ void step(const float *from, const float *power, float *to, int side)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = from[y * side + x];
    if (threadIdx.x == 0) tile[ty][0] = from[y * side + max(x - 1, 0)];
    if (threadIdx.x == TILE - 1) tile[ty][TILE + 1] = from[y * side + min(x + 1, side - 1)];
    if (threadIdx.y == 0) tile[0][tx] = from[max(y - 1, 0) * side + x];
    if (threadIdx.y == TILE - 1) tile[TILE + 1][tx] = from[min(y + 1, side - 1) * side + x];
    __syncthreads();
    float here = tile[ty][tx];
    to[y * side + x] = here +
                       0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                               tile[ty + 1][tx] - 4.0f * here) +
                       0.05f * power[y * side + x];
}

static void step_cpu(const std::vector<float> &from, const std::vector<float> &power,
                     std::vector<float> &to)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float here = from[y * SIDE + x];
            float west = from[y * SIDE + std::max(x - 1, 0)];
            float east = from[y * SIDE + std::min(x + 1, SIDE - 1)];
            float north = from[std::max(y - 1, 0) * SIDE + x];
            float south = from[std::min(y + 1, SIDE - 1) * SIDE + x];
            to[y * SIDE + x] = here + 0.1f * (west + east + north + south - 4.0f * here) +
                               0.05f * power[y * SIDE + x];
        }
}

int main()
{
    std::vector<float> heat = random_values<float>(SIDE * SIDE, 1), next(SIDE * SIDE);
    std::vector<float> power = random_values<float>(SIDE * SIDE, 2);
    Buffer<float> a(heat), b(SIDE * SIDE), p(power);
    float *from = a, *to = b;
    for (int i = 0; i < STEPS; i++) {
        step<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(from, p, to, SIDE);
        std::swap(from, to);
        step_cpu(heat, power, next);
        heat.swap(next);
    }
    LAUNCHED();
    std::vector<float> got = STEPS % 2 ? b.get() : a.get();
    double apart = difference(got, heat);
    return verdict(apart < 1e-5, "%d x %d after %d steps, difference %.1e", SIDE, SIDE, STEPS,
                   apart);
}
