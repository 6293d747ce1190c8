// A sparse matrix in compressed sparse rows times a vector, after Bell and Garland ("Implementing
// sparse matrix-vector multiplication on throughput-oriented processors", SC 2009), whose two forms
// SHOC has too. Row v has value[i] in column col[i], for i from row[v] to row[v + 1] - 1.
#include "warp.cuh"

// ---- scalar: one thread per row ----
__global__ void spmv_scalar(const int *__restrict__ row, const int *__restrict__ col,
                            const float *__restrict__ value, const float *__restrict__ x,
                            float *__restrict__ y, int rows)
{
    int v = thread_index();
    if (v >= rows) return;
    float sum = 0;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) sum += value[i] * x[col[i]];
    y[v] = sum;
}

// ---- vector: one warp per row, its lanes on consecutive elements ----
__global__ void spmv_vector(const int *__restrict__ row, const int *__restrict__ col,
                            const float *__restrict__ value, const float *__restrict__ x,
                            float *__restrict__ y, int rows)
{
    int width = warp_width(), lane = thread_index() & (width - 1);
    int v = thread_index() >> (31 - __builtin_clz(width));
    if (v >= rows) return;
    float part = 0;
    int end = row[v + 1];
    for (int i = row[v] + lane; i < end; i += width) part += value[i] * x[col[i]];
    float sum = warp_sum(part, width);
    if (lane == 0) y[v] = sum;
}

// ---- texture: as scalar, but x is a texture, as in SHOC ----
HEDDLE_INLINE float fetch(unsigned long long texture, int at)
{
    float first, unused[3];
    asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
        : "=f"(first), "=f"(unused[0]), "=f"(unused[1]), "=f"(unused[2])
        : "l"(texture), "r"(at));
    return first;
}

__global__ void spmv_texture(const int *__restrict__ row, const int *__restrict__ col,
                             const float *__restrict__ value, unsigned long long x,
                             float *__restrict__ y, int rows)
{
    int v = thread_index();
    if (v >= rows) return;
    float sum = 0;
    int end = row[v + 1];
    for (int i = row[v]; i < end; i++) sum += value[i] * fetch(x, col[i]);
    y[v] = sum;
}
