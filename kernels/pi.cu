// Pi by random points in the unit square, after MC_EstimatePiInlineP of the CUDA SDK, which
// khairy2015 uses as a workload that caches serve well: each thread reads the words of its random
// generator's state one by one.
#include "block.cuh"

struct Words {
    unsigned x, y, z, w;
};

// The state of a Philox generator (Salmon et al., SC 2011), padded to 48 bytes, which curand's has.
// The host knows this size (src/workloads/pi.c).
struct State {
    Words counter;
    unsigned key[2], unused[6];
};

// Four random words: 10 rounds on the counter under the key.
HEDDLE_INLINE Words philox(Words c, unsigned low_key, unsigned high_key)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long even = 0xd2511f53ull * c.x, odd = 0xcd9e8d57ull * c.z;
        Words next = {(unsigned)(odd >> 32) ^ c.y ^ low_key, (unsigned)odd,
                      (unsigned)(even >> 32) ^ c.w ^ high_key, (unsigned)even};
        c = next;
        low_key += 0x9e3779b9;
        high_key += 0xbb67ae85;
    }
    return c;
}

// Assembly, because the compiler would join the product to the sum, which then is rounded once.
HEDDLE_INLINE float square(unsigned word)
{
    float x = (word >> 8) * 0x1p-24f, product;
    asm("mul.rn.f32 %0, %1, %1;" : "=f"(product) : "f"(x));
    return product;
}

// Whether a point is in the quarter circle.
HEDDLE_INLINE int inside(unsigned x, unsigned y) { return square(x) + square(y) < 1; }

// Gives each thread's generator a sequence of its own.
__global__ void pi_start(State *state, unsigned seed, int threads)
{
    int thread = thread_index();
    if (thread >= threads) return;
    State mine = {{0, 0, (unsigned)thread, 0}, {seed, 0}, {}};
    state[thread] = mine;
}

// Counts the points of a block that are in the circle. A thread takes every `threads`-th point; a
// draw of its generator is two of them.
__global__ void pi_count(const State *__restrict__ state, unsigned *__restrict__ count, int points,
                         int threads)
{
    __shared__ unsigned sums[MOST_THREADS];
    int thread = thread_index(), here = threadIdx.x, width = blockDim.x;
    unsigned sum = 0;
    if (thread < threads) {
        Words counter = state[thread].counter;
        unsigned low_key = state[thread].key[0], high_key = state[thread].key[1];
        for (long long i = thread; i < points; i += 2ll * threads, counter.x++) {
            Words drawn = philox(counter, low_key, high_key);
            sum += inside(drawn.x, drawn.y);
            if (i + threads < points) sum += inside(drawn.z, drawn.w);
        }
    }
    sums[here] = sum;
    int half = 1;
    while (2 * half < width) half *= 2;
    for (; half; half /= 2) {
        __syncthreads();
        if (here < half && here + half < width) sums[here] += sums[here + half];
    }
    if (here == 0) count[blockIdx.x] = sums[0];
}
