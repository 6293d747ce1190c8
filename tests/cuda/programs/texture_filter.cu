// A separable filter that reads its image through textures: of an array with clamped coordinates,
// and of pitched memory. Then the image enlarged to twice its size by the hardware's linear filter.
#include "check.h"

enum { WIDTH = 48, HEIGHT = 32, RADIUS = 3 };

__constant__ float weights[2 * RADIUS + 1];

__global__ void rows(cudaTextureObject_t in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += weights[k + RADIUS] * tex2D<float>(in, (float)(x + k) + 0.5f, (float)y + 0.5f);
    out[y * WIDTH + x] = sum;
}
__global__ void columns(cudaTextureObject_t in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += weights[k + RADIUS] * tex2D<float>(in, (float)x + 0.5f, (float)(y + k) + 0.5f);
    out[y * WIDTH + x] = sum;
}
__global__ void enlarge(cudaTextureObject_t in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = ((float)x + 0.5f) / (2 * WIDTH), v = ((float)y + 0.5f) / (2 * HEIGHT);
    out[y * 2 * WIDTH + x] = tex2D<float>(in, u, v);
}

static int inside(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void filter(const std::vector<float> &image, const std::vector<float> &w,
                   std::vector<float> &wanted)
{
    std::vector<float> between(image.size());
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int k = -RADIUS; k <= RADIUS; k++)
                between[y * WIDTH + x] += w[k + RADIUS] * image[y * WIDTH + inside(x + k, WIDTH)];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int k = -RADIUS; k <= RADIUS; k++)
                wanted[y * WIDTH + x] += w[k + RADIUS] * between[inside(y + k, HEIGHT) * WIDTH + x];
}
static void enlarge(const std::vector<float> &image, std::vector<float> &large)
{
    for (int y = 0; y < 2 * HEIGHT; y++)
        for (int x = 0; x < 2 * WIDTH; x++) {
            int x0 = (x + 1) / 2 - 1, y0 = (y + 1) / 2 - 1; // the first of four texels
            float fx = x % 2 ? 0.25f : 0.75f, fy = y % 2 ? 0.25f : 0.75f, sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (k % 2 ? fx : 1 - fx) * (k / 2 ? fy : 1 - fy) *
                       image[inside(y0 + k / 2, HEIGHT) * WIDTH + inside(x0 + k % 2, WIDTH)];
            large[y * 2 * WIDTH + x] = sum;
        }
}

int main()
{
    std::vector<float> image = random_values<float>(WIDTH * HEIGHT, 40), w(2 * RADIUS + 1);
    std::vector<float> wanted(image.size()), large(4 * image.size());
    for (int k = 0; k <= 2 * RADIUS; k++) w[k] = 1.0f / (float)(1 + std::abs(k - RADIUS));
    CUDA(cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(float)));

    cudaChannelFormatDesc element = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CUDA(cudaMallocArray(&array, &element, WIDTH, HEIGHT));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, image.data(), WIDTH * sizeof(float),
                             WIDTH * sizeof(float), HEIGHT, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    cudaTextureDesc sampling = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t of_array, of_pitch, smooth;
    CUDA(cudaCreateTextureObject(&of_array, &resource, &sampling, 0));
    sampling.filterMode = cudaFilterModeLinear;
    sampling.normalizedCoords = 1;
    CUDA(cudaCreateTextureObject(&smooth, &resource, &sampling, 0));

    float *pitched;
    size_t pitch;
    CUDA(cudaMallocPitch(&pitched, &pitch, WIDTH * sizeof(float), HEIGHT));
    Buffer<float> half(image.size()), out(image.size()), twice(4 * image.size());
    dim3 threads(16, 8), blocks(WIDTH / 16, HEIGHT / 8);
    rows<<<blocks, threads>>>(of_array, half);
    CUDA(cudaMemcpy2D(pitched, pitch, half, WIDTH * sizeof(float), WIDTH * sizeof(float), HEIGHT,
                      cudaMemcpyDeviceToDevice));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched;
    resource.res.pitch2D.desc = element;
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
    resource.res.pitch2D.pitchInBytes = pitch;
    sampling.filterMode = cudaFilterModePoint;
    sampling.normalizedCoords = 0;
    CUDA(cudaCreateTextureObject(&of_pitch, &resource, &sampling, 0));
    columns<<<blocks, threads>>>(of_pitch, out);
    enlarge<<<dim3(2 * WIDTH / 16, 2 * HEIGHT / 8), threads>>>(smooth, twice);
    LAUNCHED();

    filter(image, w, wanted);
    enlarge(image, large);
    double filtered = difference(out.get(), wanted), smoothed = difference(twice.get(), large);
    CUDA(cudaDestroyTextureObject(of_array));
    CUDA(cudaDestroyTextureObject(of_pitch));
    CUDA(cudaDestroyTextureObject(smooth));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFree(pitched));
    return verdict(filtered < 1e-5 && smoothed < 1e-5, "filter %.1e, enlarged %.1e", filtered,
                   smoothed);
}
