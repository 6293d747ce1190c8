// A scalar product with cooperative groups: block, tiles, and whichever threads are active
// together.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

enum { COUNT = 5000, THREADS = 128 };

__global__ void dot(const double *a, const double *b, double *out, int n)
{
    __shared__ double of_tile[THREADS / 16];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int i = blockIdx.x * block.size() + block.thread_rank();
    double product = i < n ? a[i] * b[i] : 0;
    for (int apart = tile.size() / 2; apart; apart /= 2) product += tile.shfl_down(product, apart);
    if (tile.thread_rank() == 0) of_tile[tile.meta_group_rank()] = product;
    block.sync();
    if (block.thread_rank() < 32) {
        auto warp = cg::tiled_partition<32>(block);
        double sum = warp.thread_rank() < THREADS / 16 ? of_tile[warp.thread_rank()] : 0;
        sum = cg::reduce(warp, sum, cg::plus<double>());
        if (warp.thread_rank() == 0) atomicAdd(out, sum);
    }
}

// One atomic for all active threads, which share out the places.
__global__ void pick_odd(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2) {
        cg::coalesced_group active = cg::coalesced_threads();
        int place = 0;
        if (active.thread_rank() == 0) place = atomicAdd(count, (int)active.size());
        place = active.shfl(place, 0) + active.thread_rank();
        out[place] = in[i];
    }
}

int main()
{
    std::vector<double> a = random_values<double>(COUNT, 31), b = random_values<double>(COUNT, 32);
    Buffer<double> da(a), db(b), sum(1);
    unsigned blocks = blocks_for(COUNT, THREADS);
    dot<<<blocks, THREADS>>>(da, db, sum, COUNT);
    double wanted = 0;
    for (int i = 0; i < COUNT; i++) wanted += a[i] * b[i];
    Random random(33);
    std::vector<int> values(COUNT);
    long odd = 0, odd_sum = 0, got_sum = 0;
    for (int &v : values) {
        v = (int)random.below(1000);
        odd += v % 2, odd_sum += v % 2 ? v : 0;
    }
    Buffer<int> in(values), out(COUNT), count(1);
    pick_odd<<<blocks, THREADS>>>(in, out, count, COUNT);
    LAUNCHED();
    for (int v : out.get()) got_sum += v % 2 ? v : -1000 * (v != 0);
    double apart = std::fabs(sum.get()[0] - wanted) / wanted;
    return verdict(apart < 1e-13 && count.get()[0] == odd && got_sum == odd_sum,
                   "difference %.1e, %ld odd values of sum %ld", apart, odd, odd_sum);
}
