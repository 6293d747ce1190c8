// A sparse matrix in CSR times a vector: with one thread per row, and with one warp per row.
#include "check.h"

enum { ROWS = 1000, MOST = 40 };

__global__ void thread_per_row(const int *start, const int *column, const double *value,
                               const double *x, double *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int i = start[row]; i < start[row + 1]; i++) sum += value[i] * x[column[i]];
    y[row] = sum;
}

__global__ void warp_per_row(const int *start, const int *column, const double *value,
                             const double *__restrict__ x, double *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    double sum = 0;
    for (int i = start[row] + lane; i < start[row + 1]; i += 32)
        sum += value[i] * __ldg(&x[column[i]]);
    for (int apart = 16; apart; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (lane == 0) y[row] = sum;
}

int main()
{
    Random random(14);
    std::vector<int> start(1, 0), column;
    std::vector<double> value, x = random_values<double>(ROWS, 15), wanted(ROWS);
    for (int row = 0; row < ROWS; row++) {
        int count = (int)random.below(MOST);
        for (int i = 0; i < count; i++) {
            column.push_back((int)random.below(ROWS));
            value.push_back(random.unit());
            wanted[row] += value.back() * x[column.back()];
        }
        start.push_back((int)column.size());
    }
    Buffer<int> s(start), c(column);
    Buffer<double> v(value), dx(x), y(ROWS), z(ROWS);
    thread_per_row<<<blocks_for(ROWS, 128), 128>>>(s, c, v, dx, y, ROWS);
    warp_per_row<<<blocks_for(ROWS * 32, 128), 128>>>(s, c, v, dx, z, ROWS);
    LAUNCHED();
    double a = difference(y.get(), wanted), b = difference(z.get(), wanted);
    return verdict(a < 1e-12 && b < 1e-12, "%zu elements, differences %.1e %.1e", column.size(), a,
                   b);
}
