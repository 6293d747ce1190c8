// A program that takes the user's locale. Numbers of PTX, of settings and of kernels' printf have a
// point all the same, and the program's own numbers keep the mark of its locale.
#include "check.h"

#include <clocale>
#include <cstring>

__global__ void add(float *a, float b)
{
    a[threadIdx.x] += b * 1.5f;
    if (threadIdx.x == 3) printf("%d %.2f\n", threadIdx.x, a[threadIdx.x]);
}

int main()
{
    bool right = setlocale(LC_ALL, "") != nullptr;
    char mark = *localeconv()->decimal_point, text[16], expected[16] = {'1', mark, '5', 0};
    float values[4] = {1, 2, 3, 4}, *device;
    CUDA(cudaMalloc(&device, sizeof values));
    CUDA(cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice));
    add<<<1, 4>>>(device, 0.5f);
    LAUNCHED();
    CUDA(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) right = right && values[i] == i + 1.75f;
    snprintf(text, sizeof text, "%.1f", 1.5);
    right = right && !strcmp(text, expected);
    return verdict(right, "numbers of Heddle and of the program");
}
