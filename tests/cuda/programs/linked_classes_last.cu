// The third file of linked_classes.cu.
#include "linked_classes.h"

#include <cstdio>

static __device__ int hidden = 300;
static __device__ __noinline__ int helper(int x) { return x + 3 * hidden; }
__device__ int helped_last() { return helper(1); }

static __device__ int plus_one(int x) { return x + 100; } // as another file's name
extern __device__ int plus_two(int x);
static __device__ int negative(int x) { return -x; }
__device__ Function table[3] = {plus_one, plus_two, negative};

__device__ void Sum::add(int value)
{
    sum += value;
    count++;
}

__device__ int Inner::second(int x) const { return x + 50; }
__device__ Node *make_node(int i)
{
    if (i % 2) return new Leaf(i);
    return new Inner(i);
}

__device__ void print_words(int lane) { printf("lane %d: %s\n", lane, words); }

namespace scales {
__device__ double scaled(double x) { return x * factor; }
}

static __global__ void read_shelf(int *values)
{
    int i = threadIdx.x;
    values[i] = i ? (int)(shelf<int, LANES>[i] + shelf<float, LANES>[i]) : counted();
}

void host_last(int *device) { read_shelf<<<1, LANES>>>(device); }
