// Pi by random points, with one generator per thread; compared with the same points on the host.
#include "check.h"

enum { THREADS = 512, DARTS = 40 };

__host__ __device__ inline unsigned draw(unsigned long long &state)
{
    unsigned long long old = state;
    state = old * 6364136223846793005ULL + 1442695040888963407ULL;
    unsigned mixed = (unsigned)(((old >> 18) ^ old) >> 27), turn = (unsigned)(old >> 59);
    return mixed >> turn | mixed << ((0u - turn) & 31);
}
__host__ __device__ inline int hits(int thread)
{
    unsigned long long state = 0x853c49e6748fea9bULL + 2ULL * (unsigned)thread;
    int inside = 0;
    draw(state);
    for (int i = 0; i < DARTS; i++) {
        float x = (float)(draw(state) >> 8) / 16777216.0f,
              y = (float)(draw(state) >> 8) / 16777216.0f;
        inside += x * x + y * y < 0.99999f;
    }
    return inside;
}

__global__ void throw_darts(unsigned long long *total)
{
    int mine = hits(blockIdx.x * blockDim.x + threadIdx.x);
    if (mine) atomicAdd(total, (unsigned long long)mine);
}

int main()
{
    Buffer<unsigned long long> total(1);
    throw_darts<<<THREADS / 128, 128>>>(total);
    LAUNCHED();
    unsigned long long wanted = 0, got = total.get()[0];
    for (int i = 0; i < THREADS; i++) wanted += (unsigned)hits(i);
    double pi = 4.0 * (double)got / (THREADS * DARTS);
    return verdict(got == wanted && std::fabs(pi - M_PI) < 0.05,
                   "%llu hits, wanted %llu, pi is %.3f", got, wanted, pi);
}
