// __half and __nv_bfloat16, with the same checks: conversions from and to each type in each
// rounding, arithmetic, comparisons with NaNs, minima, functions of pairs, shuffles and atomics, on
// the device, and what the host has on the host. Values are compared with double arithmetic that is
// rounded once.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

enum { RN, RZ, RD, RU, ROUNDINGS };

// What clang compiles is Heddle's, whose functions are for the host, too.
#if defined(__clang__)
#define WHERE __host__ __device__
#else
#define WHERE __device__
#endif

// All functions of one rounding; `r` is its suffix.
#define OF_ROUNDING(T, word, r, mode)                                                              \
    static WHERE void convert(const Source &s, Converted<T> *to,                                   \
                              std::integral_constant<int, mode>)                                   \
    {                                                                                              \
        to->of[0] = __float2##word##_##r(s.real);                                                  \
        to->of[1] = __int2##word##_##r((int)s.wide);                                               \
        to->of[2] = __uint2##word##_##r((unsigned)s.wide);                                         \
        to->of[3] = __short2##word##_##r((short)s.wide);                                           \
        to->of[4] = __ushort2##word##_##r((unsigned short)s.wide);                                 \
        to->of[5] = __ll2##word##_##r(s.wide);                                                     \
        to->of[6] = __ull2##word##_##r((unsigned long long)s.wide);                                \
        T from = __float2##word(s.small);                                                          \
        to->whole[0] = __##word##2int_##r(from);                                                   \
        to->whole[1] = __##word##2uint_##r(from);                                                  \
        to->whole[2] = __##word##2short_##r(from);                                                 \
        to->whole[3] = __##word##2ushort_##r(from);                                                \
        to->whole[4] = __##word##2ll_##r(from);                                                    \
        to->unsigned_whole = __##word##2ull_##r(from);                                             \
    }

struct Source {
    float real, small;
    double precise;
    long long wide;
};
template <typename T> struct Converted {
    T of[7];
    long long whole[5];
    unsigned long long unsigned_whole;
};

// What a type is: its precision, the exponent of its smallest step, its largest value.
struct Half {
    typedef __half T;
    typedef __half2 T2;
    static constexpr int bits = 11, least = -24;
    static double most() { return 65504; }
    OF_ROUNDING(T, half, rn, RN)
    OF_ROUNDING(T, half, rz, RZ)
    OF_ROUNDING(T, half, rd, RD)
    OF_ROUNDING(T, half, ru, RU)
    static __host__ __device__ T of(double value) { return __double2half(value); }
    static __host__ __device__ T of_bits(unsigned short b) { return __ushort_as_half(b); }
    static __host__ __device__ unsigned short bits_of(T a) { return __half_as_ushort(a); }
    static __host__ __device__ T2 both(float a, float b) { return __floats2half2_rn(a, b); }
};
struct Bfloat {
    typedef __nv_bfloat16 T;
    typedef __nv_bfloat162 T2;
    static constexpr int bits = 8, least = -133;
    static double most() { return std::ldexp(255, 120); }
    OF_ROUNDING(T, bfloat16, rn, RN)
    OF_ROUNDING(T, bfloat16, rz, RZ)
    OF_ROUNDING(T, bfloat16, rd, RD)
    OF_ROUNDING(T, bfloat16, ru, RU)
    static __host__ __device__ T of(double value) { return __double2bfloat16(value); }
    static __host__ __device__ T of_bits(unsigned short b) { return __ushort_as_bfloat16(b); }
    static __host__ __device__ unsigned short bits_of(T a) { return __bfloat16_as_ushort(a); }
    static __host__ __device__ T2 both(float a, float b) { return __floats2bfloat162_rn(a, b); }
};

static int wrong;
static void expect(const char *what, double is, double expected)
{
    bool same = is == expected || (is != is && expected != expected);
    if (same && (is != 0 || std::signbit(is) == std::signbit(expected))) return;
    if (wrong++ < 30) printf("%s = %.17g: expected %.17g\n", what, is, expected);
}

// ---- the meaning, in doubles ----

