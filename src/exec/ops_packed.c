// Operations on 16-bit values, one or two in a 32-bit register: half precision (f16, bf16) and
// pairs of integers; and the forms of f32 and s32 that PTX introduced with them (min.NaN,
// max.xorsign.abs, min.relu). Computed one element after the other by exact.c, because they are
// rare.
#include "exec/ops.h"

#include "exec/approx.h"
#include "exec/exact.h"

// The type of one element.
typedef struct Element {
    const FloatFormat *format; // NULL: an integer
    unsigned bits;
    bool is_signed;
} Element;

static bool is_pair(PtxType type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2 || type == PTX_U16X2 || type == PTX_S16X2;
}

static Element element_of(PtxType type)
{
    return (Element){.format = exact_format(type),
                     .bits = is_pair(type) ? 16 : 8 * ptx_type_bytes(type),
                     .is_signed = type == PTX_S16X2 || type == PTX_S32};
}

static uint32_t sign_of(const Element *e) { return UINT32_C(1) << (e->bits - 1); }
static uint32_t infinity_of(const FloatFormat *f)
{
    return ((UINT32_C(1) << f->exponent) - 1) << f->fraction;
}
static bool is_nan(const Element *e, uint32_t a)
{
    return (a & ~sign_of(e)) > infinity_of(e->format);
}

static uint32_t flush(const UOp *op, const Element *e, uint32_t a)
{
    bool subnormal = op->flags & UF_FTZ && e->format && !(a & infinity_of(e->format));
    return subnormal ? a & sign_of(e) : a;
}

// ---- order ----

// Maps a to an unsigned number in the same order; -0 is below +0.
static uint32_t rank(const Element *e, uint32_t a)
{
    if (e->format) return a & sign_of(e) ? ~a & (sign_of(e) * 2 - 1) : a | sign_of(e);
    return e->is_signed ? a ^ sign_of(e) : a;
}

static uint32_t extreme(const UOp *op, const Element *e, uint32_t a, uint32_t b)
{
    uint32_t sign = 0;
    if (op->flags & UF_XORSIGN) {
        sign = (a ^ b) & sign_of(e);
        a &= ~sign_of(e);
        b &= ~sign_of(e);
    }
    bool a_nan = e->format && is_nan(e, a), b_nan = e->format && is_nan(e, b);
    if (a_nan && (b_nan || op->flags & UF_NAN)) return (uint32_t)e->format->nan;
    if (b_nan && op->flags & UF_NAN) return (uint32_t)e->format->nan;
    if (a_nan || b_nan) return (a_nan ? b : a) | sign;
    bool a_less = rank(e, a) < rank(e, b);
    return (a_less == (op->code == UOP_MIN) ? a : b) | sign;
}

static double number_of(const Element *e, uint32_t a)
{
    return f64_from(exact_convert(e->format, &format_f64, a, ROUND_RN));
}

static bool holds(Compare compare, double a, double b)
{
    switch (compare) {
    case CMP_EQ: return a == b;
    case CMP_NE: return a < b || a > b;
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    case CMP_GE: return a >= b;
    case CMP_EQU: return !(a < b || a > b);
    case CMP_NEU: return a != b;
    case CMP_LTU: return !(a >= b);
    case CMP_LEU: return !(a > b);
    case CMP_GTU: return !(a <= b);
    case CMP_GEU: return !(a < b);
    case CMP_NUM: return a == a && b == b;
    case CMP_NAN: return a != a || b != b;
    default: return false; // exec_bind accepts no other
    }
}

// ---- arithmetic ----

static uint32_t compute_float(const UOp *op, const Element *e, uint32_t a, uint32_t b, uint32_t c)
{
    const FloatFormat *f = e->format;
    switch (op->code) {
    case UOP_ADD: return (uint32_t)exact_add(f, a, b, op->rounding);
    case UOP_SUB: return (uint32_t)exact_add(f, a, b ^ sign_of(e), op->rounding);
    case UOP_MUL_LO: return (uint32_t)exact_multiply(f, a, b, op->rounding);
    case UOP_FMA:
        if (op->flags & UF_NEGATE_A) a ^= sign_of(e);
        if (op->flags & UF_NEGATE_C) c ^= sign_of(e);
        return (uint32_t)exact_fma(f, a, b, c, op->rounding);
    case UOP_NEG: return a ^ sign_of(e);
    case UOP_ABS: return a & ~sign_of(e);
    case UOP_MIN:
    case UOP_MAX: return extreme(op, e, a, b);
    default: break;
    }
    float x = f32_from((uint32_t)exact_convert(f, &format_f32, a, ROUND_RN));
    float r = op->code == UOP_EX2 ? approx_ex2(x) : approx_tanh(x);
    return (uint32_t)exact_convert(&format_f32, f, f32_bits(r), ROUND_RN);
}

