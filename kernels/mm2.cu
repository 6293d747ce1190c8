// Two matrix products, one after the other, after 2MM of PolyBench/GPU (Grauer-Gray et al., InPar
// 2012). khairy2015 uses it for L1 conflicts: the rows of a block's tile map to one set if a row's
// number of cache lines is a multiple of the number of sets.
#include "tile.cuh"

// One thread per element of C = A * B, without tiles in shared memory: the lanes of a warp share a
// row of A, and go down B side by side. A has `rows` by `inner` numbers.
__global__ void mm2_product(const float *__restrict__ a, const float *__restrict__ b,
                            float *__restrict__ c, int rows, int inner, int columns)
{
    int i, j;
    tile_element(columns, &i, &j);
    if (i >= rows || j >= columns) return;
    float sum = 0;
    for (int k = 0; k < inner; k++) sum += a[i * inner + k] * b[k * columns + j];
    c[i * columns + j] = sum;
}

// The same sum in memory, as PolyBench/GPU adds it; C is 0 at first. Pointers are not
// `__restrict__`: each turn stores its sum, because the store may change what the next turn loads.
__global__ void mm2_memory(const float *a, const float *b, float *c, int rows, int inner,
                           int columns)
{
    int i, j;
    tile_element(columns, &i, &j);
    if (i >= rows || j >= columns) return;
    for (int k = 0; k < inner; k++)
        c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}
