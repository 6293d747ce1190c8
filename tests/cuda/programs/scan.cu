// Blelloch's scan: up and down a tree in shared memory by block, then a scan of the block totals.
#include "check.h"

enum { COUNT = 3000, THREADS = 128, SPAN = 2 * THREADS };

__global__ void scan_blocks(const int *in, int *out, int *totals, int n)
{
    __shared__ int tree[SPAN];
    int t = threadIdx.x, start = blockIdx.x * SPAN, step = 1;
    for (int i = t; i < SPAN; i += THREADS) tree[i] = start + i < n ? in[start + i] : 0;
    for (int nodes = THREADS; nodes; nodes /= 2, step *= 2) {
        __syncthreads();
        if (t < nodes) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
    }
    if (t == 0) {
        totals[blockIdx.x] = tree[SPAN - 1];
        tree[SPAN - 1] = 0;
    }
    for (int nodes = 1; nodes <= THREADS; nodes *= 2) {
        step /= 2;
        __syncthreads();
        if (t < nodes) {
            int low = step * (2 * t + 1) - 1, high = step * (2 * t + 2) - 1, left = tree[low];
            tree[low] = tree[high];
            tree[high] += left;
        }
    }
    __syncthreads();
    for (int i = t; i < SPAN && start + i < n; i += THREADS) out[start + i] = tree[i];
}

__global__ void add(int *out, const int *before, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += before[blockIdx.x];
}

int main()
{
    Random random(25);
    std::vector<int> values(COUNT), wanted(COUNT);
    for (int &v : values) v = (int)random.below(100);
    for (int i = 1; i < COUNT; i++) wanted[i] = wanted[i - 1] + values[i - 1];
    unsigned blocks = blocks_for(COUNT, SPAN);
    Buffer<int> in(values), out(COUNT), totals(blocks), before(blocks), all(1);
    scan_blocks<<<blocks, THREADS>>>(in, out, totals, COUNT);
    scan_blocks<<<1, THREADS>>>(totals, before, all, (int)blocks);
    add<<<blocks, SPAN>>>(out, before, COUNT);
    LAUNCHED();
    return verdict(out.get() == wanted, "%d values, the last sum is %d", COUNT, wanted.back());
}
