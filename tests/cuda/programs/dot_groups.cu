// Cooperative groups: a scalar product by block and tiles, an atomic per group of active threads,
// and reductions and scans over partitioned groups.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

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

// One atomic for all active threads reserves an output place for each. The first thread has the
// number, and passes it to the others by shfl.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#endif
__global__ void pick_odd(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2) {
        cg::coalesced_group active = cg::coalesced_threads();
        int place;
        if (active.thread_rank() == 0) place = atomicAdd(count, (int)active.size());
        place = active.shfl(place, 0) + active.thread_rank();
        out[place] = in[i];
    }
}

// For each value, within its tile of 16. before: the sum of the earlier values of the same parity.
// common: the bits that all values with the same remainder by 3 have, up to this one. count: how
// many values have this remainder, plus 100 times the largest value.
__global__ void parts(const int *in, int *before, int *common, int *count)
{
    int i = threadIdx.x, v = in[i];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    cg::coalesced_group kind = cg::binary_partition(tile, v % 2);
    before[i] = cg::exclusive_scan(kind, v);
    auto same = cg::labeled_partition(tile, v % 3);
    common[i] = cg::inclusive_scan(same, v, cg::bit_and<int>());
    count[i] = (int)same.size() + 100 * cg::reduce(tile, v, cg::greater<int>());
}

static int wrong_parts(const std::vector<int> &values)
{
    Buffer<int> in(values), before(64), common(64), count(64);
    parts<<<1, 64>>>(in, before, common, count);
    LAUNCHED();
    std::vector<int> b = before.get(), c = common.get(), n = count.get();
    int wrong = 0;
    for (int i = 0; i < 64; i++) {
        int sum = 0, bits = -1, same = 0, most = 0;
        for (int k = i / 16 * 16; k < i / 16 * 16 + 16; k++) {
            if (k < i && values[k] % 2 == values[i] % 2) sum += values[k];
            if (values[k] % 3 == values[i] % 3) bits &= k <= i ? values[k] : -1, same++;
            if (values[k] > most) most = values[k];
        }
        wrong += b[i] != sum || c[i] != bits || n[i] != same + 100 * most;
    }
    return wrong;
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
    int wrong = wrong_parts(values);
    return verdict(apart < 1e-13 && count.get()[0] == odd && got_sum == odd_sum && !wrong,
                   "difference %.1e, %ld odd values of sum %ld, %d wrong", apart, odd, odd_sum,
                   wrong);
}
