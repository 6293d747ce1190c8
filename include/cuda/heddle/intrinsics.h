// The simple device functions (__nv_...) that clang's own CUDA headers are built on: each is one
// PTX instruction or a few.
#ifndef HEDDLE_CUDA_INTRINSICS_H
#define HEDDLE_CUDA_INTRINSICS_H

#define HEDDLE_DEVICE static __device__ __inline__ __attribute__((always_inline))

// One PTX instruction of one, two or three operands; the letters are inline assembly's.
#define HEDDLE_PTX_1(name, ptx, result, r, type, t)                                                \
    HEDDLE_DEVICE result name(type a)                                                              \
    {                                                                                              \
        result value;                                                                              \
        asm(ptx " %0, %1;" : "=" r(value) : t(a));                                                 \
        return value;                                                                              \
    }
#define HEDDLE_PTX_2(name, ptx, type, t)                                                           \
    HEDDLE_DEVICE type name(type a, type b)                                                        \
    {                                                                                              \
        type value;                                                                                \
        asm(ptx " %0, %1, %2;" : "=" t(value) : t(a), t(b));                                       \
        return value;                                                                              \
    }
#define HEDDLE_PTX_3(name, ptx, type, t)                                                           \
    HEDDLE_DEVICE type name(type a, type b, type c)                                                \
    {                                                                                              \
        type value;                                                                                \
        asm(ptx " %0, %1, %2, %3;" : "=" t(value) : t(a), t(b), t(c));                             \
        return value;                                                                              \
    }

// ---- bits ----

HEDDLE_DEVICE int __nv_float_as_int(float a)
{
    return __builtin_bit_cast(int, a);
}
HEDDLE_DEVICE unsigned __nv_float_as_uint(float a)
{
    return __builtin_bit_cast(unsigned, a);
}
HEDDLE_DEVICE float __nv_int_as_float(int a)
{
    return __builtin_bit_cast(float, a);
}
HEDDLE_DEVICE float __nv_uint_as_float(unsigned a)
{
    return __builtin_bit_cast(float, a);
}
HEDDLE_DEVICE long long __nv_double_as_longlong(double a)
{
    return __builtin_bit_cast(long long, a);
}
HEDDLE_DEVICE double __nv_longlong_as_double(long long a)
{
    return __builtin_bit_cast(double, a);
}
HEDDLE_DEVICE int __nv_double2hiint(double a)
{
    return (int)(__builtin_bit_cast(long long, a) >> 32);
}
HEDDLE_DEVICE int __nv_double2loint(double a)
{
    return (int)__builtin_bit_cast(long long, a);
}
HEDDLE_DEVICE double __nv_hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double, ((long long)high << 32) | (unsigned)low);
}

HEDDLE_PTX_1(__nv_brev, "brev.b32", int, "r", int, "r")
HEDDLE_PTX_1(__nv_brevll, "brev.b64", long long, "l", long long, "l")
HEDDLE_PTX_1(__nv_clz, "clz.b32", int, "r", int, "r")
HEDDLE_PTX_1(__nv_clzll, "clz.b64", int, "r", long long, "l")
HEDDLE_DEVICE int __nv_popc(int a)
{
    return __builtin_popcount((unsigned)a);
}
HEDDLE_DEVICE int __nv_popcll(long long a)
{
    return __builtin_popcountll((unsigned long long)a);
}
HEDDLE_DEVICE int __nv_ffs(int a)
{
    return 32 - __nv_clz(a & -a);
}
HEDDLE_DEVICE int __nv_ffsll(long long a)
{
    return 64 - __nv_clzll(a & -a);
}
HEDDLE_PTX_3(__nv_byte_perm, "prmt.b32", int, "r")

// ---- integers ----

