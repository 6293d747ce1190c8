// Dynamic shared memory: of several types, and more than the default limit of a block.
#include "check.h"

template <typename T> __device__ T *shared_memory()
{
    extern __shared__ __align__(16) unsigned char bytes[];
    return reinterpret_cast<T *>(bytes);
}

template <typename T> __global__ void turn_round(T *values, int n)
{
    T *mine = shared_memory<T>();
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine[i] = values[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = mine[n - 1 - i];
}

template <typename T> static bool try_type(int n)
{
    std::vector<T> values(n), wanted(n);
    for (int i = 0; i < n; i++) values[i] = wanted[n - 1 - i] = (T)(i % 100);
    Buffer<T> data(values);
    turn_round<T><<<1, 64, n * sizeof(T)>>>(data, n);
    LAUNCHED();
    return data.get() == wanted;
}

int main()
{
    bool right = try_type<char>(1000) && try_type<int>(1000) && try_type<double>(1000);
    int most = 0, device = 0;
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    int n = most / (int)sizeof(float);
    Buffer<float> data(n);
    turn_round<float><<<1, 64, n * sizeof(float)>>>(data, n);
    bool refused = cudaGetLastError() == cudaErrorInvalidValue;
    CUDA(
        cudaFuncSetAttribute(turn_round<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    turn_round<float><<<1, 64, n * sizeof(float)>>>(data, n);
    LAUNCHED();
    return verdict(right && refused && most > 49152, "%d bytes with leave, %s without", most,
                   refused ? "refused" : "taken");
}
