// A failed assert: the error is cudaErrorAssert, every later call returns it, and a reset clears
// it.
#undef NDEBUG
#include "check.h"

#include <cassert>

__global__ void check_values(const int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) assert(values[i] < 100);
}
__global__ void fill(int *values)
{
    values[threadIdx.x] = 7;
}

int main()
{
    int *values, host[32] = {0};
    CUDA(cudaMalloc(&values, sizeof host));
    CUDA(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    check_values<<<1, 32>>>(values, 32);
    LAUNCHED();
    host[5] = 100;
    CUDA(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    check_values<<<1, 32>>>(values, 32);
    cudaError_t first = cudaDeviceSynchronize(),
                later = cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    CUDA(cudaDeviceReset());
    CUDA(cudaMalloc(&values, sizeof host));
    fill<<<1, 32>>>(values);
    CUDA(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    return verdict(first == cudaErrorAssert && later == cudaErrorAssert && host[31] == 7,
                   "%s, then %s, then %d", cudaGetErrorName(first), cudaGetErrorName(later),
                   host[31]);
}
