// The second file of the program: a module of its own.
#include "second.h"

static __device__ int total = 5;

__global__ void add_to_total(int amount) { total += amount; }

int second_total()
{
    int sum = 5;
    cudaMemcpyToSymbol(total, &sum, sizeof sum);
    add_to_total<<<1, 1>>>(3);
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    return sum;
}
