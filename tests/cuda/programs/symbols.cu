// Device variables: copied by name, in parts, and by address. Arrays and structures in global and
// constant memory, with initial values.
#include "check.h"

struct Settings {
    int rounds;
    float rate[3];
};

__constant__ Settings settings = {2, {0.5f, 1.5f, 2.5f}};
__constant__ int table[4] = {1, 2, 3, 4};
__device__ float results[8];
__device__ int total = 100;
static __device__ double hidden = 0.25;

__global__ void work(void)
{
    int i = threadIdx.x;
    results[i] =
        (float)settings.rounds * settings.rate[i % 3] + (float)table[i % 4] + (float)hidden;
    if (i == 0) total += 11;
}

int main()
{
    std::vector<float> got(8), wanted(8);
    work<<<1, 8>>>();
    CUDA(cudaMemcpyFromSymbol(got.data(), results, 8 * sizeof(float)));
    for (int i = 0; i < 8; i++)
        wanted[i] = 2 * (0.5f + (float)(i % 3)) + (float)(1 + i % 4) + 0.25f;
    bool initial = got == wanted;

    Settings s = {3, {1, 2, 3}};
    int nine = 9;
    double half = 0.5;
    CUDA(cudaMemcpyToSymbol(settings, &s, sizeof s));
    CUDA(cudaMemcpyToSymbol(table, &nine, sizeof nine, 2 * sizeof(int)));
    CUDA(cudaMemcpyToSymbol(hidden, &half, sizeof half));
    work<<<1, 8>>>();
    void *address;
    size_t size;
    int sum;
    CUDA(cudaGetSymbolAddress(&address, results));
    CUDA(cudaGetSymbolSize(&size, results));
    CUDA(cudaMemcpy(got.data(), address, size, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
    for (int i = 0; i < 8; i++)
        wanted[i] = (float)(3 * (1 + i % 3)) + (float)(i % 4 == 2 ? 9 : 1 + i % 4) + 0.5f;
    bool changed = got == wanted && size == 8 * sizeof(float) && sum == 122;
    int local = 0;
    bool refused = cudaMemcpyToSymbol(local, &nine, sizeof nine) == cudaErrorInvalidSymbol;
    bool bounded =
        cudaMemcpyToSymbol(table, &nine, sizeof nine, 4 * sizeof(int)) == cudaErrorInvalidValue;
    return verdict(initial && changed && refused && bounded,
                   "initial %d, changed %d, refused %d %d", initial, changed, refused, bounded);
}
