// Instructions that only inline assembly generates, compared with C: video instructions that shift,
// multiply and write parts of a register; saturating packs; logic with a predicate; bit operations;
// address spaces; cache hints.
#include "check.h"

enum { THREADS = 128, VALUES = 16 };

__constant__ int constant_word = 7;
__device__ int global_word;

__device__ int spaces_of(const void *generic)
{
    int is;
    asm("{\n\t.reg .pred g, s, l, c;\n\t.reg .b32 t;\n\t"
        "isspacep.global g, %1;\n\tisspacep.shared s, %1;\n\tisspacep.local l, %1;\n\t"
        "isspacep.const c, %1;\n\t"
        "selp.b32 %0, 1, 0, g;\n\t@s add.s32 %0, %0, 2;\n\t@l add.s32 %0, %0, 4;\n\t"
        "@c add.s32 %0, %0, 8;\n\t}"
        : "=r"(is) : "l"(generic));
    return is;
}

__global__ void compute(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out)
{
    __shared__ int shared_word;
    int t = threadIdx.x;
    volatile int local_word = t;
    unsigned x = a[t], y = b[t], z = c[t], *to = out + t * VALUES;
    asm("vshl.u32.u32.u32.clamp.add %0, %1.b1, %2.b0, %3;" : "=r"(to[0]) : "r"(x), "r"(y), "r"(z));
    asm("vshr.s32.s32.u32.wrap %0, %1, %2;" : "=r"(to[1]) : "r"(x), "r"(y));
    asm("vmad.s32.s32.s32.shr7 %0, %1.h0, %2.h1, %3;" : "=r"(to[2]) : "r"(x), "r"(y), "r"(z));
    asm("vadd.s32.s32.s32.sat %0.b2, %1.b0, %2.b3, %3;" : "=r"(to[3]) : "r"(x), "r"(y), "r"(z));
    asm("vsub2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(to[4]) : "r"(x), "r"(y), "r"(z));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(to[5]) : "r"(x), "r"(y % 300), "r"(z));
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(to[6]) : "r"(x), "r"((int)y >> 15));
    asm("{\n\t.reg .pred p, q;\n\tsetp.lt.u32 q, %1, 1000;\n\t"
        "lop3.or.b32 %0|p, %2, %3, 0xff, 0x20, q;\n\t@p add.u32 %0, %0, 1;\n\t}"
        : "=r"(to[7]) : "r"(z), "r"(x), "r"(y));
    asm("bfind.shiftamt.s32 %0, %1;" : "=r"(to[8]) : "r"(x));
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(to[9]) : "r"(x), "r"(y), "r"(z));
    asm("fns.b32 %0, %1, 0, %2;" : "=r"(to[10]) : "r"(x), "r"(t % 8 + 1));
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(to[11]) : "r"(x), "r"(y), "r"(z));
    asm("prefetch.global.L2 [%0];\n\tprefetchu.L1 [%0];" : : "l"(a));
    asm volatile("membar.proxy.alias;" : : : "memory");
    to[12] = spaces_of(&global_word) | spaces_of(&shared_word) << 4;
    to[13] = spaces_of((const void *)&local_word) | spaces_of(&constant_word) << 4;
    asm("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(to[14]) : "r"(t % 5));
    unsigned long long at;
    asm("cvta.const.u64 %0, %1;" : "=l"(at) : "l"((unsigned long long)__cvta_generic_to_constant(
                                                     &constant_word)));
    to[15] = *(const int *)at;
}

static int byte(unsigned x, int i) { return (signed char)(x >> 8 * i); }
static int half(unsigned x, int i) { return (short)(x >> 16 * i); }
static int clamp(long long x, long long least, long long most)
{
    return (int)(x < least ? least : x > most ? most : x);
}

// The results that thread t must have.
static void wanted(int t, unsigned x, unsigned y, unsigned z, unsigned w[VALUES])
{
    unsigned by = y & 255;
    w[0] = (by < 32 ? (x >> 8 & 255) << by : 0) + z;
    w[1] = (unsigned)((int)x >> (y & 31));
    w[2] = (unsigned)(((long long)half(x, 0) * half(y, 1) + (int)z) >> 7);
    w[3] = (z & 0xff00ffff) | (unsigned)(clamp(byte(x, 0) + byte(y, 3), -128, 127) & 255) << 16;
    w[4] = (unsigned)((half(x, 1) - half(y, 1)) & 0xffff) << 16 |
           (unsigned)((half(x, 0) - half(y, 0)) & 0xffff);
    w[5] = z << 16 | (unsigned)clamp((int)x, 0, 255) << 8 | (unsigned)clamp(y % 300, 0, 255);
    w[6] = (unsigned)clamp((int)x, -32768, 32767) << 16 |
           ((unsigned)clamp((int)y >> 15, -32768, 32767) & 0xffff);
    w[7] = x & ~y & 0xff;
    w[7] += w[7] || z < 1000;
    unsigned differs = (int)x < 0 ? ~x : x;
    w[8] = differs ? (unsigned)__builtin_clz(differs) : ~0u;
    unsigned long long both = (unsigned long long)y << 32 | x;
    w[9] = (unsigned)(both >> 8 * (z & 3));
    w[10] = ~0u;
    for (int i = 0, seen = 0; i < 32 && w[10] == ~0u; i++)
        if (x >> i & 1 && ++seen == t % 8 + 1) w[10] = (unsigned)i;
    w[11] = z;
    for (int i = 0; i < 4; i++) w[11] += (unsigned)((int)(x >> 8 * i & 255) * byte(y, i));
    w[12] = 1 | 2 << 4;
    w[13] = 4 | 8 << 4;
    w[14] = 0;
    for (int lane = 0; lane < 32; lane++)
        if ((t / 32 * 32 + lane) % 5 == t % 5) w[14] |= 1u << lane;
    w[15] = 7;
}

int main()
{
    Random random(11);
    std::vector<unsigned> a(THREADS), b(THREADS), c(THREADS);
    for (int t = 0; t < THREADS; t++) {
        a[t] = random.next() >> (t % 3 * 8);
        b[t] = random.next();
        c[t] = t % 2 ? random.next() : random.below(2000);
        if (t % 4 == 0) b[t] &= ~0xe0u;
    }
    Buffer<unsigned> da(a), db(b), dc(c), out((size_t)THREADS * VALUES);
    compute<<<1, THREADS>>>(da, db, dc, out);
    LAUNCHED();
    std::vector<unsigned> got = out.get();
    int wrong = 0;
    for (int t = 0; t < THREADS; t++) {
        unsigned w[VALUES];
        wanted(t, a[t], b[t], c[t], w);
        for (int i = 0; i < VALUES; i++) {
            if (got[t * VALUES + i] == w[i]) continue;
            if (wrong++ < 5)
                printf("thread %d, value %d: %08x, not %08x\n", t, i, got[t * VALUES + i], w[i]);
        }
    }
    return verdict(!wrong, "%d wrong of %d", wrong, THREADS * VALUES);
}
