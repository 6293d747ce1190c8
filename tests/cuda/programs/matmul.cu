// A matrix product with tiles in shared memory: one template for two types.
#include "check.h"

enum { TILE = 16 };

template <typename T>
__global__ void multiply(const T *__restrict__ a, const T *__restrict__ b, T *c, int n)
{
    __shared__ T sa[TILE][TILE], sb[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int start = 0; start < n; start += TILE) {
        sa[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

template <typename T> static double try_type(int n)
{
    std::vector<T> a = random_values<T>(n * n, 8), b = random_values<T>(n * n, 9), wanted(n * n);
    Buffer<T> da(a), db(b), dc(n * n);
    multiply<T><<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    LAUNCHED();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) wanted[i * n + j] += a[i * n + k] * b[k * n + j];
    return difference(dc.get(), wanted);
}

int main()
{
    double single = try_type<float>(64), both = try_type<double>(48);
    return verdict(single < 1e-5 && both < 1e-13, "float %.1e, double %.1e", single, both);
}