// The result of one element; its upper bits are undefined.
static uint32_t compute(const UOp *op, const Element *e, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r;
    if (!e->format) {
        r = op->code == UOP_ADD ? a + b : extreme(op, e, a, b);
        return op->flags & UF_RELU && r & sign_of(e) ? 0 : r;
    }
    r = flush(op, e, compute_float(op, e, flush(op, e, a), flush(op, e, b), flush(op, e, c)));
    if (op->flags & UF_RELU && r & sign_of(e) && !is_nan(e, r)) return 0;
    return op->flags & UF_SAT ? (uint32_t)exact_saturate(e->format, r) : r;
}

static uint32_t source(const ExecWarp *w, Operand operand, unsigned l)
{
    return operand == OPERAND_NONE ? 0 : ((const lane_32 *)exec_operand(w, operand))[l];
}

static void packed_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    Element e = element_of((PtxType)op->type);
    uint32_t part = UINT32_MAX >> (32 - e.bits);
    unsigned width = is_pair((PtxType)op->type) ? 32 : e.bits;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint32_t a = source(w, op->src[0], l), b = source(w, op->src[1], l),
                 c = source(w, op->src[2], l), r = 0;
        for (unsigned at = 0; at < width; at += e.bits)
            r |= (compute(op, &e, a >> at & part, b >> at & part, c >> at & part) & part) << at;
        ((lane_32 *)exec_operand(w, op->dst[0]))[l] = r;
    }
}

// ---- comparisons ----

// The lanes in which the comparison of the elements at bit `at` holds, combined with the predicate
// operand.
static LaneMask compare_lanes(const UOp *op, const ExecWarp *w, PtxType type, unsigned at,
                              bool negated)
{
    Element e = element_of(type);
    LaneMask result = 0;
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        uint32_t a = source(w, op->src[0], l) >> at & 0xffff;
        uint32_t b = source(w, op->src[1], l) >> at & 0xffff;
        if (holds(op->modifier, number_of(&e, flush(op, &e, a)), number_of(&e, flush(op, &e, b))))
            result |= lane_bit[l];
    }
    return combine_predicate(op, w, negated ? ~result : result);
}

// The second predicate is the result of the upper half for a pair, and the negated result for one
// value.
static void setp_half_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    PtxType type = (PtxType)op->type;
    LaneMask first = compare_lanes(op, w, type, 0, false);
    LaneMask second = is_pair(type) ? compare_lanes(op, w, type, 16, false)
                                    : compare_lanes(op, w, type, 0, true);
    store_predicate(w, op->dst[0], mask, first);
    store_predicate(w, op->dst[1], mask, second);
}

// The result of set if the comparison holds.
static uint32_t yes_of(PtxType type)
{
    switch (type) {
    case PTX_F16:
    case PTX_F16X2: return 0x3c00;
    case PTX_BF16:
    case PTX_BF16X2: return 0x3f80;
    case PTX_F32: return 0x3f800000;
    default: return UINT32_MAX;
    }
}

static void set_half_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    PtxType type = (PtxType)op->type2;
    uint32_t yes = yes_of((PtxType)op->type);
    LaneMask low = compare_lanes(op, w, type, 0, false), high = 0;
    if (is_pair(type)) {
        high = compare_lanes(op, w, type, 16, false);
        yes &= 0xffff;
    }
    lane_32 *to = exec_operand(w, op->dst[0]);
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        to[l] = (low >> l & 1 ? yes : 0) | (high >> l & 1 ? yes << 16 : 0);
    }
}

// ---- two floats to a pair ----

static uint32_t half_of(const UOp *op, const Element *e, uint32_t a)
{
    uint32_t r = (uint32_t)exact_convert(&format_f32, e->format, a, op->rounding);
    return op->flags & UF_RELU && r & sign_of(e) ? 0 : r;
}

