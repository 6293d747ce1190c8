// A heat equation in steps between two surfaces: with reads outside clamped to the edge, and with
// zeros outside. Then a texture of the same array samples the result with a linear filter.
#include "check.h"

enum { WIDTH = 70, HEIGHT = 45, STEPS = 6 };

template <cudaSurfaceBoundaryMode MODE>
__global__ void heat(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT) return;
    float here, right;
    surf2Dread(&here, from, x * 4, y);
    float left = surf2Dread<float>(from, (x - 1) * 4, y, MODE);
    surf2Dread(&right, from, (x + 1) * 4, y, MODE);
    float up = surf2Dread<float>(from, x * 4, y - 1, MODE);
    float down = surf2Dread<float>(from, x * 4, y + 1, MODE);
    surf2Dwrite(0.5f * here + 0.125f * (left + right + up + down), to, x * 4, y);
}

// All threads write. Writes outside have no effect.
__global__ void fill(cudaSurfaceObject_t to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    surf2Dwrite((float)((x * 7 + y * 13) % 32), to, x * 4, y, cudaBoundaryModeZero);
}

__global__ void sample(cudaTextureObject_t from, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < HEIGHT) out[y * WIDTH + x] = tex2D<float>(from, x + 1.0f, y + 0.5f);
}

static float at(const std::vector<float> &v, int x, int y, bool clamps)
{
    bool inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
    if (!inside && !clamps) return 0;
    x = x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1;
    y = y < 0 ? 0 : y < HEIGHT ? y : HEIGHT - 1;
    return v[y * WIDTH + x];
}

static std::vector<float> wanted(bool clamps)
{
    std::vector<float> v(WIDTH * HEIGHT), next(WIDTH * HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) v[y * WIDTH + x] = (float)((x * 7 + y * 13) % 32);
    for (int step = 0; step < STEPS; step++, v = next)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                next[y * WIDTH + x] =
                    0.5f * v[y * WIDTH + x] +
                    0.125f * (at(v, x - 1, y, clamps) + at(v, x + 1, y, clamps) +
                              at(v, x, y - 1, clamps) + at(v, x, y + 1, clamps));
    return v;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

// Samples halfway between each texel and its right neighbour; returns the largest error.
static double filtered(cudaArray_t array, const std::vector<float> &texels)
{
    dim3 threads(16, 16), blocks(blocks_for(WIDTH, 16), blocks_for(HEIGHT, 16));
    cudaResourceDesc resource = resource_of(array);
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    Buffer<float> out(WIDTH * HEIGHT);
    sample<<<blocks, threads>>>(texture, out);
    LAUNCHED();
    std::vector<float> between(WIDTH * HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            between[y * WIDTH + x] = (at(texels, x, y, true) + at(texels, x + 1, y, true)) / 2;
    CUDA(cudaDestroyTextureObject(texture));
    return difference(out.get(), between);
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    dim3 threads(16, 16), blocks(blocks_for(WIDTH, 16), blocks_for(HEIGHT, 16));
    for (int i = 0; i < 2; i++) {
        CUDA(cudaMallocArray(&arrays[i], &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
        cudaResourceDesc resource = resource_of(arrays[i]);
        CUDA(cudaCreateSurfaceObject(&surfaces[i], &resource));
    }
    double worst = 0;
    std::vector<float> got(WIDTH * HEIGHT);
    for (int clamps = 1; clamps >= 0; clamps--) {
        fill<<<blocks, threads>>>(surfaces[0]);
        for (int step = 0; step < STEPS; step++)
            if (clamps)
                heat<cudaBoundaryModeClamp>
                    <<<blocks, threads>>>(surfaces[step % 2], surfaces[1 - step % 2]);
            else
                heat<cudaBoundaryModeZero>
                    <<<blocks, threads>>>(surfaces[step % 2], surfaces[1 - step % 2]);
        LAUNCHED();
        CUDA(cudaMemcpy2DFromArray(got.data(), WIDTH * 4, arrays[STEPS % 2], 0, 0, WIDTH * 4,
                                   HEIGHT, cudaMemcpyDeviceToHost));
        double apart = difference(got, wanted(clamps));
        if (!(apart <= worst)) worst = apart;
    }
    double between = filtered(arrays[STEPS % 2], got);
    cudaResourceDesc found;
    CUDA(cudaGetSurfaceObjectResourceDesc(&found, surfaces[0]));
    bool same = found.resType == cudaResourceTypeArray && found.res.array.array == arrays[0];
    CUDA(cudaDestroySurfaceObject(surfaces[0]));
    bool gone = cudaDestroySurfaceObject(surfaces[0]) == cudaErrorInvalidValue;
    cudaGetLastError();
    return verdict(worst < 1e-6 && between < 1e-6 && same && gone,
                   "%d steps of heat, off by %.1e; filtered, by %.1e; %d%d", STEPS, worst, between,
                   same, gone);
}
