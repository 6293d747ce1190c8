// Floating-point arithmetic on f32 and f64, lane by lane.
//
// The common forms (round to nearest, with or without .ftz, no .sat) use the host's operations.
// Directed rounding and .sat use exact.c, one lane after the other.
#include "exec/ops.h"

#include "exec/approx.h"
#include "exec/exact.h"

// ---- round to nearest ----

#define FLUSH2(expr_of) f32_flush(f32_canonical(expr_of(f32_flush(a), f32_flush(b))))
#define PLUS(a, b) ((a) + (b))
#define MINUS(a, b) ((a) - (b))
#define TIMES(a, b) ((a) * (b))
#define OVER(a, b) ((a) / (b))

#define ARITHMETIC(name, expr_of)                                                                  \
    OP2(name##_f32, f32, f32, f32, f32_canonical(expr_of(a, b)))                                   \
    OP2(name##_f32_ftz, f32, f32, f32, FLUSH2(expr_of))                                            \
    OP2(name##_f64, f64, f64, f64, f64_canonical(expr_of(a, b)))
ARITHMETIC(add, PLUS)
ARITHMETIC(sub, MINUS)
ARITHMETIC(mul, TIMES)
ARITHMETIC(div, OVER)

// The host's fused multiply-add if it has one; otherwise exact.c, because the library's may be
// inexact or slow.
#ifdef __FMA__
OPS_INLINE float fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
OPS_INLINE double fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
static float fma_f32(float a, float b, float c)
{
    return f32_from(
        (uint32_t)exact_fma(&format_f32, f32_bits(a), f32_bits(b), f32_bits(c), ROUND_RN));
}
static double fma_f64(double a, double b, double c)
{
    return f64_from(exact_fma(&format_f64, f64_bits(a), f64_bits(b), f64_bits(c), ROUND_RN));
}
#endif
OP3(fma_f32, f32, f32, f32, f32, f32_canonical(fma_f32(a, b, c)))
OP3(fma_f32_ftz, f32, f32, f32, f32,
    f32_flush(f32_canonical(fma_f32(f32_flush(a), f32_flush(b), f32_flush(c)))))
OP3(fma_f64, f64, f64, f64, f64, f64_canonical(fma_f64(a, b, c)))

// With the signs of a contracted sum: UF_NEGATE_A, UF_NEGATE_C.
enum { SIGNS = UF_NEGATE_A | UF_NEGATE_C };
OPS_INLINE uint64_t sign_if(const UOp *op, uint32_t flag, uint64_t sign)
{
    return op->flags & flag ? sign : 0;
}
OPS_INLINE float signed_f32(const UOp *op, uint32_t flag, float x)
{
    return f32_from(f32_bits(x) ^ (uint32_t)sign_if(op, flag, F32_SIGN));
}
OPS_INLINE double signed_f64(const UOp *op, uint32_t flag, double x)
{
    return f64_from(f64_bits(x) ^ sign_if(op, flag, F64_SIGN));
}
#define SIGNED_A(bits) signed_##bits(op, UF_NEGATE_A, a)
#define SIGNED_C(bits) signed_##bits(op, UF_NEGATE_C, c)
OP3(fma_signed_f32, f32, f32, f32, f32, f32_canonical(fma_f32(SIGNED_A(f32), b, SIGNED_C(f32))))
OP3(fma_signed_f32_ftz, f32, f32, f32, f32,
    f32_flush(f32_canonical(
        fma_f32(f32_flush(SIGNED_A(f32)), f32_flush(b), f32_flush(SIGNED_C(f32))))))
OP3(fma_signed_f64, f64, f64, f64, f64, f64_canonical(fma_f64(SIGNED_A(f64), b, SIGNED_C(f64))))

OP1(rcp_f32, f32, f32, f32_canonical(1.0f / a))
OP1(rcp_f32_ftz, f32, f32, f32_flush(f32_canonical(1.0f / f32_flush(a))))
OP1(rcp_f64, f64, f64, f64_canonical(1.0 / a))
OP1(sqrt_f32, f32, f32, f32_canonical(__builtin_sqrtf(a)))
OP1(sqrt_f32_ftz, f32, f32, f32_canonical(__builtin_sqrtf(f32_flush(a))))
OP1(sqrt_f64, f64, f64, f64_canonical(__builtin_sqrt(a)))

// ---- any rounding, .ftz, .sat ----

static uint64_t exact_in(const UOp *op, uint64_t bits)
{
    return op->flags & UF_FTZ ? f32_bits(f32_flush(f32_from((uint32_t)bits))) : bits;
}
static uint64_t exact_out(const UOp *op, uint64_t bits)
{
    if (op->type == PTX_F64)
        return op->flags & UF_SAT ? f64_bits(f64_saturate(f64_from(bits))) : bits;
    float x = f32_from((uint32_t)exact_in(op, bits));
    return f32_bits(op->flags & UF_SAT ? f32_saturate(x) : x);
}

static uint64_t exact_2(const UOp *op, uint64_t a, uint64_t b)
{
    const FloatFormat *f = exact_format(op->type);
    uint64_t sign = op->type == PTX_F64 ? F64_SIGN : F32_SIGN;
    a = exact_in(op, a);
    b = exact_in(op, b);
    switch (op->code) {
    case UOP_ADD: return exact_out(op, exact_add(f, a, b, op->rounding));
    case UOP_SUB: return exact_out(op, exact_add(f, a, b ^ sign, op->rounding));
    case UOP_MUL_LO: return exact_out(op, exact_multiply(f, a, b, op->rounding));
    default: return exact_out(op, exact_divide(f, a, b, op->rounding));
    }
}
static uint64_t exact_1(const UOp *op, uint64_t a)
{
    const FloatFormat *f = exact_format(op->type);
    uint64_t one = op->type == PTX_F64 ? f64_bits(1.0) : f32_bits(1.0f);
    a = exact_in(op, a);
    return exact_out(op, op->code == UOP_RCP ? exact_divide(f, one, a, op->rounding)
                                             : exact_sqrt(f, a, op->rounding));
}
static uint64_t exact_3(const UOp *op, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sign = op->type == PTX_F64 ? F64_SIGN : F32_SIGN;
    a = exact_in(op, a) ^ sign_if(op, UF_NEGATE_A, sign);
    c = exact_in(op, c) ^ sign_if(op, UF_NEGATE_C, sign);
    return exact_out(op, exact_fma(exact_format(op->type), a, exact_in(op, b), c, op->rounding));
}
OP1(exact_1_f32, u32, u32, exact_1(op, a))
OP1(exact_1_f64, u64, u64, exact_1(op, a))
OP2(exact_2_f32, u32, u32, u32, exact_2(op, a, b))
OP2(exact_2_f64, u64, u64, u64, exact_2(op, a, b))
OP3(exact_3_f32, u32, u32, u32, u32, exact_3(op, a, b, c))
OP3(exact_3_f64, u64, u64, u64, u64, exact_3(op, a, b, c))

// ---- order and signs ----

// If one operand is NaN, the other one; if both are, the canonical NaN. -0 is below +0.
OPS_INLINE float min_f32_of(float a, float b)
{
    float r = a < b ? a : b;
    r = a == b ? f32_from(f32_bits(a) | f32_bits(b)) : r;
    r = b != b ? a : r;
    return f32_canonical(r);
}
OPS_INLINE float max_f32_of(float a, float b)
{
    float r = a > b ? a : b;
    r = a == b ? f32_from(f32_bits(a) & f32_bits(b)) : r;
    r = b != b ? a : r;
    return f32_canonical(r);
}
OPS_INLINE double min_f64_of(double a, double b)
{
    double r = a < b ? a : b;
    r = a == b ? f64_from(f64_bits(a) | f64_bits(b)) : r;
    r = b != b ? a : r;
    return f64_canonical(r);
}
OPS_INLINE double max_f64_of(double a, double b)
{
    double r = a > b ? a : b;
    r = a == b ? f64_from(f64_bits(a) & f64_bits(b)) : r;
    r = b != b ? a : r;
    return f64_canonical(r);
}
OP2(min_f32, f32, f32, f32, min_f32_of(a, b))
OP2(max_f32, f32, f32, f32, max_f32_of(a, b))
OP2(min_f32_ftz, f32, f32, f32, min_f32_of(f32_flush(a), f32_flush(b)))
OP2(max_f32_ftz, f32, f32, f32, max_f32_of(f32_flush(a), f32_flush(b)))
OP2(min_f64, f64, f64, f64, min_f64_of(a, b))
OP2(max_f64, f64, f64, f64, max_f64_of(a, b))

// Operate on bits: a NaN keeps its payload.
OP1(abs_f32, u32, u32, a & ~F32_SIGN)
OP1(neg_f32, u32, u32, a ^ F32_SIGN)
OP1(abs_f32_ftz, u32, f32, f32_bits(f32_flush(a)) & ~F32_SIGN)
OP1(neg_f32_ftz, u32, f32, f32_bits(f32_flush(a)) ^ F32_SIGN)
OP1(abs_f64, u64, u64, a & ~F64_SIGN)
OP1(neg_f64, u64, u64, a ^ F64_SIGN)
// The sign of a with the magnitude of b.
OP2(copysign_f32, u32, u32, u32, (a & F32_SIGN) | (b & ~F32_SIGN))
OP2(copysign_f64, u64, u64, u64, (a & F64_SIGN) | (b & ~F64_SIGN))

// ---- approximate functions ----

#define APPROXIMATE(name)                                                                          \
    OP1(name##_f32, f32, f32, approx_##name(a))                                                    \
    OP1(name##_f32_ftz, f32, f32, f32_flush(approx_##name(f32_flush(a))))
APPROXIMATE(ex2)
APPROXIMATE(lg2)
APPROXIMATE(sin)
APPROXIMATE(cos)
APPROXIMATE(tanh)
APPROXIMATE(rsqrt)
OP1(rsqrt_f64, f64, f64, approx_rsqrt_f64(a))

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 use only the upper 32 bits of operand and result.
// Subnormal values count as zeros.
OPS_INLINE uint64_t upper_half(uint64_t bits)
{
    return bits & F64_INFINITY ? bits & ~UINT64_C(0xffffffff) : bits & F64_SIGN;
}
OP1(rcp_upper_f64, u64, u64, upper_half(f64_bits(f64_canonical(1.0 / f64_from(upper_half(a))))))
OP1(rsqrt_upper_f64, u64, u64, upper_half(f64_bits(approx_rsqrt_f64(f64_from(upper_half(a))))))

// ---- rows ----

#define ROW_NEAREST(code, type, needs, also, fn)                                                   \
    {UOP_##code, PTX_##type, PTX_NONE, ANY_MODIFIER, ROUND_RN, needs, also, fn##_some, fn##_full}
// Round to nearest. div, rcp and sqrt with UF_APPROX are computed exactly as without it.
#define NEAREST_ROWS(code, fn)                                                                     \
    ROW_NEAREST(code, F32, 0, UF_APPROX, fn##_f32),                                                \
        ROW_NEAREST(code, F32, UF_FTZ, UF_APPROX, fn##_f32_ftz),                                   \
        ROW_NEAREST(code, F64, 0, 0, fn##_f64)
// After these rows: all other forms.
#define EXACT_ROWS(code, fn)                                                                       \
    ROW_IF(code, F32, PTX_NONE, 0, UF_FTZ | UF_SAT | UF_APPROX, fn##_f32),                         \
        ROW_IF(code, F64, PTX_NONE, 0, UF_SAT, fn##_f64)
#define FTZ_ROWS(code, fn)                                                                         \
    ROW(code, F32, fn##_f32), ROW_IF(code, F32, PTX_NONE, UF_FTZ, 0, fn##_f32_ftz)
#define APPROX_ROWS(code, fn)                                                                      \
    ROW_IF(code, F32, PTX_NONE, 0, UF_APPROX, fn##_f32),                                           \
        ROW_IF(code, F32, PTX_NONE, UF_FTZ, UF_APPROX, fn##_f32_ftz)

static const OpRow rows[] = {
    NEAREST_ROWS(ADD, add), EXACT_ROWS(ADD, exact_2),
    NEAREST_ROWS(SUB, sub), EXACT_ROWS(SUB, exact_2),
    NEAREST_ROWS(MUL_LO, mul), EXACT_ROWS(MUL_LO, exact_2),
    NEAREST_ROWS(FMA, fma),
    ROW_NEAREST(FMA, F32, 0, SIGNS, fma_signed_f32),
    ROW_NEAREST(FMA, F32, UF_FTZ, SIGNS, fma_signed_f32_ftz),
    ROW_NEAREST(FMA, F64, 0, SIGNS, fma_signed_f64),
    ROW_IF(FMA, F32, PTX_NONE, 0, UF_FTZ | UF_SAT | UF_APPROX | SIGNS, exact_3_f32),
    ROW_IF(FMA, F64, PTX_NONE, 0, UF_SAT | SIGNS, exact_3_f64),
    NEAREST_ROWS(DIV, div), EXACT_ROWS(DIV, exact_2),
    NEAREST_ROWS(RCP, rcp), EXACT_ROWS(RCP, exact_1),
    ROW_IF(RCP, F64, PTX_NONE, UF_APPROX | UF_FTZ, 0, rcp_upper_f64),
    NEAREST_ROWS(SQRT, sqrt), EXACT_ROWS(SQRT, exact_1),
    FTZ_ROWS(MIN, min), ROW(MIN, F64, min_f64),
    FTZ_ROWS(MAX, max), ROW(MAX, F64, max_f64),
    FTZ_ROWS(ABS, abs), ROW(ABS, F64, abs_f64),
    FTZ_ROWS(NEG, neg), ROW(NEG, F64, neg_f64),
    ROW(COPYSIGN, F32, copysign_f32), ROW(COPYSIGN, F64, copysign_f64),
    APPROX_ROWS(EX2, ex2), APPROX_ROWS(LG2, lg2), APPROX_ROWS(SIN, sin), APPROX_ROWS(COS, cos),
    APPROX_ROWS(TANH, tanh), APPROX_ROWS(RSQRT, rsqrt),
    ROW_IF(RSQRT, F64, PTX_NONE, 0, UF_APPROX, rsqrt_f64),
    ROW_IF(RSQRT, F64, PTX_NONE, UF_APPROX | UF_FTZ, 0, rsqrt_upper_f64),
};

OPS_TABLE(float);