static void cvt_pack_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    Element e = element_of((PtxType)op->type);
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint32_t high = half_of(op, &e, source(w, op->src[0], l));
        uint32_t low = half_of(op, &e, source(w, op->src[1], l));
        ((lane_32 *)exec_operand(w, op->dst[0]))[l] = high << 16 | low;
    }
}

// ---- rows ----

#define ROW_ALSO(code, type, type2, needs, also, fn)                                               \
    {UOP_##code, PTX_##type, PTX_##type2, ANY_MODIFIER, ANY_ROUNDING, needs, also, fn##_some,      \
     fn##_some}
#define HALF_ROWS(code, also, fn)                                                                  \
    ROW_ALSO(code, F16, NONE, 0, also, fn), ROW_ALSO(code, F16X2, NONE, 0, also, fn),              \
        ROW_ALSO(code, BF16, NONE, 0, also, fn), ROW_ALSO(code, BF16X2, NONE, 0, also, fn)
#define EXTREME_ROWS(code)                                                                         \
    HALF_ROWS(code, UF_FTZ | UF_NAN | UF_XORSIGN, packed),                                         \
        ROW_ALSO(code, F32, NONE, 0, UF_FTZ | UF_NAN | UF_XORSIGN, packed),                        \
        ROW_ALSO(code, U16X2, NONE, 0, 0, packed),                                                 \
        ROW_ALSO(code, S16X2, NONE, 0, UF_RELU, packed),                                           \
        ROW_ALSO(code, S32, NONE, UF_RELU, 0, packed)
enum { SET_FLAGS = UF_FTZ | UF_BOOL_MASK | UF_NEGATE_C };
#define SET_ROWS(type, one)                                                                        \
    ROW_ALSO(SET, U16, type, 0, SET_FLAGS, set_half),                                              \
        ROW_ALSO(SET, S16, type, 0, SET_FLAGS, set_half),                                          \
        ROW_ALSO(SET, U32, type, 0, SET_FLAGS, set_half),                                          \
        ROW_ALSO(SET, S32, type, 0, SET_FLAGS, set_half),                                          \
        ROW_ALSO(SET, F32, type, 0, SET_FLAGS, set_half),                                          \
        ROW_ALSO(SET, one, type, 0, SET_FLAGS, set_half)
#define PAIR_SET_ROWS(type)                                                                        \
    ROW_ALSO(SET, U32, type, 0, SET_FLAGS, set_half),                                              \
        ROW_ALSO(SET, S32, type, 0, SET_FLAGS, set_half),                                          \
        ROW_ALSO(SET, type, type, 0, SET_FLAGS, set_half)

static const OpRow rows[] = {
    HALF_ROWS(ADD, UF_FTZ | UF_SAT, packed),
    HALF_ROWS(SUB, UF_FTZ | UF_SAT, packed),
    HALF_ROWS(MUL_LO, UF_FTZ | UF_SAT, packed),
    HALF_ROWS(FMA, UF_FTZ | UF_SAT | UF_RELU | UF_NEGATE_A | UF_NEGATE_C, packed),
    HALF_ROWS(NEG, UF_FTZ, packed),
    HALF_ROWS(ABS, UF_FTZ, packed),
    HALF_ROWS(EX2, UF_FTZ | UF_APPROX, packed),
    HALF_ROWS(TANH, UF_APPROX, packed),
    ROW_ALSO(ADD, U16X2, NONE, 0, 0, packed),
    ROW_ALSO(ADD, S16X2, NONE, 0, 0, packed),
    EXTREME_ROWS(MIN),
    EXTREME_ROWS(MAX),
    HALF_ROWS(SETP, SET_FLAGS, setp_half),
    SET_ROWS(F16, F16),
    SET_ROWS(BF16, BF16),
    PAIR_SET_ROWS(F16X2),
    PAIR_SET_ROWS(BF16X2),
    ROW_ALSO(CVT_PACK, F16X2, F32, 0, UF_RELU, cvt_pack),
    ROW_ALSO(CVT_PACK, BF16X2, F32, 0, UF_RELU, cvt_pack),
};
const OpTable ops_packed = {rows, sizeof rows / sizeof *rows};
