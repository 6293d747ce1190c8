// An image rotated about its centre, and enlarged: linear filters of a CUDA array, with clamped or
// black borders, and coordinates in texels or from 0 to 1.
#include "check.h"

enum { WIDTH = 60, HEIGHT = 44, LARGE = 3 };

__global__ void rotate(cudaTextureObject_t image, float *out, float sine, float cosine)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT) return;
    float u = x + 0.5f - WIDTH / 2, v = y + 0.5f - HEIGHT / 2;
    out[y * WIDTH + x] = tex2D<float>(image, u * cosine - v * sine + WIDTH / 2,
                                      u * sine + v * cosine + HEIGHT / 2);
}

__global__ void enlarge(cudaTextureObject_t image, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH * LARGE || y >= HEIGHT * LARGE) return;
    out[y * WIDTH * LARGE + x] = tex2D<float>(image, (x + 0.5f) / (WIDTH * LARGE),
                                              (y + 0.5f) / (HEIGHT * LARGE));
}

static float texel(const std::vector<float> &image, int x, int y, bool clamp)
{
    if (!clamp && (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)) return 0;
    x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
    return image[y * WIDTH + x];
}

// The filter in full precision. The hardware has 8 bits for the position between texels.
static float sample(const std::vector<float> &image, double x, double y, bool clamp)
{
    x -= 0.5;
    y -= 0.5;
    int i = (int)std::floor(x), j = (int)std::floor(y);
    double a = x - i, b = y - j;
    return (float)((1 - a) * (1 - b) * texel(image, i, j, clamp) +
                   a * (1 - b) * texel(image, i + 1, j, clamp) +
                   (1 - a) * b * texel(image, i, j + 1, clamp) +
                   a * b * texel(image, i + 1, j + 1, clamp));
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, bool unit)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = mode;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = unit;
    cudaTextureObject_t texture;
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

int main()
{
    std::vector<float> image = random_values<float>(WIDTH * HEIGHT, 5);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CUDA(cudaMallocArray(&array, &format, WIDTH, HEIGHT));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, image.data(), WIDTH * sizeof(float),
                             WIDTH * sizeof(float), HEIGHT, cudaMemcpyHostToDevice));
    cudaTextureObject_t black = texture_of(array, cudaAddressModeBorder, false),
                        clamped = texture_of(array, cudaAddressModeClamp, true);
    Buffer<float> turned(WIDTH * HEIGHT), large(WIDTH * LARGE * HEIGHT * LARGE);
    const double angle = 0.7;
    float sine = (float)std::sin(angle), cosine = (float)std::cos(angle);
    dim3 block(16, 8);
    rotate<<<dim3(blocks_for(WIDTH, 16), blocks_for(HEIGHT, 8)), block>>>(black, turned, sine,
                                                                          cosine);
    LAUNCHED();
    enlarge<<<dim3(blocks_for(WIDTH * LARGE, 16), blocks_for(HEIGHT * LARGE, 8)), block>>>(clamped,
                                                                                           large);
    LAUNCHED();
    std::vector<float> wanted_turned(WIDTH * HEIGHT), wanted_large(large.count);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double u = x + 0.5 - WIDTH / 2, v = y + 0.5 - HEIGHT / 2;
            wanted_turned[y * WIDTH + x] =
                sample(image, u * cosine - v * sine + WIDTH / 2, u * sine + v * cosine + HEIGHT / 2,
                       false);
        }
    for (int y = 0; y < HEIGHT * LARGE; y++)
        for (int x = 0; x < WIDTH * LARGE; x++)
            wanted_large[y * WIDTH * LARGE + x] =
                sample(image, (x + 0.5) / LARGE, (y + 0.5) / LARGE, true);
    double turned_off = difference(turned.get(), wanted_turned),
           large_off = difference(large.get(), wanted_large);
    CUDA(cudaDestroyTextureObject(black));
    CUDA(cudaDestroyTextureObject(clamped));
    CUDA(cudaFreeArray(array));
    // Expected: half of 1/256 for each axis, because adjacent texels differ by at most 1.
    bool passed = turned_off < 1.1 / 256 && large_off < 1.1 / 256 && turned_off > 0;
    return verdict(passed, "rotated to within %.1e, enlarged to within %.1e", turned_off,
                   large_off);
}
