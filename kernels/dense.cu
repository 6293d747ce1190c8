// Work on dense matrices, row by row in memory, after the algorithms of PolyBench/GPU (Grauer-Gray
// et al., InPar 2012). khairy2015 uses them for L1 conflicts: if a row's number of cache lines is a
// multiple of the L1's number of sets, a linear index maps a column to one set.
#include "tile.cuh"

// ---- syrk: C = alpha * A * A^T + beta * C ----
// One thread per element of C; each lane of a warp reads along its own row of A.
__global__ void syrk_update(const float *__restrict__ a, float *__restrict__ c, float alpha,
                            float beta, int rows, int columns)
{
    int i, j;
    tile_element(rows, &i, &j);
    if (i >= rows || j >= rows) return;
    float sum = beta * c[i * rows + j];
    for (int k = 0; k < columns; k++) sum += alpha * a[i * columns + k] * a[j * columns + k];
    c[i * rows + j] = sum;
}

// ---- gesummv: y = alpha * A * x + beta * B * x ----
// One thread per row of both matrices.
__global__ void gesummv_rows(const float *__restrict__ a, const float *__restrict__ b,
                             const float *__restrict__ x, float *__restrict__ y, float alpha,
                             float beta, int rows, int columns)
{
    int i = thread_index();
    if (i >= rows) return;
    float of_a = 0, of_b = 0;
    for (int j = 0; j < columns; j++) {
        of_a += a[i * columns + j] * x[j];
        of_b += b[i * columns + j] * x[j];
    }
    y[i] = alpha * of_a + beta * of_b;
}

// ---- conv2d: every element and its eight neighbours, weighted ----
// One thread per element; border elements have no result.
__global__ void conv2d_filter(const float *__restrict__ in, float *__restrict__ out, float w00,
                              float w01, float w02, float w10, float w11, float w12, float w20,
                              float w21, float w22, int rows, int columns)
{
    int i, j;
    tile_element(columns, &i, &j);
    if (i < 1 || i >= rows - 1 || j < 1 || j >= columns - 1) return;
    const float *above = &in[(i - 1) * columns + j], *here = above + columns;
    const float *below = here + columns;
    out[i * columns + j] = w00 * above[-1] + w01 * above[0] + w02 * above[1] + w10 * here[-1] +
                           w11 * here[0] + w12 * here[1] + w20 * below[-1] + w21 * below[0] +
                           w22 * below[1];
}

// ---- the same sums in memory, as PolyBench/GPU adds them ----
// Pointers are not `__restrict__`: each turn of a loop stores its sum, because the store may change
// what the next turn loads.
__global__ void syrk_memory(const float *a, float *c, float alpha, float beta, int rows,
                            int columns)
{
    int i, j;
    tile_element(rows, &i, &j);
    if (i >= rows || j >= rows) return;
    c[i * rows + j] *= beta;
    for (int k = 0; k < columns; k++)
        c[i * rows + j] += alpha * a[i * columns + k] * a[j * columns + k];
}

// tmp and y are 0 at first. A store to one of them may change the other, which is loaded again.
__global__ void gesummv_memory(const float *a, const float *b, const float *x, float *y, float *tmp,
                               float alpha, float beta, int rows, int columns)
{
    int i = thread_index();
    if (i >= rows) return;
    for (int j = 0; j < columns; j++) {
        tmp[i] += a[i * columns + j] * x[j];
        y[i] += b[i * columns + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
}
