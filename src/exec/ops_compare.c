// Comparisons (setp, set, testp) and selections by predicate or sign.
#include "exec/ops.h"

// ---- from lane results to predicates or registers ----

// `result`: the lanes where the comparison holds.
static void finish_compare(const UOp *op, ExecWarp *w, LaneMask mask, LaneMask result)
{
    if (op->code == UOP_SET) {
        result = combine_predicate(op, w, result);
        lane_32 r[HD_MAX_LANES];
        uint32_t yes = op->type == PTX_F32 ? f32_bits(1.0f) : ~UINT32_C(0);
        for (unsigned l = 0; l < HD_MAX_LANES; l++) r[l] = result & lane_bit[l] ? yes : 0;
        store_some(op, w, r, sizeof *r, mask);
        return;
    }
    // Both are computed first: the first destination may be the predicate operand.
    LaneMask first = combine_predicate(op, w, result), second = combine_predicate(op, w, ~result);
    store_predicate(w, op->dst[0], mask, first);
    store_predicate(w, op->dst[1], mask, second);
}

#define COMPARE(name, T, BIT, ...)                                                                 \
    static void name##_some(const UOp *op, ExecWarp *w, LaneMask mask)                             \
    {                                                                                              \
        const lane_##T *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]);       \
        __typeof__(BIT[0] + 0) bits = 0;                                                           \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##T a = (value_##T)pa[l], b = (value_##T)pb[l];                                  \
            bits |= (__VA_ARGS__) ? BIT[l] : 0;                                                    \
        }                                                                                          \
        finish_compare(op, w, mask, (LaneMask)bits);                                               \
    }

