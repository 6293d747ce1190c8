// Reductions over the lanes of a mask in one instruction (sum, minimum, maximum, logic), from
// compute capability 8.0 on.
#include "check.h"

__global__ void reduce(const int *values, int *out)
{
    int lane = threadIdx.x, value = values[lane];
    unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    int *mine = out + lane * 6;
    mine[0] = __reduce_add_sync(0xffffffffu, value);
    mine[1] = __reduce_min_sync(half, value);
    mine[2] = __reduce_max_sync(half, value);
    mine[3] = (int)__reduce_and_sync(half, (unsigned)value | 0x100);
    mine[4] = (int)__reduce_or_sync(half, (unsigned)value & 0xff);
    mine[5] = (int)__reduce_xor_sync(half, (unsigned)value);
}

int main()
{
    Random random(80);
    std::vector<int> values(32), wanted;
    for (int &v : values) v = (int)random.below(2000) - 1000;
    for (int lane = 0; lane < 32; lane++) {
        int sum = 0, least = 1000, most = -1000, all = -1, any = 0, odd = 0;
        for (int v : values) sum += v;
        for (int i = lane / 16 * 16; i < lane / 16 * 16 + 16; i++) {
            least = std::min(least, values[i]), most = std::max(most, values[i]);
            all &= values[i] | 0x100, any |= values[i] & 0xff, odd ^= values[i];
        }
        int answers[] = {sum, least, most, all, any, odd};
        wanted.insert(wanted.end(), answers, answers + 6);
    }
    Buffer<int> in(values), out(wanted.size());
    reduce<<<1, 32>>>(in, out);
    LAUNCHED();
    return verdict(out.get() == wanted, "sum %d, from %d to %d", wanted[0], wanted[1], wanted[2]);
}
