// One step of heat conduction on a grid of width x width: five points, in tiles of shared memory.
#define TILE 16
extern "C" __global__ void hotspot(const float *heat, const float *power, float *next, int width,
                                   float cap, float rx, float ry, float rz)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, last = width - 1;
    float centre = heat[y * width + x];
    tile[ty][tx] = centre;
    if (threadIdx.x == 0) tile[ty][0] = heat[y * width + max(x - 1, 0)];
    if (threadIdx.x == TILE - 1) tile[ty][TILE + 1] = heat[y * width + min(x + 1, last)];
    if (threadIdx.y == 0) tile[0][tx] = heat[max(y - 1, 0) * width + x];
    if (threadIdx.y == TILE - 1) tile[TILE + 1][tx] = heat[min(y + 1, last) * width + x];
    __syncthreads();
    float change = power[y * width + x] + (tile[ty + 1][tx] + tile[ty - 1][tx] - 2 * centre) / ry +
                   (tile[ty][tx + 1] + tile[ty][tx - 1] - 2 * centre) / rx + (80 - centre) / rz;
    next[y * width + x] = centre + cap * change;
}
