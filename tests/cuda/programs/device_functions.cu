// Device functions that few programs call: bits of a mask, shifts that clamp, address spaces, loads
// and stores with cache operators of all types, atomics that wrap around, votes of a block, and
// special functions of float.
#include "check.h"

static __device__ int failed;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            atomicAdd(&failed, 1);                                                                 \
            printf("line %d: " #condition "\n", __LINE__);                                         \
        }                                                                                          \
    } while (0)

// Arguments come from memory, so that the compiler cannot fold the calls.
__global__ void bits(const unsigned *a, const unsigned long long *l)
{
    // a[0] has the bits 0, 2, 3 and 5; __fns finds the nth from a bit on, or down.
    EXPECT(__fns(a[0], 0, 2) == 2 && __fns(a[0], 2, 1) == 2 && __fns(a[0], 3, 2) == 5);
    EXPECT(__fns(a[0], 5, -2) == 3 && __fns(a[0], 0, 5) == 0xffffffff);
    EXPECT(__fns(a[0], 1, 0) == 0xffffffff && __fns(a[0], 2, 0) == 2);
    EXPECT(__funnelshift_rc(a[1], a[2], 4) == 0x01234567);
    EXPECT(__funnelshift_rc(a[1], a[2], 40) == a[2]);
    EXPECT(__funnelshift_lc(a[1], a[2], 4) == 0xabcdef01);
    EXPECT(__funnelshift_lc(a[1], a[2], 33) == a[1]);
    EXPECT(__rhadd(-3, 2) == 0 && __urhadd(7, 10) == 9 && __uhadd(7, 10) == 8);
    EXPECT(__clzll((long long)l[0]) == 16 && __popcll(l[0]) == 4 && __ffsll((long long)l[0]) == 1);
    EXPECT(__brevll(l[0]) == 0x8400000000030000);
    EXPECT(__umul64hi(l[1], l[1]) == 0xfffffffffffffffe && __uint_as_float(a[3]) == 1.0f);
    EXPECT(__float_as_uint(1.0f) == a[3] && __longlong_as_double((long long)l[2]) == 2.0);
#if defined(__clang__)
    __builtin_assume(a[0] > 0);
#endif
    __prof_trigger(1); // counts an event for a profiler
    if (a[0] == 1) __brkpt();
    if (a[0] == 2) __trap();
    if (a[0] == 3) __builtin_unreachable();
}

static __constant__ int fixed = 3;
__global__ void spaces(int *global)
{
    __shared__ int shared;
    int local[2] = {5, 6};
    if (threadIdx.x == 0) shared = 4;
    __syncthreads();
    EXPECT(__isGlobal(global) && !__isShared(global) && !__isLocal(global));
    EXPECT(__isShared(&shared) && !__isGlobal(&shared));
    EXPECT(__isLocal(&local[global[0]]) && !__isShared(local));
    EXPECT(__isConstant(&fixed) && !__isConstant(global));
    EXPECT(*(int *)__cvta_shared_to_generic(__cvta_generic_to_shared(&shared)) == 4);
    EXPECT(*(int *)__cvta_local_to_generic(__cvta_generic_to_local(&local[1])) == 6);
    EXPECT(__cvta_generic_to_global(global) == (size_t)global);
    EXPECT(*(int *)__cvta_constant_to_generic(__cvta_generic_to_constant(&fixed)) == 3);
}

template <typename T> static __device__ bool same(T a, T b)
{
    const char *x = (const char *)&a, *y = (const char *)&b;
    for (size_t i = 0; i < sizeof a; i++)
        if (x[i] != y[i]) return false;
    return true;
}
// Each store writes another value into an element between two others, which stay.
template <typename T> static __device__ void access(unsigned char *memory)
{
    T *at = (T *)memory + 1, values[4];
    for (size_t i = 0; i < sizeof values; i++) ((char *)values)[i] = (char)(37 * i + 11);
    at[-1] = at[1] = values[0];
    __stwb(at, values[1]);
    EXPECT(same(__ldca(at), values[1]) && same(__ldlu(at), values[1]));
    __stcg(at, values[2]);
    EXPECT(same(__ldcg(at), values[2]) && same(__ldcs(at), values[2]));
    __stcs(at, values[3]);
    EXPECT(same(__ldcv(at), values[3]));
    __stwt(at, values[1]);
    EXPECT(same(__ldcv(at), values[1]) && same(at[-1], values[0]) && same(at[1], values[0]));
}
__global__ void operators(unsigned char *m)
{
    access<char>(m), access<signed char>(m), access<unsigned char>(m), access<short>(m);
    access<unsigned short>(m), access<int>(m), access<unsigned>(m), access<long>(m);
    access<unsigned long>(m), access<long long>(m), access<unsigned long long>(m);
    access<float>(m), access<double>(m), access<char2>(m), access<char4>(m), access<uchar2>(m);
    access<uchar4>(m), access<short2>(m), access<short4>(m), access<ushort2>(m);
    access<ushort4>(m), access<int2>(m), access<int4>(m), access<uint2>(m), access<uint4>(m);
    access<longlong2>(m), access<ulonglong2>(m), access<float2>(m), access<float4>(m);
    access<double2>(m);
}

