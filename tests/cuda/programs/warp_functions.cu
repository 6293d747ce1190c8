// Warp functions: votes, shuffles in parts of a warp, matches, masks.
#include "check.h"

struct Answer {
    int all, any, uni, up, down, exchange, part, both;
    unsigned ballot, active, match, match_all, below;
    double wide;
};

__global__ void ask(const int *values, Answer *answers)
{
    int lane = threadIdx.x, value = values[lane], all = 0;
    Answer a;
    a.all = __all_sync(0xffffffff, value < 100);
    a.any = __any_sync(0xffffffff, value == 7);
    a.uni = __uni_sync(0xffffffff, value > 1000);
    a.ballot = __ballot_sync(0xffffffff, value & 1);
    a.up = __shfl_up_sync(0xffffffff, value, 3);
    a.down = __shfl_down_sync(0xffffffff, value, 2, 8);
    a.exchange = __shfl_xor_sync(0xffffffff, value, 5);
    a.part = __shfl_sync(0xffffffff, value, 1, 4);
    a.wide = __shfl_sync(0xffffffff, value + 0.5, 31 - lane);
    a.match = __match_any_sync(0xffffffff, value);
    a.match_all = __match_all_sync(0xffffffff, 5, &all);
    a.both = all;
    a.active = 0;
    a.below = 0;
    if (value & 1) {
        a.active = __activemask();
        a.below = __popc(__ballot_sync(a.active, 1) & ((1u << lane) - 1));
    }
    __syncwarp();
    answers[lane] = a;
}

__global__ void barriers(const int *values, int *out)
{
    int value = values[threadIdx.x % 32] + (int)(threadIdx.x / 32);
    int odd = __syncthreads_count(value & 1), all = __syncthreads_and(value < 40),
        any = __syncthreads_or(value == 1000);
    out[threadIdx.x] = odd * 100 + all * 10 + any;
}

int main()
{
    std::vector<int> values(32);
    Random random(50);
    for (int &v : values) v = (int)random.below(30);
    Buffer<int> in(values), out(96);
    Buffer<Answer> answers(32);
    ask<<<1, 32>>>(in, answers);
    barriers<<<1, 96>>>(in, out);
    LAUNCHED();
    unsigned odd = 0;
    int wrong = 0, odd_count = 0, seven = 0;
    for (int i = 0; i < 32; i++) odd |= (unsigned)(values[i] & 1) << i, seven |= values[i] == 7;
    for (int i = 0; i < 96; i++) odd_count += (values[i % 32] + i / 32) & 1;
    std::vector<Answer> got = answers.get();
    for (int i = 0; i < 32; i++) {
        const Answer &a = got[i];
        unsigned match = 0;
        for (int k = 0; k < 32; k++) match |= (unsigned)(values[k] == values[i]) << k;
        wrong += !a.all || a.any != seven || !a.uni || a.ballot != odd;
        wrong += a.up != values[i < 3 ? i : i - 3] || a.down != values[i % 8 < 6 ? i + 2 : i];
        wrong += a.exchange != values[i ^ 5] || a.part != values[i / 4 * 4 + 1];
        wrong += a.wide != values[31 - i] + 0.5 || a.match != match;
        wrong += a.match_all != 0xffffffff || !a.both;
        if (values[i] & 1)
            wrong += a.active != odd || (int)a.below != __builtin_popcount(odd & ((1u << i) - 1));
    }
    for (int v : out.get()) wrong += v != odd_count * 100 + 10;
    return verdict(!wrong, "%d wrong, %d odd", wrong, odd_count);
}
