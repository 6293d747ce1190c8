// Conversions (cvt). The frequent pairs of types are lane loops. All others (saturation, directed
// rounding, half precision, registers wider than their type) are converted value by value.
#include "exec/ops.h"

#include "exec/exact.h"

// ---- integers to integers: truncated, or extended by the sign of the source ----

#define FROM(A)                                                                                    \
    OP1(cvt_u8_##A, u8, A, a)                                                                      \
    OP1(cvt_s8_##A, s8, A, a)                                                                      \
    OP1(cvt_u16_##A, u16, A, a)                                                                    \
    OP1(cvt_s16_##A, s16, A, a)                                                                    \
    OP1(cvt_u32_##A, u32, A, a)                                                                    \
    OP1(cvt_u64_##A, u64, A, a)                                                                    \
    OP1(cvt_f32_##A, f32, A, (float)a)                                                             \
    OP1(cvt_f64_##A, f64, A, (double)a)
FROM(u8)
FROM(s8)
FROM(u16)
FROM(s16)
FROM(u32)
FROM(s32)
FROM(u64)
FROM(s64)

// ---- floats to integers, towards zero ----

// NaN gives 0 if neither type has 64 bits, otherwise only the sign bit (PTX ISA, cvt). The
// comparisons keep the C conversion within its range.
#define TRUNCATE(type, below, beyond, least, most, nan)                                         \
    (a != a ? (nan) : a <= (below) ? (least) : a >= (beyond) ? (most) : (type)a)
OP1(cvt_rzi_s32_f32, s32, f32, TRUNCATE(int32_t, -0x1p31f, 0x1p31f, INT32_MIN, INT32_MAX, 0))
OP1(cvt_rzi_u32_f32, u32, f32, TRUNCATE(uint32_t, 0.0f, 0x1p32f, 0, UINT32_MAX, 0))
OP1(cvt_rzi_s32_f64, s32, f64,
    TRUNCATE(int32_t, -0x1p31, 0x1p31 - 1, INT32_MIN, INT32_MAX, INT32_MIN))
OP1(cvt_rzi_u32_f64, u32, f64,
    TRUNCATE(uint32_t, 0.0, 0x1p32 - 1, 0, UINT32_MAX, UINT32_C(1) << 31))

// ---- floats to floats ----

OP1(cvt_f64_f32, f64, f32, f64_canonical((double)a))
OP1(cvt_f32_f64, f32, f64, f32_canonical((float)a))

// ---- anything to anything ----

static bool is_signed(PtxType type) { return type >= PTX_S8 && type <= PTX_S64; }

// Extends the raw bits of a value to 64 bits by the signedness of the type.
static uint64_t extend(PtxType type, uint64_t bits)
{
    unsigned shift = 64 - 8 * ptx_type_bytes(type);
    return is_signed(type) ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits << shift >> shift;
}

static uint64_t flush_if(const UOp *op, PtxType type, uint64_t bits)
{
    if (!(op->flags & UF_FTZ) || type != PTX_F32) return bits;
    return f32_bits(f32_flush(f32_from((uint32_t)bits)));
}

static uint64_t to_float(const UOp *op, uint64_t a)
{
    const FloatFormat *to = exact_format(op->type), *from = exact_format(op->type2);
    uint64_t r;
    if (!from) {
        bool below_zero = is_signed(op->type2) && (int64_t)a < 0;
        r = exact_from_integer(to, below_zero, below_zero ? 0 - a : a, op->rounding);
    } else {
        a = flush_if(op, op->type2, a);
        if (op->flags & UF_INTEGRAL) a = exact_integral(from, a, op->rounding);
        r = exact_convert(from, to, a, op->rounding);
    }
    r = flush_if(op, op->type, r);
    bool negative = r >> (to->fraction + to->exponent) & 1;
    if (op->flags & UF_RELU && negative) return 0;
    return op->flags & UF_SAT ? exact_saturate(to, r) : r;
}

static uint64_t to_integer(const UOp *op, uint64_t a)
{
    const FloatFormat *from = exact_format(op->type2);
    unsigned bits = 8 * ptx_type_bytes(op->type);
    a = flush_if(op, op->type2, a);
    uint64_t magnitude = a & ~(UINT64_C(1) << (from->fraction + from->exponent));
    bool nan = magnitude >> from->fraction == (UINT64_C(1) << from->exponent) - 1 &&
               magnitude << (64 - from->fraction);
    if (nan) return bits == 64 || op->type2 == PTX_F64 ? UINT64_C(1) << (bits - 1) : 0;
    return exact_to_integer(from, a, op->rounding, is_signed(op->type), bits);
}

static uint64_t convert_value(const UOp *op, uint64_t a)
{
    if (exact_format(op->type)) return to_float(op, a);
    if (exact_format(op->type2)) return to_integer(op, a);
    if (!(op->flags & UF_SAT)) return a;
    bool from_signed = is_signed(op->type2), to_signed = is_signed(op->type);
    unsigned bits = 8 * ptx_type_bytes(op->type);
    __int128 value = from_signed ? (__int128)(int64_t)a : (__int128)a;
    __int128 most = ((__int128)1 << (bits - to_signed)) - 1;
    __int128 least = to_signed ? -most - 1 : 0;
    return (uint64_t)(value > most ? most : value < least ? least : value);
}

static void cvt_any_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    bool wide_src = ptx_type_bytes(op->type2) == 8 || op->flags & UF_WIDE_SRC;
    bool wide_dst = ptx_type_bytes(op->type) == 8 || op->flags & UF_WIDE_DST;
    const void *from = exec_operand(w, op->src[0]);
    void *to = exec_operand(w, op->dst[0]);
    uint64_t r[HD_MAX_LANES]; // written after all reads: the registers may overlap
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint64_t a = wide_src ? ((const lane_64 *)from)[l] : ((const lane_32 *)from)[l];
        r[l] = extend(op->type, convert_value(op, extend(op->type2, a)));
    }
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        if (wide_dst)
            ((lane_64 *)to)[l] = r[l];
        else
            ((lane_32 *)to)[l] = (uint32_t)r[l];
    }
}

// ---- rows ----

#define ROW_CVT(type, type2, fn) ROW_IF(CVT, type, PTX_##type2, 0, 0, fn)
#define ROW_ROUNDED(type, type2, round, fn)                                                        \
    {UOP_CVT, PTX_##type, PTX_##type2, ANY_MODIFIER, ROUND_##round, 0, UF_SAT, fn##_some, fn##_full}
#define ROW_NEAREST(type, type2, fn)                                                               \
    {UOP_CVT, PTX_##type, PTX_##type2, ANY_MODIFIER, ROUND_RN, 0, 0, fn##_some, fn##_full}
#define FROM_ROWS(A, a)                                                                            \
    ROW_CVT(U8, A, cvt_u8_##a), ROW_CVT(S8, A, cvt_s8_##a), ROW_CVT(U16, A, cvt_u16_##a),          \
        ROW_CVT(S16, A, cvt_s16_##a), ROW_CVT(U32, A, cvt_u32_##a), ROW_CVT(S32, A, cvt_u32_##a),  \
        ROW_CVT(U64, A, cvt_u64_##a), ROW_CVT(S64, A, cvt_u64_##a),                                \
        ROW_NEAREST(F32, A, cvt_f32_##a), ROW_NEAREST(F64, A, cvt_f64_##a)
#define ANY_ROW(type)                                                                              \
    {UOP_CVT, PTX_##type, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, 0,                                 \
     UF_SAT | UF_RELU | UF_FTZ | UF_INTEGRAL | UF_WIDE_DST | UF_WIDE_SRC,                          \
     cvt_any_some, cvt_any_some}

static const OpRow rows[] = {
    FROM_ROWS(U32, u32), FROM_ROWS(S32, s32), FROM_ROWS(U64, u64), FROM_ROWS(S64, s64),
    FROM_ROWS(U16, u16), FROM_ROWS(S16, s16), FROM_ROWS(U8, u8), FROM_ROWS(S8, s8),
    ROW_ROUNDED(S32, F32, RZ, cvt_rzi_s32_f32), ROW_ROUNDED(U32, F32, RZ, cvt_rzi_u32_f32),
    ROW_ROUNDED(S32, F64, RZ, cvt_rzi_s32_f64), ROW_ROUNDED(U32, F64, RZ, cvt_rzi_u32_f64),
    ROW_CVT(F64, F32, cvt_f64_f32), ROW_NEAREST(F32, F64, cvt_f32_f64),
    ANY_ROW(U8), ANY_ROW(S8), ANY_ROW(U16), ANY_ROW(S16), ANY_ROW(U32), ANY_ROW(S32), ANY_ROW(U64),
    ANY_ROW(S64), ANY_ROW(F16), ANY_ROW(BF16), ANY_ROW(F32), ANY_ROW(F64),
};

OPS_TABLE(convert);