HEDDLE_DEVICE int __nv_abs(int a)
{
    return a < 0 ? -a : a;
}
HEDDLE_DEVICE long long __nv_llabs(long long a)
{
    return a < 0 ? -a : a;
}
HEDDLE_DEVICE int __nv_min(int a, int b)
{
    return a < b ? a : b;
}
HEDDLE_DEVICE int __nv_max(int a, int b)
{
    return a > b ? a : b;
}
HEDDLE_DEVICE unsigned __nv_umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
HEDDLE_DEVICE unsigned __nv_umax(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
HEDDLE_DEVICE long long __nv_llmin(long long a, long long b)
{
    return a < b ? a : b;
}
HEDDLE_DEVICE long long __nv_llmax(long long a, long long b)
{
    return a > b ? a : b;
}
HEDDLE_DEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
HEDDLE_DEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
HEDDLE_DEVICE int __nv_mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}
HEDDLE_DEVICE unsigned __nv_umulhi(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a * b) >> 32);
}
HEDDLE_PTX_2(__nv_mul64hi, "mul.hi.s64", long long, "l")
HEDDLE_PTX_2(__nv_umul64hi, "mul.hi.u64", unsigned long long, "l")
HEDDLE_PTX_2(__nv_mul24, "mul24.lo.s32", int, "r")
HEDDLE_PTX_2(__nv_umul24, "mul24.lo.u32", unsigned, "r")
HEDDLE_PTX_3(__nv_sad, "sad.s32", int, "r")
HEDDLE_PTX_3(__nv_usad, "sad.u32", unsigned, "r")
HEDDLE_DEVICE int __nv_hadd(int a, int b)
{
    return (a & b) + ((a ^ b) >> 1);
}
HEDDLE_DEVICE int __nv_rhadd(int a, int b)
{
    return (a | b) - ((a ^ b) >> 1);
}
HEDDLE_DEVICE unsigned __nv_uhadd(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1);
}
HEDDLE_DEVICE unsigned __nv_urhadd(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1);
}

// ---- arithmetic with its rounding named: rn nearest, rz to zero, rd down, ru up ----

