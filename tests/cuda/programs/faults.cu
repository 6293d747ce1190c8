// Faults of kernels, and the error of each. Faults that a real device does not detect are no error.
#include "check.h"

__global__ void put(int *at, long word)
{
    at[word] = 7;
}
__global__ void shift(char *at, int bytes)
{
    *(int *)(at + bytes) = 1;
}
__global__ void give_up(int when)
{
    if (when) __trap();
}
__global__ void free_twice(int again, void *volatile *kept)
{
    kept[threadIdx.x] = malloc(16);
    free(kept[threadIdx.x]);
    if (again) free(kept[threadIdx.x]);
}
__global__ void ask(size_t bytes, void **given)
{
    given[threadIdx.x] = malloc(bytes);
}

static int failures;
// Checks the error of the last launch. Resets the device after an error.
static void expect(cudaError_t wanted, const char *what)
{
    cudaError_t got = cudaDeviceSynchronize();
    if (got != cudaSuccess) cudaDeviceReset();
    if (got == wanted) return;
    printf("%s: %s, wanted %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted));
    failures++;
}
template <typename T> static T *fresh(size_t bytes)
{
    T *memory;
    CUDA(cudaMalloc(&memory, bytes));
    return memory;
}

int main()
{
    const size_t large = 4 << 20;
    int local = 0, *memory = fresh<int>(large + 100);
    put<<<1, 1>>>(memory, (large + 100) / 4 + 10);
    expect(cudaSuccess, "past the end, in its granule");
    put<<<1, 1>>>(memory, 1 << 28);
    expect(cudaErrorIllegalAddress, "far past the end");
    memory = fresh<int>(large);
    CUDA(cudaFree(memory));
    put<<<1, 1>>>(memory, 0);
    expect(cudaErrorIllegalAddress, "released");
    put<<<1, 1>>>(0, 0);
    expect(cudaErrorIllegalAddress, "null");
    put<<<1, 1>>>(&local, 0);
    expect(cudaErrorIllegalAddress, "memory of the host");
    shift<<<1, 1>>>((char *)fresh<int>(64), 2);
    expect(cudaErrorMisalignedAddress, "not aligned");
    give_up<<<1, 1>>>(0);
    expect(cudaSuccess, "no trap");
    give_up<<<1, 1>>>(1);
    expect(cudaErrorLaunchFailure, "trap");
    free_twice<<<1, 32>>>(0, fresh<void *volatile>(256));
    expect(cudaSuccess, "free once");
    free_twice<<<1, 32>>>(1, fresh<void *volatile>(256));
    expect(cudaErrorIllegalAddress, "free twice");
    // 64 KiB for each of 128 threads fill the heap.
    void *host[256], **given = fresh<void *>(sizeof host);
    ask<<<1, 256>>>(65536, given);
    expect(cudaSuccess, "a full heap");
    CUDA(cudaMemcpy(host, given, sizeof host, cudaMemcpyDeviceToHost));
    int got = 0;
    for (int i = 0; i < 256; i++) got += host[i] != 0;
    // Freed memory is used again, so this loop never runs out of memory.
    for (int i = 0; i < 3000; i++) CUDA(cudaFree(fresh<char>((size_t)(i % 60 + 1) << 24)));
    return verdict(!failures && got == 128, "%d wrong, %d given", failures, got);
}
