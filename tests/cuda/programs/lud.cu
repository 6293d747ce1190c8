// LU decomposition without pivoting: for each column, one launch computes the factors, and one
// updates the remaining matrix.
#include "check.h"

enum { SIDE = 40 };

__global__ void factors(double *m, int k, int n)
{
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) m[row * n + k] /= m[k * n + k];
}

__global__ void rest(double *m, int k, int n)
{
    int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) m[row * n + column] -= m[row * n + k] * m[k * n + column];
}

int main()
{
    std::vector<double> m = random_values<double>(SIDE * SIDE, 17), product(SIDE * SIDE);
    for (int i = 0; i < SIDE; i++) m[i * SIDE + i] += SIDE;
    Buffer<double> d(m);
    for (int k = 0; k < SIDE - 1; k++) {
        unsigned blocks = blocks_for(SIDE - 1 - k, 16);
        factors<<<blocks, 16>>>(d, k, SIDE);
        rest<<<dim3(blocks, blocks), dim3(16, 16)>>>(d, k, SIDE);
    }
    LAUNCHED();
    std::vector<double> lu = d.get();
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            for (int k = 0; k <= std::min(i, j); k++)
                product[i * SIDE + j] += (k == i ? 1.0 : lu[i * SIDE + k]) * lu[k * SIDE + j];
    double apart = difference(product, m);
    return verdict(apart < 1e-13, "%d x %d, L * U differs by %.1e", SIDE, SIDE, apart);
}
