// Pitched memory of two and three dimensions: allocated, set, copied, and accessed by rows.
#include "check.h"

enum { WIDTH = 37, HEIGHT = 20, DEPTH = 5 };

__global__ void number(char *memory, size_t pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < WIDTH) ((int *)(memory + y * pitch))[x] += y * 100 + x;
}
__global__ void number_volume(cudaPitchedPtr volume)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    char *plane = (char *)volume.ptr + z * volume.pitch * HEIGHT;
    if (x < WIDTH) ((int *)(plane + y * volume.pitch))[x] = (z * HEIGHT + y) * WIDTH + x;
}

int main()
{
    int *memory;
    size_t pitch, row = WIDTH * sizeof(int);
    CUDA(cudaMallocPitch(&memory, &pitch, row, HEIGHT));
    CUDA(cudaMemset2D(memory, pitch, 1, row, HEIGHT));
    number<<<dim3(2, HEIGHT), 32>>>((char *)memory, pitch);
    LAUNCHED();
    std::vector<int> flat(WIDTH * HEIGHT), volume(WIDTH * HEIGHT * DEPTH);
    CUDA(cudaMemcpy2D(flat.data(), row, memory, pitch, row, HEIGHT, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        wrong += flat[i] != 0x01010101 + i / WIDTH * 100 + i % WIDTH;

    cudaPitchedPtr deep;
    cudaExtent extent = make_cudaExtent(row, HEIGHT, DEPTH);
    CUDA(cudaMalloc3D(&deep, extent));
    number_volume<<<dim3(HEIGHT, DEPTH), 64>>>(deep);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = deep;
    copy.dstPtr = make_cudaPitchedPtr(volume.data(), row, WIDTH, HEIGHT);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaMemcpy3D(&copy));
    for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++) wrong += volume[i] != i;
    bool refused = cudaMemcpy2D(flat.data(), row - 4, memory, pitch, row, HEIGHT,
                                cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue;
    CUDA(cudaFree(memory));
    CUDA(cudaFree(deep.ptr));
    return verdict(!wrong && refused && pitch >= row && pitch % 32 == 0,
                   "%d wrong, rows of %zu in %zu", wrong, row, pitch);
}