__global__ void wrapping(unsigned *at) // 3, 5, 0, 9, 6
{
    EXPECT(atomicInc(&at[0], 5) == 3 && at[0] == 4);
    EXPECT(atomicInc(&at[1], 5) == 5 && at[1] == 0);
    EXPECT(atomicDec(&at[2], 6) == 0 && at[2] == 6);
    EXPECT(atomicDec(&at[3], 6) == 9 && at[3] == 6);
    EXPECT(atomicXor_system(&at[4], 3) == 6 && at[4] == 5);
}

__global__ void votes()
{
    int i = (int)threadIdx.x;
    EXPECT(__syncthreads_count(i < 10) == 10);
    EXPECT(__syncthreads_or(i == 63) != 0 && __syncthreads_or(i == 64) == 0);
    EXPECT(__syncthreads_and(i < 64) != 0 && __syncthreads_and(i < 63) == 0);
    EXPECT((__activemask() >> (i & 31) & 1) == 1);
}

static __device__ bool near(float is, float expected)
{
    return fabsf(is - expected) <= 3e-6f * fmaxf(1, fabsf(expected));
}
__global__ void special(const float *f) // 1, 2, 3, 0.5, 0.3, 4
{
    EXPECT(near(normcdff(f[0]), 0.84134475f) && near(normcdfinvf(f[3]), 0));
    EXPECT(near(erfcinvf(f[3]), 0.47693628f) && near(erfinvf(f[3]), 0.47693628f));
    EXPECT(near(erfcxf(f[0]), 0.42758358f) && near(rhypotf(f[0], f[1]), 0.44721360f));
    EXPECT(near(norm3df(f[0], f[1], f[2]), 3.7416574f));
    EXPECT(near(rnorm3df(f[0], f[1], f[2]), 0.26726124f));
    EXPECT(near(norm4df(f[0], f[1], f[2], f[5]), 5.4772256f) && near(rcbrtf(8 * f[0]), 0.5f));
    EXPECT(near(sinpif(f[4]), 0.80901699f) && near(cospif(f[4]), 0.58778525f));
    EXPECT(near(lgammaf(f[2]), 0.69314718f) && near(tgammaf(f[5]), 6));
    EXPECT(near(cyl_bessel_i0f(f[0]), 1.2660659f) && near(cyl_bessel_i1f(f[0]), 0.56515910f));
    EXPECT(near(j0f(f[0]), 0.76519769f) && near(y1f(f[0]), -0.78121282f));
    EXPECT(fabsf(__tanhf(f[3]) - 0.46211716f) < 1e-3f);
    EXPECT(near(__fsqrt_rn(f[1]), 1.4142135f) && __saturatef(f[1]) == 1 && __saturatef(-f[1]) == 0);
    EXPECT(__fmaf_rz(f[0], f[1], f[2]) == 5 && near(__frsqrt_rn(f[5]), 0.5f));
}

int main()
{
    Buffer<unsigned> a(std::vector<unsigned>{0x2d, 0x12345678, 0x9abcdef0, 0x3f800000});
    Buffer<unsigned long long> l(
        std::vector<unsigned long long>{0x0000c00000000021, ~0ull, 1ull << 62});
    Buffer<unsigned> at(std::vector<unsigned>{3, 5, 0, 9, 6});
    Buffer<float> f(std::vector<float>{1, 2, 3, 0.5f, 0.3f, 4});
    Buffer<unsigned char> memory(64);
    Buffer<int> global(1);
    bits<<<1, 1>>>(a, l);
    spaces<<<1, 1>>>(global);
    operators<<<1, 1>>>(memory);
    wrapping<<<1, 1>>>(at);
    votes<<<1, 64>>>();
    special<<<1, 1>>>(f);
    LAUNCHED();
    int wrong;
    CUDA(cudaMemcpyFromSymbol(&wrong, failed, sizeof wrong));
    return verdict(!wrong, "%d wrong", wrong);
}
