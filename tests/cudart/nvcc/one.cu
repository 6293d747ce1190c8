// A small program: says the compute capability that its kernel was compiled for, and the error.
#include <cstdio>

__global__ void ask(int *answer)
{
#ifdef __CUDA_ARCH__
    *answer = __CUDA_ARCH__ / 10;
#endif
}

int main()
{
    int *data, answer = 0;
    cudaMalloc(&data, sizeof answer);
    ask<<<1, 1>>>(data);
    cudaError_t error = cudaGetLastError();
    cudaMemcpy(&answer, data, sizeof answer, cudaMemcpyDeviceToHost);
    printf("%d %s\n", answer, cudaGetErrorName(error));
    return 0;
}
