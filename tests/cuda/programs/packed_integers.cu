// Dot products of bytes and half-words (__dp4a, __dp2a_lo, __dp2a_hi), the family of
// __viaddmax_s32 on the device and on the host, and bytes in reverse order, on extreme and random
// words, compared with plain arithmetic.
#include "check.h"

#include <algorithm>
#include <cstring>

enum { CASES = 512 };

#define FAMILY(X) X(viaddmax) X(viaddmin) X(vimax3) X(vimin3)

struct Results {
#define MEMBER(name) unsigned name[6];
    FAMILY(MEMBER)
#undef MEMBER
    unsigned vimax[2], vimin[2], vibmax[4], vibmin[4], first;
    unsigned swapped[2];
    unsigned long long swapped_wide;
};
struct Dots {
    int dp4a[2], low[2], high[2];
    unsigned dp4au[2], lowu[2], highu[2];
};

static __host__ __device__ void call(uint3 of, Results *r)
{
    unsigned a = of.x, b = of.y, c = of.z;
    int s = (int)a, t = (int)b, u = (int)c;
#define CALL(name)                                                                                 \
    r->name[0] = (unsigned)__##name##_s32(s, t, u);                                                \
    r->name[1] = __##name##_u32(a, b, c);                                                          \
    r->name[2] = __##name##_s16x2(a, b, c);                                                        \
    r->name[3] = __##name##_u16x2(a, b, c);                                                        \
    r->name[4] = (unsigned)__##name##_s32_relu(s, t, u);                                           \
    r->name[5] = __##name##_s16x2_relu(a, b, c);
    FAMILY(CALL)
#undef CALL
    r->vimax[0] = (unsigned)__vimax_s32_relu(s, t);
    r->vimax[1] = __vimax_s16x2_relu(a, b);
    r->vimin[0] = (unsigned)__vimin_s32_relu(s, t);
    r->vimin[1] = __vimin_s16x2_relu(a, b);
    bool first[12];
    r->vibmax[0] = (unsigned)__vibmax_s32(s, t, &first[0]);
    r->vibmax[1] = __vibmax_u32(a, b, &first[1]);
    r->vibmax[2] = __vibmax_s16x2(a, b, &first[2], &first[3]);
    r->vibmax[3] = __vibmax_u16x2(a, b, &first[4], &first[5]);
    r->vibmin[0] = (unsigned)__vibmin_s32(s, t, &first[6]);
    r->vibmin[1] = __vibmin_u32(a, b, &first[7]);
    r->vibmin[2] = __vibmin_s16x2(a, b, &first[8], &first[9]);
    r->vibmin[3] = __vibmin_u16x2(a, b, &first[10], &first[11]);
    r->first = 0;
    for (int i = 0; i < 12; i++) r->first |= (unsigned)first[i] << i;
    r->swapped[0] = __nv_bswap16((unsigned short)a);
    r->swapped[1] = __nv_bswap32(a);
    r->swapped_wide = __nv_bswap64((unsigned long long)a << 32 | b);
}