static double whole_of(double value, int rounding)
{
    double (*const of[])(double) = {std::nearbyint, std::trunc, std::floor, std::ceil};
    return of[rounding](value);
}
template <typename Kind> static double rounded(double value, int rounding = RN)
{
    if (value == 0 || !std::isfinite(value)) return value;
    int exponent;
    std::frexp(value, &exponent);
    int step = std::max(exponent - Kind::bits, Kind::least);
    double result = std::ldexp(whole_of(std::ldexp(value, -step), rounding), step);
    if (std::fabs(result) <= Kind::most()) return std::copysign(result, value);
    bool down = rounding == RZ || rounding == (value > 0 ? RD : RU);
    return std::copysign(down ? Kind::most() : INFINITY, value);
}
// An integer type's value: no further than its ends. A NaN is 0, or, of 64 bits, the highest bit.
template <typename Integer> static double clipped(double value, int rounding)
{
    double least = (double)std::numeric_limits<Integer>::min();
    double most = (double)std::numeric_limits<Integer>::max();
    if (value != value) return sizeof(Integer) < 8 ? 0 : least < 0 ? least : -(double)INT64_MIN;
    return std::max(least, std::min(most, whole_of(value, rounding))) + 0.0;
}

// ---- conversions ----

template <typename Kind>
WHERE void convert_all(const Source &s, Converted<typename Kind::T> *to)
{
    Kind::convert(s, &to[RN], std::integral_constant<int, RN>());
    Kind::convert(s, &to[RZ], std::integral_constant<int, RZ>());
    Kind::convert(s, &to[RD], std::integral_constant<int, RD>());
    Kind::convert(s, &to[RU], std::integral_constant<int, RU>());
}
template <typename Kind>
__global__ void conversions(const Source *sources, Converted<typename Kind::T> *to,
                            typename Kind::T *of_double)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    convert_all<Kind>(sources[i], to + ROUNDINGS * i);
    of_double[i] = Kind::of(sources[i].precise);
}
// An integer as double, which has fewer bits: the lost ones are set as one.
static double of_integer(long long value)
{
    unsigned long long size = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    double result = std::ldexp((double)(size >> 12 | ((size & 4095) != 0)), 12);
    if (size < 1ull << 52) result = (double)size;
    return value < 0 ? -result : result;
}
static double of_unsigned(unsigned long long value)
{
    return value >> 63 ? of_integer((long long)(value >> 1 | (value & 1))) * 2
                       : of_integer((long long)value);
}
template <typename Kind>
static void check_converted(const Source &s, const Converted<typename Kind::T> *c)
{
    double small = (double)(float)Kind::of(s.small);
    for (int r = 0; r < ROUNDINGS; r++) {
        expect("of float", (float)c[r].of[0], rounded<Kind>(s.real, r));
        expect("of int", (float)c[r].of[1], rounded<Kind>((int)s.wide, r));
        expect("of unsigned", (float)c[r].of[2], rounded<Kind>((unsigned)s.wide, r));
        expect("of short", (float)c[r].of[3], rounded<Kind>((short)s.wide, r));
        expect("of unsigned short", (float)c[r].of[4], rounded<Kind>((unsigned short)s.wide, r));
        expect("of long long", (float)c[r].of[5], rounded<Kind>(of_integer(s.wide), r));
        expect("of unsigned long long", (float)c[r].of[6],
               rounded<Kind>(of_unsigned((unsigned long long)s.wide), r));
        expect("to int", (double)c[r].whole[0], clipped<int>(small, r));
        expect("to unsigned", (double)c[r].whole[1], clipped<unsigned>(small, r));
        expect("to short", (double)c[r].whole[2], clipped<short>(small, r));
        expect("to unsigned short", (double)c[r].whole[3], clipped<unsigned short>(small, r));
        expect("to long long", (double)c[r].whole[4], clipped<long long>(small, r));
        expect("to unsigned long long", (double)c[r].unsigned_whole,
               clipped<unsigned long long>(small, r));
    }
}
template <typename Kind> static void try_conversions()
{
    enum { COUNT = 1024 };
    typedef typename Kind::T T;
    Random random(21);
    std::vector<Source> sources(COUNT);
    for (int i = 0; i < COUNT; i++) {
        Source &s = sources[i];
        s.real = std::ldexp(random.unit() - 0.5f, (int)random.below(60) - 30);
        s.small = std::ldexp(random.unit() - 0.5f, (int)random.below(40));
        s.precise = std::ldexp(1 + (double)random.below(4096) / 2048, (int)random.below(40) - 28);
        if (i % 3 == 0) s.precise += std::ldexp(s.precise, -40); // just above a tie
        s.wide = (long long)((unsigned long long)random.next() << 32 | random.next());
        s.wide >>= random.below(63);
        if (i % 4 == 0) s.wide = (1ll << (16 + i % 40)) + (1ll << (8 + i % 40)) + (i & 1);
    }
    float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-30f, -1e-30f, 65519.9f, 65520.0f,
                       3.39e38f, -3.4e38f, 1e-45f};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        sources[i].real = sources[i].small = special[i], sources[i].precise = special[i];
    Buffer<Source> in(sources);
    Buffer<Converted<T>> out(ROUNDINGS * COUNT);
    Buffer<T> of_double(COUNT);
    conversions<Kind><<<COUNT / 128, 128>>>(in, out, of_double);
    LAUNCHED();
    std::vector<Converted<T>> got = out.get();
    std::vector<T> doubles = of_double.get();
    for (int i = 0; i < COUNT; i++) {
#if defined(__clang__)
        Converted<T> host[ROUNDINGS];
        convert_all<Kind>(sources[i], host);
        check_converted<Kind>(sources[i], host);
#endif
        check_converted<Kind>(sources[i], &got[ROUNDINGS * i]);
        expect("of double", (float)doubles[i], rounded<Kind>(sources[i].precise));
        expect("of double, on the host", (float)Kind::of(sources[i].precise),
               rounded<Kind>(sources[i].precise));
    }
}

