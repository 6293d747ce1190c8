// Output of printf in kernels appears when the program synchronises, in the order of the blocks.
#include "check.h"

__global__ void say(int number)
{
    if (threadIdx.x == 0) printf("kernel %d\n", number);
    __syncthreads();
    if (threadIdx.x == 63 && printf("%s, thread %d\n", "last", (int)threadIdx.x) != 2)
        printf("printf gives the number of its arguments\n");
}

int main()
{
    int *word, host = 0;
    CUDA(cudaMalloc(&word, sizeof host));
    CUDA(cudaMemset(word, 0, sizeof host));
    say<<<1, 64>>>(1);
    printf("launched\n");
    say<<<1, 64>>>(2);
    CUDA(cudaDeviceSynchronize());
    printf("waited\n");
    say<<<1, 64>>>(3);
    printf("launched again\n");
    CUDA(cudaMemcpy(&host, word, sizeof host, cudaMemcpyDeviceToHost));
    printf("copied\n");
    CUDA(cudaFree(word));
    return verdict(true, "in the order of waiting");
}
