// The electrostatic potential of point charges on a slice of a grid, after cp of Parboil (by Stone,
// University of Illinois, 2007) as it is in GPGPU-Sim's suite (Bakhoda et al., ISPASS 2009).
// yilmazer2020gw uses it as a workload without a graph.
#include "heddle.cuh"

enum {
    MOST_ATOMS = 4000, // of a launch: nearly all of the 64 KiB of constant memory
    THREAD_COLUMNS = 16, POINTS = 2, // a block's threads side by side, and the points of a thread
};

struct __attribute__((aligned(16))) Atom {
    float x, y, z2, charge; // z2: the square of its distance to the slice
};

// The host writes these before each launch.
__constant__ Atom atoms[MOST_ATOMS];

// 1 / sqrt(x), as a compiler that may approximate makes it.
struct Fast {
    HEDDLE_INLINE float inverse_root(float x) { return __nvvm_rsqrt_approx_f(x); }
};

// The same with a root and a quotient, both rounded, as nvcc makes it for sm_20 and later.
struct Rounded {
    HEDDLE_INLINE float inverse_root(float x) { return 1 / __nvvm_sqrt_rn_f(x); }
};

// Adds the potential of `count` atoms to the points of a slice. A block is a tile of 32 columns; a
// thread computes two points that are 16 columns apart, so that threads side by side store words
// side by side.
template <class Math>
HEDDLE_INLINE void add_potential(float *potential, float spacing, int columns, int rows, int count)
{
    unsigned tile = THREAD_COLUMNS * POINTS, across = (columns + tile - 1) / tile;
    unsigned down = blockIdx.x / across;
    unsigned row = down * (blockDim.x / THREAD_COLUMNS) + threadIdx.x / THREAD_COLUMNS;
    unsigned column = (blockIdx.x - down * across) * tile + threadIdx.x % THREAD_COLUMNS;
    if (row >= (unsigned)rows || column >= (unsigned)columns) return;
    float x = spacing * column, y = spacing * row, step = spacing * THREAD_COLUMNS;
    float sum = 0, next_sum = 0;
    for (int i = 0; i < count; i++) {
        float dy = y - atoms[i].y, off2 = dy * dy + atoms[i].z2;
        float dx = x - atoms[i].x, next_dx = dx + step;
        sum += atoms[i].charge * Math::inverse_root(dx * dx + off2);
        next_sum += atoms[i].charge * Math::inverse_root(next_dx * next_dx + off2);
    }
    float *at = &potential[row * columns + column];
    at[0] += sum;
    if (column + THREAD_COLUMNS < (unsigned)columns) at[THREAD_COLUMNS] += next_sum;
}

__global__ void coulomb_slice(float *potential, float spacing, int columns, int rows, int count)
{
    add_potential<Fast>(potential, spacing, columns, rows, count);
}

__global__ void coulomb_published(float *potential, float spacing, int columns, int rows, int count)
{
    add_potential<Rounded>(potential, spacing, columns, rows, count);
}