template <typename To> static __device__ To as(unsigned bits)
{
    To value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__global__ void run(const uint3 *cases, Results *results, Dots *dots)
{
    uint3 of = cases[threadIdx.x];
    call(of, results + threadIdx.x);
    unsigned a = of.x, b = of.y, c = of.z;
    Dots *d = dots + threadIdx.x;
    d->dp4a[0] = __dp4a((int)a, (int)b, (int)c);
    d->dp4a[1] = __dp4a(as<char4>(a), as<char4>(b), (int)c);
    d->dp4au[0] = __dp4a(a, b, c);
    d->dp4au[1] = __dp4a(as<uchar4>(a), as<uchar4>(b), c);
    d->low[0] = __dp2a_lo((int)a, (int)b, (int)c);
    d->low[1] = __dp2a_lo(as<short2>(a), as<char4>(b), (int)c);
    d->lowu[0] = __dp2a_lo(a, b, c);
    d->lowu[1] = __dp2a_lo(as<ushort2>(a), as<uchar4>(b), c);
    d->high[0] = __dp2a_hi((int)a, (int)b, (int)c);
    d->high[1] = __dp2a_hi(as<short2>(a), as<char4>(b), (int)c);
    d->highu[0] = __dp2a_hi(a, b, c);
    d->highu[1] = __dp2a_hi(as<ushort2>(a), as<uchar4>(b), c);
}

static int wrong;
static void expect(const char *name, unsigned long long is, unsigned long long expected, uint3 of)
{
    if (is != expected && wrong++ < 20)
        printf("%s(%08x, %08x, %08x) = %llx: expected %llx\n", name, of.x, of.y, of.z, is,
               expected);
}

// What the functions mean, for elements of any type.
template <typename T> static T sum(T a, T b) { return (T)((long long)a + b); }
template <typename T> static T viaddmax(T a, T b, T c) { return std::max(sum(a, b), c); }
template <typename T> static T viaddmin(T a, T b, T c) { return std::min(sum(a, b), c); }
template <typename T> static T vimax3(T a, T b, T c) { return std::max(a, std::max(b, c)); }
template <typename T> static T vimin3(T a, T b, T c) { return std::min(a, std::min(b, c)); }

// A function of the half-words of three words; a result below `least` becomes `least`.
template <typename T> static unsigned halves(T (*f)(T, T, T), uint3 of, int least)
{
    int low = std::max<int>(f((T)of.x, (T)of.y, (T)of.z), least);
    int high = std::max<int>(f((T)(of.x >> 16), (T)(of.y >> 16), (T)(of.z >> 16)), least);
    return (unsigned)high << 16 | (unsigned short)low;
}

static void check(uint3 of, const Results &r)
{
    int s = (int)of.x, t = (int)of.y, u = (int)of.z;
    uint3 two = make_uint3(of.x, of.y, of.y);
#define CHECK(name)                                                                                \
    expect(#name "_s32", r.name[0], (unsigned)name<int>(s, t, u), of);                             \
    expect(#name "_u32", r.name[1], name<unsigned>(of.x, of.y, of.z), of);                         \
    expect(#name "_s16x2", r.name[2], halves<short>(name<short>, of, -32768), of);                 \
    expect(#name "_u16x2", r.name[3], halves<unsigned short>(name<unsigned short>, of, 0), of);    \
    expect(#name "_s32_relu", r.name[4], (unsigned)std::max(0, name<int>(s, t, u)), of);           \
    expect(#name "_s16x2_relu", r.name[5], halves<short>(name<short>, of, 0), of);
    FAMILY(CHECK)
#undef CHECK
    expect("vimax_s32_relu", r.vimax[0], (unsigned)std::max(0, std::max(s, t)), of);
    expect("vimin_s32_relu", r.vimin[0], (unsigned)std::max(0, std::min(s, t)), of);
    expect("vimax_s16x2_relu", r.vimax[1], halves<short>(vimax3<short>, two, 0), of);
    expect("vimin_s16x2_relu", r.vimin[1], halves<short>(vimin3<short>, two, 0), of);
    expect("vibmax_s32", r.vibmax[0], (unsigned)std::max(s, t), of);
    expect("vibmax_u32", r.vibmax[1], std::max(of.x, of.y), of);
    expect("vibmax_s16x2", r.vibmax[2], halves<short>(vimax3<short>, two, -32768), of);
    expect("vibmax_u16x2", r.vibmax[3], halves<unsigned short>(vimax3<unsigned short>, two, 0), of);
    expect("vibmin_s32", r.vibmin[0], (unsigned)std::min(s, t), of);
    expect("vibmin_u32", r.vibmin[1], std::min(of.x, of.y), of);
    expect("vibmin_s16x2", r.vibmin[2], halves<short>(vimin3<short>, two, -32768), of);
    expect("vibmin_u16x2", r.vibmin[3], halves<unsigned short>(vimin3<unsigned short>, two, 0), of);
    short high[] = {(short)(of.x >> 16), (short)(of.y >> 16)}, low[] = {(short)s, (short)t};
    unsigned short highu[] = {(unsigned short)high[0], (unsigned short)high[1]};
    unsigned short lowu[] = {(unsigned short)low[0], (unsigned short)low[1]};
    bool first[] = {s >= t, of.x >= of.y, high[0] >= high[1], low[0] >= low[1],
                    highu[0] >= highu[1], lowu[0] >= lowu[1], s <= t, of.x <= of.y,
                    high[0] <= high[1], low[0] <= low[1], highu[0] <= highu[1], lowu[0] <= lowu[1]};
    unsigned bits = 0;
    for (int i = 0; i < 12; i++) bits |= (unsigned)first[i] << i;
    expect("vibmax and vibmin: which", r.first, bits, of);
    unsigned long long reverse = 0;
    for (int i = 0; i < 4; i++) reverse |= (of.x >> 8 * i & 255ull) << (24 - 8 * i);
    expect("bswap16", r.swapped[0], (of.x & 255) << 8 | (of.x >> 8 & 255), of);
    expect("bswap32", r.swapped[1], reverse, of);
    for (int i = 0; i < 4; i++) reverse |= (of.y >> 8 * i & 255ull) << (56 - 8 * i);
    expect("bswap64", r.swapped_wide, reverse, of);
}

// The sum of c and `count` products, of elements of a of `bits` bits and of bytes of b from `from`.
static unsigned dot(uint3 of, int count, int bits, int from, bool is_signed)
{
    unsigned long long sum = of.z;
    for (int i = 0; i < count; i++) {
        long long x = of.x >> i * bits & ((1u << bits) - 1), y = of.y >> 8 * (from + i) & 255;
        if (is_signed && x >> (bits - 1)) x -= 1ll << bits;
        if (is_signed && y >> 7) y -= 256;
        sum += (unsigned long long)(x * y);
    }
    return (unsigned)sum;
}

static void check_dots(uint3 of, const Dots &d)
{
    for (int i = 0; i < 2; i++) {
        expect("dp4a", (unsigned)d.dp4a[i], dot(of, 4, 8, 0, true), of);
        expect("dp4a, unsigned", d.dp4au[i], dot(of, 4, 8, 0, false), of);
        expect("dp2a_lo", (unsigned)d.low[i], dot(of, 2, 16, 0, true), of);
        expect("dp2a_lo, unsigned", d.lowu[i], dot(of, 2, 16, 0, false), of);
        expect("dp2a_hi", (unsigned)d.high[i], dot(of, 2, 16, 2, true), of);
        expect("dp2a_hi, unsigned", d.highu[i], dot(of, 2, 16, 2, false), of);
    }
}

int main()
{
    static const unsigned extreme[] = {0, 0xffffffff, 0x80000000, 0x7fffffff,
                                       0x80007fff, 0x80808080, 0x00010001};
    std::vector<uint3> cases;
    for (unsigned a : extreme)
        for (unsigned b : extreme)
            for (unsigned c : extreme) cases.push_back(make_uint3(a, b, c));
    Random random(4);
    while (cases.size() < CASES)
        cases.push_back(make_uint3(random.next(), random.next(), random.next()));
    Buffer<uint3> in(cases);
    Buffer<Results> out(CASES);
    Buffer<Dots> dots(CASES);
    run<<<1, CASES>>>(in, out, dots);
    LAUNCHED();
    std::vector<Results> results = out.get();
    std::vector<Dots> products = dots.get();
    for (int i = 0; i < CASES; i++) {
        Results of_host;
        call(cases[i], &of_host);
        check(cases[i], of_host);
        check(cases[i], results[i]);
        check_dots(cases[i], products[i]);
    }
    return verdict(!wrong, "%d cases, %d wrong", CASES, wrong);
}