#define HEDDLE_ROUNDED(ours, ptx)                                                                  \
    HEDDLE_PTX_2(__nv_fadd_##ours, "add." ptx ".f32", float, "f")                                  \
    HEDDLE_PTX_2(__nv_fsub_##ours, "sub." ptx ".f32", float, "f")                                  \
    HEDDLE_PTX_2(__nv_fmul_##ours, "mul." ptx ".f32", float, "f")                                  \
    HEDDLE_PTX_2(__nv_fdiv_##ours, "div." ptx ".f32", float, "f")                                  \
    HEDDLE_PTX_3(__nv_fmaf_##ours, "fma." ptx ".f32", float, "f")                                  \
    HEDDLE_PTX_3(__nv_fmaf_ieee_##ours, "fma." ptx ".f32", float, "f")                             \
    HEDDLE_PTX_1(__nv_frcp_##ours, "rcp." ptx ".f32", float, "f", float, "f")                      \
    HEDDLE_PTX_1(__nv_fsqrt_##ours, "sqrt." ptx ".f32", float, "f", float, "f")                    \
    HEDDLE_PTX_2(__nv_dadd_##ours, "add." ptx ".f64", double, "d")                                 \
    HEDDLE_PTX_2(__nv_dsub_##ours, "sub." ptx ".f64", double, "d")                                 \
    HEDDLE_PTX_2(__nv_dmul_##ours, "mul." ptx ".f64", double, "d")                                 \
    HEDDLE_PTX_2(__nv_ddiv_##ours, "div." ptx ".f64", double, "d")                                 \
    HEDDLE_PTX_3(__nv_fma_##ours, "fma." ptx ".f64", double, "d")                                  \
    HEDDLE_PTX_1(__nv_drcp_##ours, "rcp." ptx ".f64", double, "d", double, "d")                    \
    HEDDLE_PTX_1(__nv_dsqrt_##ours, "sqrt." ptx ".f64", double, "d", double, "d")                  \
    HEDDLE_PTX_1(__nv_double2float_##ours, "cvt." ptx ".f32.f64", float, "f", double, "d")         \
    HEDDLE_PTX_1(__nv_int2float_##ours, "cvt." ptx ".f32.s32", float, "f", int, "r")               \
    HEDDLE_PTX_1(__nv_uint2float_##ours, "cvt." ptx ".f32.u32", float, "f", unsigned, "r")         \
    HEDDLE_PTX_1(__nv_ll2float_##ours, "cvt." ptx ".f32.s64", float, "f", long long, "l")          \
    HEDDLE_PTX_1(__nv_ull2float_##ours, "cvt." ptx ".f32.u64", float, "f", unsigned long long,     \
                 "l")                                                                              \
    HEDDLE_PTX_1(__nv_ll2double_##ours, "cvt." ptx ".f64.s64", double, "d", long long, "l")        \
    HEDDLE_PTX_1(__nv_ull2double_##ours, "cvt." ptx ".f64.u64", double, "d", unsigned long long,   \
                 "l")
HEDDLE_ROUNDED(rn, "rn")
HEDDLE_ROUNDED(rz, "rz")
HEDDLE_ROUNDED(rd, "rm")
HEDDLE_ROUNDED(ru, "rp")

#define HEDDLE_TO_WHOLE(ours, ptx)                                                                 \
    HEDDLE_PTX_1(__nv_float2int_##ours, "cvt." ptx ".s32.f32", int, "r", float, "f")               \
    HEDDLE_PTX_1(__nv_float2uint_##ours, "cvt." ptx ".u32.f32", unsigned, "r", float, "f")         \
    HEDDLE_PTX_1(__nv_float2ll_##ours, "cvt." ptx ".s64.f32", long long, "l", float, "f")          \
    HEDDLE_PTX_1(__nv_float2ull_##ours, "cvt." ptx ".u64.f32", unsigned long long, "l", float,     \
                 "f")                                                                              \
    HEDDLE_PTX_1(__nv_double2int_##ours, "cvt." ptx ".s32.f64", int, "r", double, "d")             \
    HEDDLE_PTX_1(__nv_double2uint_##ours, "cvt." ptx ".u32.f64", unsigned, "r", double, "d")       \
    HEDDLE_PTX_1(__nv_double2ll_##ours, "cvt." ptx ".s64.f64", long long, "l", double, "d")        \
    HEDDLE_PTX_1(__nv_double2ull_##ours, "cvt." ptx ".u64.f64", unsigned long long, "l", double,   \
                 "d")
HEDDLE_TO_WHOLE(rn, "rni")
HEDDLE_TO_WHOLE(rz, "rzi")
HEDDLE_TO_WHOLE(rd, "rmi")
HEDDLE_TO_WHOLE(ru, "rpi")

HEDDLE_DEVICE double __nv_int2double_rn(int a)
{
    return a;
}
HEDDLE_DEVICE double __nv_uint2double_rn(unsigned a)
{
    return a;
}
HEDDLE_PTX_1(__nv_saturatef, "cvt.sat.f32.f32", float, "f", float, "f")

HEDDLE_DEVICE float __nv_half2float(unsigned short a)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a));
    return value;
}
HEDDLE_DEVICE unsigned short __nv_float2half_rn(float a)
{
    unsigned short value;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(value) : "f"(a));
    return value;
}

// ---- results of the special function units: fast, with an error that PTX specifies ----

HEDDLE_PTX_1(heddle_ex2, "ex2.approx.f32", float, "f", float, "f")
HEDDLE_PTX_1(heddle_lg2, "lg2.approx.f32", float, "f", float, "f")
HEDDLE_PTX_1(__nv_fast_sinf, "sin.approx.f32", float, "f", float, "f")
HEDDLE_PTX_1(__nv_fast_cosf, "cos.approx.f32", float, "f", float, "f")
HEDDLE_PTX_2(__nv_fast_fdividef, "div.approx.f32", float, "f")
HEDDLE_PTX_1(__nv_rsqrtf, "rsqrt.approx.f32", float, "f", float, "f")
HEDDLE_DEVICE float __nv_frsqrt_rn(float a)
{
    return (float)__nv_ddiv_rn(1.0, __nv_dsqrt_rn(a));
}
HEDDLE_DEVICE float __nv_fast_expf(float a)
{
    return heddle_ex2(a * 1.44269504f);
}
HEDDLE_DEVICE float __nv_fast_exp10f(float a)
{
    return heddle_ex2(a * 3.32192809f);
}
HEDDLE_DEVICE float __nv_fast_log2f(float a)
{
    return heddle_lg2(a);
}
HEDDLE_DEVICE float __nv_fast_logf(float a)
{
    return heddle_lg2(a) * 0.693147181f;
}
HEDDLE_DEVICE float __nv_fast_log10f(float a)
{
    return heddle_lg2(a) * 0.301029996f;
}
HEDDLE_DEVICE float __nv_fast_powf(float a, float b)
{
    return heddle_ex2(b * heddle_lg2(a));
}
HEDDLE_DEVICE float __nv_fast_tanf(float a)
{
    return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a));
}
HEDDLE_DEVICE void __nv_fast_sincosf(float a, float *sine, float *cosine)
{
    *sine = __nv_fast_sinf(a);
    *cosine = __nv_fast_cosf(a);
}

#endif
