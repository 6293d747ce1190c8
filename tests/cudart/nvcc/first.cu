// A program of two files, for nvcc.sh: kernels by template, structures by value, variables of each
// kind, the same names in both files. Prints 250, after a line for
// each error.
#include "second.h"

#include <cstdio>

static __device__ int total = 100; // second.cu has one as well
__constant__ float factors[4] = {1, 2, 3, 4};
__managed__ int steps = 0;

struct Step {
    char kind;
    double by;
    int list[3];
};

template <typename T> __global__ void walk(T *data, Step step, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    data[i] += T(step.by) * T(factors[i % 4]) + T(step.list[2]) + T(step.kind == 'x');
    if (i == 0) {
        total += 1;
        steps += 2;
    }
}

// Returns the number of wrong elements.
template <typename T> static int wrong()
{
    const int count = 1000;
    T host[count], *data;
    for (int i = 0; i < count; i++) host[i] = T(i);
    if (cudaMalloc(&data, sizeof host) != cudaSuccess) return -1;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    Step step = {'x', 5.0, {0, 0, 7}};
    walk<T><<<(count + 127) / 128, 128>>>(data, step, count);
    if (cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
    cudaFree(data);
    int found = 0;
    for (int i = 0; i < count; i++) found += host[i] != T(i) + 5 * T(i % 4 + 1) + 8;
    return found;
}

int main()
{
    int floats = wrong<float>(), ints = wrong<int>(), doubles = wrong<double>(), sum = 0;
    if (floats || ints || doubles)
        printf("wrong: %d floats, %d ints, %d doubles; %s\n", floats, ints, doubles,
               cudaGetErrorName(cudaGetLastError()));
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    if (sum != 103 || steps != 6 || second_total() != 8)
        printf("total %d, steps %d, second %d\n", sum, steps, second_total());
    const float others[4] = {1, 2, 3, 5};
    cudaMemcpyToSymbol(factors, others, sizeof others);
    printf("%d\n", wrong<float>()); // 250: every fourth element
    return 0;
}
