// The second file of linked_classes.cu.
#include "linked_classes.h"

static __device__ int hidden = 200;
static __device__ __noinline__ int helper(int x) { return x + 2 * hidden; }
__device__ int helped_more() { return helper(1); }

static __device__ int target = 4242;
__device__ int *pointer = &target;
__device__ const char *words = "xyz";
__device__ int unsized[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static __device__ int plus_one(int x) { return x + 1; }
__device__ int plus_two(int x) { return x + 2; }
__constant__ Function constant_table[2] = {plus_one, plus_two};
__device__ Function pick(int i) { return i % 2 ? plus_one : plus_two; }

__device__ int Leaf::first(int x) const { return k * x; }

extern __shared__ float memory[];
__device__ float *scratch() { return memory; }

__global__ void number_lanes(int *values, int first)
{
    values[threadIdx.x] = first + (int)threadIdx.x;
}
