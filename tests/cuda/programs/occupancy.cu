// Queries: device properties, attributes of kernels, and occupancy.
#include "check.h"

__global__ void __launch_bounds__(256) modest(float *values)
{
    __shared__ float mine[256];
    mine[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = mine[255 - threadIdx.x];
}
__global__ void greedy(float *values)
{
    __shared__ float mine[10000];
    for (int i = threadIdx.x; i < 10000; i += blockDim.x) mine[i] = values[i];
    __syncthreads();
    values[threadIdx.x] = mine[9999 - threadIdx.x];
}

int main()
{
    int count = 0, few = 0, many = 0, grid = 0, block = 0, version = 0;
    cudaDeviceProp p;
    cudaFuncAttributes a;
    size_t free_bytes, total;
    CUDA(cudaGetDeviceCount(&count));
    CUDA(cudaGetDeviceProperties(&p, 0));
    CUDA(cudaFuncGetAttributes(&a, modest));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&many, modest, 256, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, greedy, 256, 0));
    CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, modest, 0, 0));
    CUDA(cudaMemGetInfo(&free_bytes, &total));
    CUDA(cudaRuntimeGetVersion(&version));
    bool device = count >= 1 && p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.major >= 6 &&
                  p.multiProcessorCount > 0 && p.name[0] && p.totalGlobalMem == total &&
                  free_bytes <= total && p.maxThreadsPerMultiProcessor >= 1024;
    bool kernel = a.sharedSizeBytes == 1024 && a.maxThreadsPerBlock == 256 && a.numRegs > 0;
    bool holds = many == p.maxThreadsPerMultiProcessor / 256 && few >= 1 &&
                 few == (int)(p.sharedMemPerMultiprocessor / 40192);
    bool fills = block >= 32 && block <= 256 && grid % p.multiProcessorCount == 0 && grid > 0;
    return verdict(device && kernel && holds && fills && version >= 11000,
                   "%s, %d.%d: %d and %d blocks, best %d x %d", p.name, p.major, p.minor, many, few,
                   grid, block);
}
