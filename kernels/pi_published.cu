// pi.cu with a generator like curand's own, which MC_EstimatePiInlineP of the CUDA SDK has: xorwow
// (Marsaglia, "Xorshift RNGs", Journal of Statistical Software 2003). Nearly all of the time goes
// into giving each thread a part of the generator's sequence.
#include "block.cuh"

enum { WORDS = 5, BITS = 32, MATRIX = WORDS * BITS * WORDS };

// As large as curand's. The host knows this (src/workloads/pi.c).
struct State {
    unsigned counter, word[WORDS], unused[6];
};

// Replaces the words by their product with a matrix of bits. Its row number 32 * i + b, of 5 words,
// is what bit b of word i contributes.
HEDDLE_INLINE void multiply(unsigned *word, const unsigned *__restrict__ matrix)
{
    unsigned product[WORDS] = {};
    for (int i = 0; i < WORDS; i++) {
        unsigned mine = word[i];
        for (int bit = 0; bit < BITS; bit++, matrix += WORDS) {
            if (!(mine >> bit & 1)) continue;
#pragma unroll
            for (int k = 0; k < WORDS; k++) product[k] ^= matrix[k];
        }
    }
#pragma unroll
    for (int k = 0; k < WORDS; k++) word[k] = product[k];
}

// Gives each thread's generator the `thread`-th part of the sequence. Matrix k goes 4^k parts
// ahead. The state is in memory all the time, as curand's is.
__global__ void pi_sequences(State *state, const unsigned *__restrict__ matrices, unsigned x,
                             unsigned y, unsigned z, unsigned w, unsigned v, unsigned counter,
                             int threads)
{
    int thread = thread_index();
    if (thread >= threads) return;
    State *mine = &state[thread];
    *mine = {counter, {x, y, z, w, v}, {}};
    for (unsigned parts = thread; parts; parts >>= 2, matrices += MATRIX)
        for (unsigned times = parts & 3; times; times--) multiply(mine->word, matrices);
}

HEDDLE_INLINE unsigned draw(State *s)
{
    unsigned *word = s->word, mixed = word[0] ^ word[0] >> 2;
#pragma unroll
    for (int i = 0; i < WORDS - 1; i++) word[i] = word[i + 1];
    word[4] = word[4] ^ word[4] << 4 ^ mixed ^ mixed << 1;
    s->counter += 362437;
    return s->counter + word[4];
}

// Assembly, because the compiler would join the product to the sum, which then is rounded once.
HEDDLE_INLINE float square(unsigned word)
{
    float x = (word >> 8) * 0x1p-24f, product;
    asm("mul.rn.f32 %0, %1, %1;" : "=f"(product) : "f"(x));
    return product;
}

// As pi_count; a point is two draws.
__global__ void pi_count_published(const State *__restrict__ state, unsigned *__restrict__ count,
                                   unsigned points, unsigned threads)
{
    __shared__ unsigned sums[MOST_THREADS];
    unsigned thread = thread_index(), here = threadIdx.x, sum = 0;
    if (thread < threads) {
        State mine = state[thread];
        for (unsigned i = thread; i < points; i += threads) {
            float x = square(draw(&mine)), y = square(draw(&mine));
            sum += x + y < 1;
        }
    }
    sums[here] = sum;
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (here < half) sums[here] += sums[here + half];
    }
    if (here == 0) count[blockIdx.x] = sums[0];
}