#define COMPARE_INTEGER(T, BIT)                                                                    \
    COMPARE(eq_##T, T, BIT, a == b)                                                                \
    COMPARE(ne_##T, T, BIT, a != b)                                                                \
    COMPARE(lt_##T, T, BIT, a < b)                                                                 \
    COMPARE(le_##T, T, BIT, a <= b)                                                                \
    COMPARE(gt_##T, T, BIT, a > b)                                                                 \
    COMPARE(ge_##T, T, BIT, a >= b)

// Ordered comparisons are false if an operand is NaN; unordered ones are true.
#define COMPARE_FLOAT(suffix, T, BIT, in)                                                          \
    COMPARE(eq_##suffix, T, BIT, in(a) == in(b))                                                   \
    COMPARE(ne_##suffix, T, BIT, in(a) < in(b) || in(a) > in(b))                                   \
    COMPARE(lt_##suffix, T, BIT, in(a) < in(b))                                                    \
    COMPARE(le_##suffix, T, BIT, in(a) <= in(b))                                                   \
    COMPARE(gt_##suffix, T, BIT, in(a) > in(b))                                                    \
    COMPARE(ge_##suffix, T, BIT, in(a) >= in(b))                                                   \
    COMPARE(equ_##suffix, T, BIT, !(in(a) < in(b) || in(a) > in(b)))                               \
    COMPARE(neu_##suffix, T, BIT, in(a) != in(b))                                                  \
    COMPARE(ltu_##suffix, T, BIT, !(in(a) >= in(b)))                                               \
    COMPARE(leu_##suffix, T, BIT, !(in(a) > in(b)))                                                \
    COMPARE(gtu_##suffix, T, BIT, !(in(a) <= in(b)))                                               \
    COMPARE(geu_##suffix, T, BIT, !(in(a) < in(b)))                                                \
    COMPARE(num_##suffix, T, BIT, a == a && b == b)                                                \
    COMPARE(nan_##suffix, T, BIT, a != a || b != b)

#define AS_IS(x) (x)
COMPARE_INTEGER(u16, lane_bit)
COMPARE_INTEGER(s16, lane_bit)
COMPARE_INTEGER(u32, lane_bit)
COMPARE_INTEGER(s32, lane_bit)
COMPARE_INTEGER(u64, lane_bit_64)
COMPARE_INTEGER(s64, lane_bit_64)
COMPARE_FLOAT(f32, f32, lane_bit, AS_IS)
COMPARE_FLOAT(f32_ftz, f32, lane_bit, f32_flush)
COMPARE_FLOAT(f64, f64, lane_bit_64, AS_IS)

// ---- testp ----

OPS_INLINE bool test_class(TestProperty property, bool zero, bool subnormal, bool infinite,
                           bool nan)
{
    switch (property) {
    case TEST_FINITE: return !infinite && !nan;
    case TEST_INFINITE: return infinite;
    case TEST_NUMBER: return !nan;
    case TEST_NOTANUMBER: return nan;
    case TEST_NORMAL: return !zero && !subnormal && !infinite && !nan;
    case TEST_SUBNORMAL: return subnormal;
    }
    return false;
}

#define TESTP(T, SIGN, INFINITY_BITS)                                                              \
    static void testp_##T##_some(const UOp *op, ExecWarp *w, LaneMask mask)                        \
    {                                                                                              \
        const lane_##T *pa = exec_operand(w, op->src[0]);                                          \
        LaneMask result = 0;                                                                       \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##T a = pa[l] & ~(SIGN);                                                         \
            if (test_class(op->modifier, a == 0, a && !(a & (INFINITY_BITS)),                      \
                           a == (INFINITY_BITS), a > (INFINITY_BITS)))                             \
                result |= lane_bit[l];                                                             \
        }                                                                                          \
        store_predicate(w, op->dst[0], mask, result);                                              \
    }
TESTP(u32, F32_SIGN, F32_INFINITY)
TESTP(u64, F64_SIGN, F64_INFINITY)

// ---- selections ----

OPS_INLINE LaneMask chosen(const UOp *op, const ExecWarp *w)
{
    LaneMask p = exec_predicate(w, op->src[2]);
    return op->flags & UF_NEGATE_C ? ~p : p;
}

#define SELP(name, T, blend)                                                                       \
    OPS_INLINE void name##_lanes(const UOp *op, const ExecWarp *w, lane_##T *restrict r)           \
    {                                                                                              \
        const lane_##T *a = exec_operand(w, op->src[0]), *b = exec_operand(w, op->src[1]);         \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) r[l] = b[l];                                   \
        blend(r, a, chosen(op, w));                                                                \
    }                                                                                              \
    OPS_FUNCTIONS(name, T)
SELP(selp_32, u32, blend_32)
SELP(selp_64, u64, blend_64)

OP3(slct_32_s32, u32, u32, u32, s32, c >= 0 ? a : b)
OP3(slct_64_s32, u64, u64, u64, s32, c >= 0 ? a : b)
OP3(slct_32_f32, u32, u32, u32, f32, c >= 0 ? a : b)
OP3(slct_64_f32, u64, u64, u64, f32, c >= 0 ? a : b)
OP3(slct_32_f32_ftz, u32, u32, u32, f32, f32_flush(c) >= 0 ? a : b)
OP3(slct_64_f32_ftz, u64, u64, u64, f32, f32_flush(c) >= 0 ? a : b)

// ---- rows ----

enum { SETP_FLAGS = UF_BOOL_MASK | UF_NEGATE_C };

// setp compares operands of `type`. set compares operands of type2; its `type` is the type of the
// destination (u32, s32, f32).
#define SETP_ROW(compare, type, needs, fn)                                                         \
    {UOP_SETP, PTX_##type, PTX_NONE, CMP_##compare, ANY_ROUNDING, needs, SETP_FLAGS, fn##_some,    \
     fn##_some}
#define SET_ROW(compare, type, type2, needs, fn)                                                   \
    {UOP_SET, PTX_##type, PTX_##type2, CMP_##compare, ANY_ROUNDING, needs,                         \
     SETP_FLAGS | (UF_FTZ & ~(needs)), fn##_some, fn##_some}
#define COMPARE_ROWS(compare, type, needs, fn)                                                     \
    SETP_ROW(compare, type, needs, fn), SET_ROW(compare, U32, type, needs, fn),                    \
        SET_ROW(compare, S32, type, needs, fn), SET_ROW(compare, F32, type, needs, fn)
#define INTEGER_ROWS(type, T)                                                                      \
    COMPARE_ROWS(EQ, type, 0, eq_##T), COMPARE_ROWS(NE, type, 0, ne_##T),                          \
        COMPARE_ROWS(LT, type, 0, lt_##T), COMPARE_ROWS(LE, type, 0, le_##T),                      \
        COMPARE_ROWS(GT, type, 0, gt_##T), COMPARE_ROWS(GE, type, 0, ge_##T)
// lo, ls, hi and hs exist only for unsigned types.
#define UNSIGNED_ROWS(type, T)                                                                     \
    INTEGER_ROWS(type, T), COMPARE_ROWS(LO, type, 0, lt_##T), COMPARE_ROWS(LS, type, 0, le_##T),   \
        COMPARE_ROWS(HI, type, 0, gt_##T), COMPARE_ROWS(HS, type, 0, ge_##T)
#define FLOAT_ROWS(type, needs, T)                                                                 \
    COMPARE_ROWS(EQ, type, needs, eq_##T), COMPARE_ROWS(NE, type, needs, ne_##T),                  \
        COMPARE_ROWS(LT, type, needs, lt_##T), COMPARE_ROWS(LE, type, needs, le_##T),              \
        COMPARE_ROWS(GT, type, needs, gt_##T), COMPARE_ROWS(GE, type, needs, ge_##T),              \
        COMPARE_ROWS(EQU, type, needs, equ_##T), COMPARE_ROWS(NEU, type, needs, neu_##T),          \
        COMPARE_ROWS(LTU, type, needs, ltu_##T), COMPARE_ROWS(LEU, type, needs, leu_##T),          \
        COMPARE_ROWS(GTU, type, needs, gtu_##T), COMPARE_ROWS(GEU, type, needs, geu_##T),          \
        COMPARE_ROWS(NUM, type, needs, num_##T), COMPARE_ROWS(NAN, type, needs, nan_##T)
#define SELP_ROWS(type, fn) ROW_IF(SELP, type, PTX_NONE, 0, UF_NEGATE_C, fn)
#define SLCT_ROWS(type, width)                                                                     \
    ROW_IF(SLCT, type, PTX_S32, 0, UF_FTZ, slct_##width##_s32),                                    \
        ROW_IF(SLCT, type, PTX_F32, 0, 0, slct_##width##_f32),                                     \
        ROW_IF(SLCT, type, PTX_F32, UF_FTZ, 0, slct_##width##_f32_ftz)

static const OpRow rows[] = {
    UNSIGNED_ROWS(U32, u32),
    INTEGER_ROWS(S32, s32),
    UNSIGNED_ROWS(U64, u64),
    INTEGER_ROWS(S64, s64),
    UNSIGNED_ROWS(U16, u16),
    INTEGER_ROWS(S16, s16),
    FLOAT_ROWS(F32, UF_FTZ, f32_ftz), // before the next rows, which take set.ftz as well
    FLOAT_ROWS(F32, 0, f32),
    FLOAT_ROWS(F64, 0, f64),
    {UOP_TESTP, PTX_F32, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, 0, 0, testp_u32_some,
     testp_u32_some},
    {UOP_TESTP, PTX_F64, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, 0, 0, testp_u64_some,
     testp_u64_some},
    SELP_ROWS(U32, selp_32),
    SELP_ROWS(S32, selp_32),
    SELP_ROWS(F32, selp_32),
    SELP_ROWS(U64, selp_64),
    SELP_ROWS(S64, selp_64),
    SELP_ROWS(F64, selp_64),
    SELP_ROWS(U16, selp_32),
    SELP_ROWS(S16, selp_32),
    SELP_ROWS(F16, selp_32),
    SLCT_ROWS(U32, 32),
    SLCT_ROWS(S32, 32),
    SLCT_ROWS(F32, 32),
    SLCT_ROWS(U16, 32),
    SLCT_ROWS(S16, 32),
    SLCT_ROWS(U64, 64),
    SLCT_ROWS(S64, 64),
    SLCT_ROWS(F64, 64),
};

OPS_TABLE(compare);
