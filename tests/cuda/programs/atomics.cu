// Atomic operations of every kind and type, on global and shared memory.
#include "check.h"

enum { THREADS = 256 };

struct Words {
    int add, sub, least, most, exchanged;
    unsigned u_least, u_most, all, any, parity, rounds, down;
    unsigned long long wide, wide_most, wide_any;
    long long low;
    float sum;
    double exact;
    int cas;
    unsigned half;
};

__device__ void change(Words *w, int i)
{
    atomicAdd(&w->add, i);
    atomicSub(&w->sub, i);
    atomicMin(&w->least, 100 - i);
    atomicMax(&w->most, i * 3 - 5);
    atomicExch(&w->exchanged, 7);
    atomicMin(&w->u_least, 4000000000u - (unsigned)i);
    atomicMax(&w->u_most, 3000000000u + (unsigned)i);
    atomicAnd(&w->all, ~(1u << (i % 20)));
    atomicOr(&w->any, 1u << (i % 20));
    atomicXor(&w->parity, (unsigned)i);
    atomicInc(&w->rounds, 9);
    atomicDec(&w->down, 9);
    atomicAdd(&w->wide, 1ULL << 33);
    atomicMax(&w->wide_most, (unsigned long long)i << 40);
    atomicOr(&w->wide_any, 1ULL << (i % 60));
    atomicMin(&w->low, -(long long)i << 35);
    atomicAdd(&w->sum, 0.5f);
    atomicAdd(&w->exact, 0.25);
    // A maximum by compare and swap.
    for (int seen = w->cas; seen < i;) {
        int before = atomicCAS(&w->cas, seen, i);
        if (before == seen) break;
        seen = before;
    }
    atomicAdd_block(&w->half, 2u);
}

__global__ void in_global(Words *words)
{
    change(words, threadIdx.x);
}
__global__ void in_shared(Words *words)
{
    __shared__ Words mine;
    if (threadIdx.x == 0) mine = *words;
    __syncthreads();
    change(&mine, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *words = mine;
}
__global__ void old_values(int *counter, int *old)
{
    old[threadIdx.x] = atomicAdd(counter, 1);
}

static int wrong(const Words &w)
{
    int sum = THREADS * (THREADS - 1) / 2, bad = 0;
    bad += w.add != sum || w.sub != -sum || w.least != 100 - (THREADS - 1);
    bad += w.most != (THREADS - 1) * 3 - 5 || w.exchanged != 7;
    bad += w.u_least != 4000000000u - (THREADS - 1) || w.u_most != 3000000000u + THREADS - 1;
    bad += w.all != 0xfff00000u || w.any != 0xfffffu || w.parity != 0;
    bad += w.rounds != THREADS % 10 || w.down != (10 - THREADS % 10) % 10;
    bad += w.wide != (unsigned long long)THREADS << 33;
    bad += w.wide_most != (THREADS - 1ULL) << 40 || w.wide_any != (1ULL << 60) - 1;
    bad += w.low != -((THREADS - 1LL) << 35) || w.sum != 0.5f * THREADS;
    bad += w.exact != 0.25 * THREADS || w.cas != THREADS - 1 || w.half != 2 * THREADS;
    return bad;
}

int main()
{
    Words start = {};
    start.u_least = 0xffffffffu;
    start.all = 0xffffffffu;
    Buffer<Words> a(std::vector<Words>(1, start)), b(std::vector<Words>(1, start));
    Buffer<int> counter(1), old(THREADS);
    in_global<<<1, THREADS>>>(a);
    in_shared<<<1, THREADS>>>(b);
    old_values<<<1, THREADS>>>(counter, old);
    LAUNCHED();
    int global = wrong(a.get()[0]), shared = wrong(b.get()[0]);
    std::vector<bool> seen(THREADS);
    for (int v : old.get()) seen[v] = true;
    bool each = seen == std::vector<bool>(THREADS, true);
    return verdict(!global && !shared && each, "%d wrong in global, %d in shared memory", global,
                   shared);
}
