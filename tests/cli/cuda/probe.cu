// A CUDA program for tests of `heddle cuda`. Its argument selects how it ends.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <int FACTOR> __global__ void multiply(int *to, const int *from, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = FACTOR * from[i];
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "good";
    enum { COUNT = 1000 };
    static int values[COUNT];
    int *from, *to;
    if (!strcmp(end, "unused")) return 0;
    cudaMalloc(&from, sizeof values); // line 20
    cudaMalloc(&to, sizeof values);   // line 21
    if (!strcmp(end, "empty")) return 0;
    for (int i = 0; i < COUNT; i++) values[i] = i;
    cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
    bool beyond = !strcmp(end, "fault");
    multiply<3><<<4, 256>>>(to, from, COUNT);
    multiply<5><<<4, 256>>>(to, beyond ? from + (64 << 20) : from, COUNT);
    cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost);
    printf("%d %s\n", values[7], cudaGetErrorName(cudaGetLastError()));
    if (!strcmp(end, "reset")) cudaDeviceReset();
    if (!strcmp(end, "signal")) {
        fflush(stdout);
        raise(SIGKILL);
    }
    return argc > 2 ? atoi(argv[2]) : 0;
}
