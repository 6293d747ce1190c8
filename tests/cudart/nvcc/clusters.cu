// Kernels that need clusters, and kernels that do not, in one module of compute_90.
#include <cstdio>

__global__ void __cluster_dims__(2, 1, 1) clustered(int *out) { out[blockIdx.x] = 1; }
__global__ void __cluster_dims__() sized(int *out) { out[blockIdx.x] = 2; }
__global__ void __launch_bounds__(128, 1, 4) hint(int *out) { out[threadIdx.x] = 3; }
__global__ void __cluster_dims__(1, 1, 1) single(int *out) { out[threadIdx.x] += 4; }
__global__ void plain(int *out) { out[threadIdx.x] += 5; }

static void show() { printf("%s\n", cudaGetErrorName(cudaGetLastError())); }

int main()
{
    int *out, host[4] = {};
    cudaMalloc(&out, sizeof host);
    hint<<<1, 4>>>(out);
    single<<<1, 4>>>(out);
    plain<<<1, 4>>>(out);
    show();
    clustered<<<2, 4>>>(out);
    show();
    sized<<<2, 4>>>(out);
    show();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[2]);
}
