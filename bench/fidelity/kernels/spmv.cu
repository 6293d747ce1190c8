// y = A * x, A in compressed sparse rows, one thread per row.
extern "C" __global__ void spmv(const int *__restrict__ row, const int *__restrict__ column,
                                const float *__restrict__ value, const float *__restrict__ x,
                                float *__restrict__ y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    float sum = 0;
    for (int e = row[r]; e < row[r + 1]; e++) sum += value[e] * x[column[e]];
    y[r] = sum;
}
