// A program of two .cu files, this and several_files_more.cu. Each is a module with its own kernels
// and variables, some with the same names.
#include "check.h"
#include "several_files.h"

static __constant__ int factor;

static __global__ void scale(int *values)
{
    values[threadIdx.x] *= factor;
}

int main()
{
    std::vector<int> values(32, 3);
    Buffer<int> data(values);
    int ten = 10;
    CUDA(cudaMemcpyToSymbol(factor, &ten, sizeof ten));
    scale<<<1, 32>>>(data);
    scale_there(data, 7);
    add_all<int><<<1, 32>>>(data, 5);
    LAUNCHED();
    std::vector<int> got = data.get();
    return verdict(got == std::vector<int>(32, 3 * 10 * 7 + 5 + 5), "3 became %d", got[0]);
}
