// Wrong calls: each returns the error of a real device, once, and has no effect on later calls.
#include "check.h"

#include <cstring>

__global__ void touch(int *values)
{
    values[threadIdx.x] = 1;
}
__global__ void needs_shared(int *values)
{
    __shared__ int mine[1024];
    mine[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = mine[31 - threadIdx.x];
}

static int failures;
static void expect(cudaError_t got, cudaError_t wanted, const char *what)
{
    if (got == wanted) return;
    printf("%s: %s, wanted %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted));
    failures++;
}

int main()
{
    int *memory, host[32] = {0};
    void *huge;
    CUDA(cudaMalloc(&memory, sizeof host));
    touch<<<1, 2000>>>(memory);
    expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "2000 threads");
    expect(cudaGetLastError(), cudaSuccess, "the error is taken");
    touch<<<0, 32>>>(memory);
    expect(cudaPeekAtLastError(), cudaErrorInvalidConfiguration, "no blocks");
    expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "the error is still there");
    touch<<<1, dim3(1, 1, 65)>>>(memory);
    expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "a block 65 deep");
    needs_shared<<<1, 32, 1 << 20>>>(memory);
    expect(cudaGetLastError(), cudaErrorInvalidValue, "a MiB of shared memory");
    expect(cudaMalloc(&huge, (size_t)1 << 50), cudaErrorMemoryAllocation, "a PiB");
    cudaGetLastError();
    expect(cudaFree((void *)(size_t)0x1234), cudaErrorInvalidValue, "freeing what is none");
    expect(cudaFree(0), cudaSuccess, "freeing null");
    expect(cudaMemcpy(memory, host, sizeof host, (cudaMemcpyKind)9),
           cudaErrorInvalidMemcpyDirection, "a direction that there is not");
    expect(cudaSetDevice(5), cudaErrorInvalidDevice, "device 5");
    cudaGetLastError();
    touch<<<1, 32>>>(memory);
    LAUNCHED();
    CUDA(cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost));
    failures += host[31] != 1;
    failures += strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0;
    failures +=
        strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") != 0;
    CUDA(cudaFree(memory));
    expect(cudaFree(memory), cudaErrorInvalidValue, "freeing twice");
    cudaGetLastError();
    // A pointer to unallocated memory: the launch fails, and so do all calls until a reset.
    touch<<<1, 32>>>((int *)(size_t)0x10);
    cudaError_t fault = cudaDeviceSynchronize();
    expect(fault, cudaErrorIllegalAddress, "a store to nowhere");
    expect(cudaMalloc(&memory, 64), cudaErrorIllegalAddress, "behind it");
    cudaGetLastError(); // a reset keeps the last error
    CUDA(cudaDeviceReset());
    CUDA(cudaMalloc(&memory, sizeof host));
    touch<<<1, 32>>>(memory);
    LAUNCHED();
    return verdict(!failures, "%d unexpected", failures);
}
