// Intrinsics: bit operations, conversions, arithmetic with a named rounding mode, and the fast
// functions of the special function unit.
#include "check.h"

#include <cstring>

static __device__ int failed;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            atomicAdd(&failed, 1);                                                                 \
            printf("line %d: " #condition "\n", __LINE__);                                         \
        }                                                                                          \
    } while (0)

// Arguments come from memory, so that the compiler cannot fold the calls.
__global__ void bits(const unsigned *a, const long long *l)
{
    EXPECT(__popc(a[0]) == 16 && __popcll(l[0]) == 8);
    EXPECT(__clz((int)a[1]) == 15 && __clz(0) == 32 && __clzll(l[1]) == 31);
    EXPECT(__ffs((int)a[1]) == 17 && __ffs(0) == 0 && __ffsll(l[1]) == 33);
    EXPECT(__brev(a[1]) == 0x00008000u && __brevll(1ULL) == 1ULL << 63);
    EXPECT(__byte_perm(0x33221100u, 0x77665544u, a[2]) == 0x77005511u);
    EXPECT(__funnelshift_l(a[0], a[1], 8) == ((a[1] << 8) | (a[0] >> 24)));
    EXPECT(__funnelshift_r(a[0], a[1], 8) == ((a[1] << 24) | (a[0] >> 8)));
    EXPECT(__mulhi((int)a[3], 4) == -2 && __umulhi(a[3], 4u) == 2u);
    EXPECT(__mul64hi(l[1], l[1]) == 1 && __umul64hi(~0ULL, ~0ULL) == ~1ULL);
    EXPECT(__mul24((int)a[4], 3) == 3 * 0x123456 && __umul24(a[4], 3u) == 3u * 0x123456u);
    EXPECT(__sad((int)a[5], -7, 100) == 117 && __usad(a[5], 30u, 1u) == 21u);
    EXPECT(__hadd(7, 10) == 8 && __rhadd(7, 10) == 9 && __uhadd(0xffffffffu, 1u) == 0x80000000u);
    EXPECT(abs(-(int)a[5]) == 10 && min(3, -4) == -4 && max(3u, 4u) == 4u);
}