// ---- arithmetic and comparisons ----

template <typename Kind> struct Combined {
    typename Kind::T sum, difference, product, quotient, least, most, least_nan, clipped_sum, relu;
    unsigned compared, masks;
};
template <typename Kind>
__host__ __device__ void combine(typename Kind::T a, typename Kind::T b, Combined<Kind> *c)
{
    typedef typename Kind::T2 T2;
    c->sum = a + b;
    c->difference = __hsub(a, b);
    c->product = a * b;
    c->quotient = a / b;
    c->least = __hmin(a, b);
    c->most = __hmax(a, b);
    c->least_nan = __hmin_nan(a, b);
    c->clipped_sum = __hadd_sat(a, b);
#if defined(__clang__)
    c->relu = __hfma_relu(a, Kind::of(1), b);
#else
    c->relu = __hmax_nan(a + b, Kind::of(0));
#endif
    bool all[] = {__heq(a, b),  __hne(a, b),  __hlt(a, b),  __hle(a, b),  __hgt(a, b), __hge(a, b),
                  __hequ(a, b), __hneu(a, b), __hltu(a, b), __hleu(a, b), __hgtu(a, b),
                  __hgeu(a, b)};
    c->compared = 0;
    for (int i = 0; i < 12; i++) c->compared |= (unsigned)all[i] << i;
    T2 x(a, b), y(b, b);
    c->masks = (__hlt2_mask(x, y) & 0xffff) | (unsigned)__hbeq2(x, y) << 16 |
               (unsigned)__hbleu2(x, y) << 17 | (unsigned)((float)__hge2(x, y).x == 1) << 18;
}
template <typename Kind>
__global__ void combinations(const typename Kind::T *a, const typename Kind::T *b,
                             Combined<Kind> *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    combine<Kind>(a[i], b[i], out + i);
}
template <typename Kind>
static void check_combined(double a, double b, const Combined<Kind> &c)
{
    bool nan = a != a || b != b;
    double sum = rounded<Kind>(a + b);
    expect("sum", (float)c.sum, sum);
    expect("difference", (float)c.difference, rounded<Kind>(a - b));
    expect("product", (float)c.product, rounded<Kind>(a * b));
    expect("quotient", (float)c.quotient, rounded<Kind>(a / b));
    if (a != 0 || b != 0) {
        expect("least", (float)c.least, std::fmin(a, b));
        expect("most", (float)c.most, std::fmax(a, b));
        expect("least or NaN", (float)c.least_nan, nan ? NAN : std::fmin(a, b));
        expect("clipped sum", (float)c.clipped_sum, sum > 0 ? std::min(sum, 1.0) : 0.0);
        if (sum != 0) expect("relu", (float)c.relu, sum != sum ? NAN : sum > 0 ? sum : 0.0);
    }
    bool all[] = {a == b, !nan && a != b, a < b, a <= b, a > b, a >= b};
    unsigned bits = 0;
    for (int i = 0; i < 6; i++)
        bits |= (unsigned)all[i] << i | (unsigned)(all[i] || nan) << (6 + i);
    expect("comparisons", c.compared, bits);
    unsigned masks = (a < b ? 0xffffu : 0) | (unsigned)(a == b && b == b) << 16 |
                     (unsigned)(nan || a <= b) << 17 | (unsigned)(a >= b) << 18;
    expect("masks", c.masks, masks);
}
template <typename Kind> static void try_combinations()
{
    enum { COUNT = 2048 };
    typedef typename Kind::T T;
    Random random(22);
    std::vector<T> a(COUNT), b(COUNT);
    for (int i = 0; i < COUNT; i++) {
        a[i] = Kind::of_bits((unsigned short)random.next());
        b[i] = i % 2 ? Kind::of_bits((unsigned short)random.next())
                     : Kind::of((float)a[i] * (1 + random.unit() / 16));
        if (i % 37 == 0) b[i] = a[i];
        if (i % 41 == 0) b[i] = Kind::of(0);
        if (i % 43 == 0) a[i] = Kind::of(NAN);
    }
    Buffer<T> da(a), db(b);
    Buffer<Combined<Kind>> out(COUNT);
    combinations<Kind><<<COUNT / 128, 128>>>(da, db, out);
    LAUNCHED();
    std::vector<Combined<Kind>> got = out.get();
    for (int i = 0; i < COUNT; i++) {
        Combined<Kind> host;
        combine<Kind>(a[i], b[i], &host);
        check_combined<Kind>((float)a[i], (float)b[i], host);
        check_combined<Kind>((float)a[i], (float)b[i], got[i]);
    }
}

