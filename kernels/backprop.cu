// One layer of a neural network in training, after Rodinia's backprop (Che et al., IISWC 2009),
// which khairy2015 uses as a workload that caches serve well.
//
// A layer has `inputs` units and 16 hidden ones. Unit 0 of each kind is the bias, so arrays have
// one more entry. Weight [i * 17 + h] is that from input i to hidden unit h. Pointers are not
// __restrict__: as in Rodinia, what was read before a store is read again after it.
#include "heddle.cuh"

enum { HIDDEN = 16, ROW = HIDDEN + 1 };
#define RATE 0.3f
#define MOMENTUM 0.3f

// Per thread of the block a sum, then per row of the block an input.
extern __shared__ float sums[];

// The thread's column (a hidden unit, from 0), row in the block, and input. A block is a tile of 16
// columns.
struct Place {
    int hidden, row, rows, in, weight;
};
HEDDLE_INLINE Place place()
{
    Place p;
    p.hidden = threadIdx.x % HIDDEN;
    p.row = threadIdx.x / HIDDEN;
    p.rows = blockDim.x / HIDDEN;
    p.in = blockIdx.x * p.rows + p.row + 1;
    p.weight = p.in * ROW + p.hidden + 1;
    return p;
}

// The block's part of the sums at the hidden units, by pairwise addition. As in Rodinia, the
// intermediate sums replace the weights, which the host copies anew.
__global__ void backprop_forward(const float *input, float *weight, float *partial, int inputs)
{
    Place p = place();
    float *unit = sums + blockDim.x;
    bool inside = p.in <= inputs;
    if (p.hidden == 0) unit[p.row] = inside ? input[p.in] : 0;
    __syncthreads();
    sums[threadIdx.x] = inside ? weight[p.weight] : 0;
    __syncthreads();
    sums[threadIdx.x] *= unit[p.row];
    for (int step = 1; step < p.rows; step *= 2) {
        __syncthreads();
        if (p.row % (2 * step) == 0 && p.row + step < p.rows)
            sums[threadIdx.x] += sums[threadIdx.x + step * HIDDEN];
    }
    __syncthreads();
    if (inside) weight[p.weight] = sums[threadIdx.x];
    if (p.hidden == 0)
        for (int h = p.row; h < HIDDEN; h += p.rows) partial[blockIdx.x * HIDDEN + h] = sums[h];
}

// Changes each weight by the gradient and by a part of its last change.
__global__ void backprop_adjust(const float *delta, const float *input, float *weight,
                                float *change, int inputs)
{
    Place p = place();
    int column = p.hidden + 1;
    if (p.in <= inputs) {
        weight[p.weight] += RATE * delta[column] * input[p.in] + MOMENTUM * change[p.weight];
        change[p.weight] = RATE * delta[column] * input[p.in] + MOMENTUM * change[p.weight];
    }
    if (p.row || blockIdx.x) return;
    weight[column] += RATE * delta[column] + MOMENTUM * change[column]; // the bias, which is 1
    change[column] = RATE * delta[column] + MOMENTUM * change[column];
}
