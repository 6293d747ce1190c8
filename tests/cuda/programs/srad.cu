// Edge-preserving diffusion: each step is a reduction for the image's variance, and two stencils.
#include "check.h"

enum { SIDE = 48, STEPS = 3, THREADS = 128, COUNT = SIDE * SIDE };

__global__ void moments(const float *image, double *sums)
{
    __shared__ double a[THREADS], b[THREADS];
    double sum = 0, squares = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < COUNT; i += gridDim.x * THREADS) {
        sum += image[i];
        squares += (double)image[i] * image[i];
    }
    a[threadIdx.x] = sum;
    b[threadIdx.x] = squares;
    for (unsigned half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            a[threadIdx.x] += a[threadIdx.x + half];
            b[threadIdx.x] += b[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        atomicAdd(&sums[0], a[0]);
        atomicAdd(&sums[1], b[0]);
    }
}

__host__ __device__ inline float coefficient(const float *image, int x, int y, float q0)
{
    float here = image[y * SIDE + x];
    float n = image[(y > 0 ? y - 1 : 0) * SIDE + x] - here;
    float s = image[(y < SIDE - 1 ? y + 1 : y) * SIDE + x] - here;
    float w = image[y * SIDE + (x > 0 ? x - 1 : 0)] - here;
    float e = image[y * SIDE + (x < SIDE - 1 ? x + 1 : x)] - here;
    float g = (n * n + s * s + w * w + e * e) / (here * here), l = (n + s + w + e) / here;
    float num = 0.5f * g - l * l / 16.0f, den = 1 + 0.25f * l;
    float q = num / (den * den), c = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}
__host__ __device__ inline float moved(const float *image, const float *c, int x, int y)
{
    int south = (y < SIDE - 1 ? y + 1 : y) * SIDE + x, east = y * SIDE + (x < SIDE - 1 ? x + 1 : x);
    int north = (y > 0 ? y - 1 : 0) * SIDE + x, west = y * SIDE + (x > 0 ? x - 1 : 0);
    int at = y * SIDE + x;
    float sum = c[at] * (image[north] - image[at]) + c[south] * (image[south] - image[at]) +
                c[at] * (image[west] - image[at]) + c[east] * (image[east] - image[at]);
    return image[at] + 0.125f * sum;
}

__global__ void coefficients(const float *image, float *c, float q0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) c[i] = coefficient(image, i % SIDE, i / SIDE, q0);
}
__global__ void move(const float *image, const float *c, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT) out[i] = moved(image, c, i % SIDE, i / SIDE);
}

static float variance(double sum, double squares)
{
    double mean = sum / COUNT;
    return (float)((squares / COUNT - mean * mean) / (mean * mean));
}

int main()
{
    std::vector<float> image = random_values<float>(COUNT, 23), c(COUNT), next(COUNT);
    for (float &v : image) v += 0.5f;
    Buffer<float> a(image), b(COUNT), dc(COUNT);
    Buffer<double> sums(2);
    float *from = a, *to = b;
    for (int step = 0; step < STEPS; step++) {
        CUDA(cudaMemset(sums, 0, 2 * sizeof(double)));
        moments<<<4, THREADS>>>(from, sums);
        std::vector<double> s = sums.get();
        coefficients<<<COUNT / THREADS, THREADS>>>(from, dc, variance(s[0], s[1]));
        move<<<COUNT / THREADS, THREADS>>>(from, dc, to);
        std::swap(from, to);
        double sum = 0, squares = 0;
        for (float v : image) sum += v, squares += (double)v * v;
        for (int i = 0; i < COUNT; i++)
            c[i] = coefficient(image.data(), i % SIDE, i / SIDE, variance(sum, squares));
        for (int i = 0; i < COUNT; i++) next[i] = moved(image.data(), c.data(), i % SIDE, i / SIDE);
        image.swap(next);
    }
    LAUNCHED();
    double apart = difference((STEPS % 2 ? b : a).get(), image);
    return verdict(apart < 1e-4, "%d x %d, %d steps, difference %.1e", SIDE, SIDE, STEPS, apart);
}