// ---- functions, shuffles, atomics ----

template <typename Kind>
__global__ void others(typename Kind::T *sum, typename Kind::T2 *pair, typename Kind::T *out,
                       unsigned *bad)
{
    typedef typename Kind::T T;
    typedef typename Kind::T2 T2;
    int i = (int)threadIdx.x;
    atomicAdd(sum, Kind::of(0.5));
    atomicAdd(pair, Kind::both(1, 2));
    T mine = Kind::of(i);
    T2 two = Kind::both((float)i, (float)-i);
    T next = __shfl_down_sync(0xffffffffu, mine, 1);
    T2 other = __shfl_xor_sync(0xffffffffu, two, 1);
    if (i < 31 && (float)next != (float)(i + 1)) atomicAdd(bad, 1u);
    if (__low2float(other) != (float)(i ^ 1) || __high2float(other) != (float)-(i ^ 1))
        atomicAdd(bad, 1u);
    T2 swapped = __lowhigh2highlow(two);
    if ((float)swapped.y != (float)i || (float)__habs2(two).y != (float)i) atomicAdd(bad, 1u);
#if defined(__clang__) // nvcc has it for bfloat16 from sm_80 on
    T2 product = __hcmadd(Kind::both(1, 2), Kind::both(3, 4), Kind::both(10, 20));
    if ((float)product.x != 5 || (float)product.y != 30) atomicAdd(bad, 1u); // -5 + 10, 10 + 20
#endif
    // 4 + 1 / 2 - 2 + 8 + 1 / 2 + 2
    __stcg(out + i, __ldcg(out + i) + hsqrt(Kind::of(16)) + hrcp(Kind::of(2)) +
                        htrunc(Kind::of(-2.5)) + hexp2(Kind::of(3)) +
                        h2rsqrt(Kind::both(4, 1)).x + hceil(Kind::of(1.25)));
}
template <typename Kind> static void try_others()
{
    Buffer<typename Kind::T> sum(1), out(32);
    Buffer<typename Kind::T2> pair(1);
    Buffer<unsigned> bad(1);
    others<Kind><<<1, 32>>>(sum, pair, out, bad);
    LAUNCHED();
    expect("bad", bad.get()[0], 0);
    expect("functions", (float)out.get()[31], 13);
    expect("atomic sum", (float)sum.get()[0], 16);
    expect("atomic pair, low", (float)pair.get()[0].x, 32);
    expect("atomic pair, high", (float)pair.get()[0].y, 64);
}

template <typename Kind> static void try_all()
{
    for (unsigned i = 0; i < 65536; i++) { // of each value, the value
        typename Kind::T value = Kind::of_bits((unsigned short)i);
        if ((float)value == (float)value && Kind::bits_of(Kind::of((float)value)) != i) wrong++;
    }
    try_conversions<Kind>();
    try_combinations<Kind>();
    try_others<Kind>();
}

int main()
{
    try_all<Half>();
    int halves = wrong;
    try_all<Bfloat>();
    return verdict(!wrong, "%d wrong of half, %d of bfloat16", halves, wrong - halves);
}