__global__ void conversions(const float *f, const double *d)
{
    EXPECT(__float2int_rn(f[0]) == 2 && __float2int_rz(f[0]) == 2 && __float2int_ru(f[0]) == 3);
    EXPECT(__float2int_rd(f[1]) == -4 && __float2int_rn(f[1]) == -4 && __float2int_rz(f[1]) == -3);
    EXPECT(__float2uint_rn(f[2]) == 3000000000u && __float2ll_rz(f[3]) == -5000000512LL);
    EXPECT(__double2int_rn(d[0]) == 2 && __double2ll_ru(d[1]) == 1000000000001LL);
    EXPECT(__int2float_rz(16777219) == 16777218.0f && __int2float_ru(16777217) == 16777218.0f);
    EXPECT(__double2float_rd(d[2]) < d[2] && __double2float_ru(d[2]) > d[2]);
    EXPECT(__float_as_int(f[4]) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
    EXPECT(__double2hiint(d[3]) == 0x3ff80000 && __double2loint(d[3]) == 0);
    EXPECT(__hiloint2double(0x40080000, 0) == 3.0 && __double_as_longlong(1.0) == 0x3ffLL << 52);
    EXPECT((int)f[5] == 0x7fffffff && __saturatef(f[2]) == 1.0f && __saturatef(f[1]) == 0.0f);
}

__global__ void roundings(const float *f, const double *d)
{
    EXPECT(__fadd_ru(f[4], f[6]) > 1.0f && __fadd_rd(f[4], f[6]) == 1.0f &&
           __fadd_rn(f[4], f[6]) == 1.0f);
    EXPECT(__fmul_rd(f[7], f[7]) < __fmul_ru(f[7], f[7]) && __fsub_rz(f[4], f[6]) < 1.0f);
    EXPECT(__fdiv_rd(f[4], 3.0f) < __fdiv_ru(f[4], 3.0f) && __fdiv_rn(f[8], 4.0f) == 2.5f);
    EXPECT(__frcp_rd(3.0f) < __frcp_ru(3.0f) && __fsqrt_rd(f[9]) < __fsqrt_ru(f[9]));
    EXPECT(__fmaf_rn(f[7], f[7], -__fmul_rn(f[7], f[7])) != 0.0f && __frsqrt_rn(4.0f) == 0.5f);
    EXPECT(__dadd_ru(d[4], d[5]) > 1.0 && __dadd_rn(d[4], d[5]) == 1.0);
    EXPECT(__dmul_rd(d[2], d[2]) < __dmul_ru(d[2], d[2]) && __ddiv_rn(d[4], 4.0) == 0.25);
    EXPECT(__drcp_rn(4.0) == 0.25 && __dsqrt_rn(9.0) == 3.0 && __fma_rz(2.0, 3.0, 1.0) == 7.0);
}

__global__ void fast(const float *f)
{
    EXPECT(fabsf(__expf(f[4]) - 2.7182818f) < 1e-5f && fabsf(__logf(f[8]) - 2.3025851f) < 1e-5f);
    EXPECT(fabsf(__sinf(f[4]) - 0.84147098f) < 1e-5f && fabsf(__cosf(f[4]) - 0.54030231f) < 1e-5f);
    EXPECT(fabsf(__tanf(f[4]) - 1.5574077f) < 1e-4f &&
           fabsf(__powf(f[8], 0.5f) - 3.1622777f) < 1e-4f);
    EXPECT(__fdividef(f[8], 4.0f) == 2.5f && fabsf(__log2f(f[8]) - 3.3219281f) < 1e-5f);
    EXPECT(fabsf(__exp10f(f[4]) - 10.0f) < 1e-4f && fabsf(__log10f(f[8]) - 1.0f) < 1e-6f);
    float s, c;
    __sincosf(f[4], &s, &c);
    EXPECT(fabsf(s * s + c * c - 1.0f) < 1e-5f);
}

__global__ void clocks(unsigned long long *out)
{
    long long begin = clock64();
    unsigned low = (unsigned)clock();
    for (int i = 0; i < 10; i++) __threadfence();
    __nanosleep(2000);
    long long end = clock64();
    out[0] = (unsigned long long)(end - begin);
    EXPECT(end - begin > 100 && (unsigned)clock() != low);
    EXPECT(__isGlobal(out) && !__isShared(out));
}

int main()
{
    unsigned a[] = {0xffff0000u, 0x00010000u, 0x7051, 0x80000000u, 0x123456, 10};
    long long l[] = {0xff, 1LL << 32};
    float f[] = {2.5f, -3.5f, 3e9f, -5000000512.0f, 1.0f, 1e20f, 1e-10f, 1.0000001f, 10.0f, 2.0f};
    double d[] = {2.5, 1000000000000.5, 0.1, 1.5, 1.0, 1e-20};
    Buffer<unsigned> da(std::vector<unsigned>(a, a + 6));
    Buffer<long long> dl(std::vector<long long>(l, l + 2));
    Buffer<float> df(std::vector<float>(f, f + 10));
    Buffer<double> dd(std::vector<double>(d, d + 6));
    Buffer<unsigned long long> ticks(1);
    bits<<<1, 1>>>(da, dl);
    conversions<<<1, 1>>>(df, dd);
    roundings<<<1, 1>>>(df, dd);
    fast<<<1, 1>>>(df);
    clocks<<<1, 1>>>(ticks);
    LAUNCHED();
    int wrong;
    CUDA(cudaMemcpyFromSymbol(&wrong, failed, sizeof wrong));
    return verdict(!wrong, "%d wrong", wrong);
}
