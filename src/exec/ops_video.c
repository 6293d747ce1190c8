// Video instructions, computed one part after the other in 64 bits; and cvt.pack.
#include "exec/ops.h"

// A field of a register: an element of a pair or quadruple, or the part that a selector names.
typedef struct BitField { unsigned at, bits; } BitField;

static BitField field_of(const UOp *op, unsigned shift)
{
    unsigned selector = (unsigned)(op->imm >> shift) & VIDEO_SELECTOR;
    if (!selector) return (BitField){0, 32};
    return selector <= 4 ? (BitField){8 * (selector - 1), 8} : (BitField){16 * (selector - 5), 16};
}

static int64_t value_of(uint32_t word, BitField part, bool is_signed)
{
    uint64_t top = (uint64_t)word << (64 - part.bits - part.at);
    return is_signed ? (int64_t)top >> (64 - part.bits) : (int64_t)(top >> (64 - part.bits));
}

// Element i of a source. VIDEO_PICKS may take it from any element of a and b.
static int64_t element_of(const UOp *op, unsigned i, bool second, uint32_t a, uint32_t b)
{
    unsigned bits = 32u / op->vec, places = second ? VIDEO_PICKS_B : VIDEO_PICKS_A;
    unsigned pick = ((unsigned)(op->imm >> (places + 3 * i)) & VIDEO_PICK) ^
                    ((second ? op->vec : 0u) + i);
    return value_of(pick < op->vec ? a : b, (BitField){pick % op->vec * bits, bits},
                    op->imm & (second ? VIDEO_B_SIGNED : VIDEO_A_SIGNED));
}

// Shifts a 33-bit signed value. A left shift by 32 keeps only the sign and the fact of overflow,
// which is all that .sat needs.
static int64_t shifted(const UOp *op, int64_t a, uint64_t by)
{
    enum { WIDTH = 32, FAR_OUT = 40 };
    unsigned count = op->flags & UF_WRAP ? by % WIDTH : by > WIDTH ? WIDTH : (unsigned)by;
    if (op->modifier == VIDEO_SHR) return a >> count;
    if (count < WIDTH || !a) return (int64_t)((uint64_t)a << count);
    return a > 0 ? INT64_C(1) << FAR_OUT : -(INT64_C(1) << FAR_OUT);
}

static int64_t compute(const UOp *op, int64_t a, int64_t b)
{
    switch (op->modifier) {
    case VIDEO_SHL:
    case VIDEO_SHR: return shifted(op, a, (uint64_t)b);
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_AVERAGE: return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_ABSDIFF: return a > b ? a - b : b - a;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    default: break; // VIDEO_SET
    }
    switch (op->imm >> VIDEO_COMPARE_SHIFT & VIDEO_COMPARE_MASK) {
    case CMP_EQ: return a == b;
    case CMP_NE: return a != b;
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    default: return a >= b;
    }
}

static int64_t saturate(int64_t x, unsigned bits, bool is_signed)
{
    int64_t most = (INT64_C(1) << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    return x > most ? most : x < least ? least : x;
}

static uint32_t one_value(const UOp *op, uint32_t a, uint32_t b, uint32_t c)
{
    BitField to = field_of(op, VIDEO_TO_SHIFT);
    int64_t x = compute(op, value_of(a, field_of(op, VIDEO_A_SHIFT), op->imm & VIDEO_A_SIGNED),
                        value_of(b, field_of(op, VIDEO_B_SHIFT), op->imm & VIDEO_B_SIGNED));
    if (op->flags & UF_SAT) x = saturate(x, to.bits, op->type == PTX_S32);
    uint32_t r = (uint32_t)x;
    if (to.bits < 32) {
        uint32_t mask = (UINT32_MAX >> (32 - to.bits)) << to.at; // other bits: from c
        return (r << to.at & mask) | (c & ~mask);
    }
    bool less = op->type == PTX_S32 ? (int32_t)r < (int32_t)c : r < c;
    switch (op->imm & VIDEO_THEN_MASK) {
    case VIDEO_THEN_ADD: return r + c;
    case VIDEO_THEN_MIN: return less ? r : c;
    case VIDEO_THEN_MAX: return less ? c : r;
    default: return r;
    }
}

// The elements of a pair or quadruple: put in place, or (VIDEO_THEN_ADD) added up with c.
static uint32_t elements(const UOp *op, uint32_t a, uint32_t b, uint32_t c)
{
    unsigned bits = 32u / op->vec;
    bool sum = (op->imm & VIDEO_THEN_MASK) != 0;
    uint32_t r = 0;
    for (unsigned i = 0; i < op->vec; i++) {
        uint32_t mask = UINT32_MAX >> (32 - bits) << i * bits;
        if (op->imm >> (VIDEO_KEEPS + i) & 1) {
            r |= sum ? 0 : c & mask;
            continue;
        }
        int64_t x = compute(op, element_of(op, i, false, a, b), element_of(op, i, true, a, b));
        if (op->flags & UF_SAT) x = saturate(x, bits, op->type == PTX_S32);
        if (sum) r += (uint32_t)x;
        else r |= (uint32_t)x << i * bits & mask;
    }
    return sum ? r + c : r;
}

static void video_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    const lane_32 *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]);
    const lane_32 *pc = op->src[2] == OPERAND_NONE ? pb : exec_operand(w, op->src[2]);
    lane_32 *to = exec_operand(w, op->dst[0]);
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        to[l] = op->vec == 1 ? one_value(op, pa[l], pb[l], pc[l])
                             : elements(op, pa[l], pb[l], pc[l]);
    }
}

// a * b + c, then plus one if VIDEO_PLUS_ONE, then shifted right. The product or c may be negated.
// The result is signed if any operand is signed or negated.
static void mad_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    const lane_32 *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]),
                  *pc = exec_operand(w, op->src[2]);
    lane_32 *to = exec_operand(w, op->dst[0]);
    bool is_signed = op->imm & (VIDEO_A_SIGNED | VIDEO_B_SIGNED) ||
                     op->flags & (UF_NEGATE_A | UF_NEGATE_C);
    __int128 most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint32_t c = op->flags & UF_NEGATE_C ? ~pc[l] : pc[l];
        __int128 x = value_of(pa[l], field_of(op, VIDEO_A_SHIFT), op->imm & VIDEO_A_SIGNED);
        x *= value_of(pb[l], field_of(op, VIDEO_B_SHIFT), op->imm & VIDEO_B_SIGNED);
        if (op->flags & UF_NEGATE_A) x = -x;
        x += is_signed ? (int64_t)(int32_t)c : (int64_t)c;
        x += (op->imm & VIDEO_PLUS_ONE) || op->flags & UF_NEGATE_C;
        x >>= op->imm >> VIDEO_SCALE_SHIFT & VIDEO_SELECTOR;
        if (op->flags & UF_SAT) x = x > most ? most : x < least ? least : x;
        to[l] = (uint32_t)x;
    }
}

// cvt.pack: b in the low bits, a above it, and the low bits of c above both.
static void pack_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    unsigned bits = op->modifier;
    const lane_32 *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]);
    const lane_32 *pc = op->src[2] == OPERAND_NONE ? NULL : exec_operand(w, op->src[2]);
    lane_32 *to = exec_operand(w, op->dst[0]);
    uint32_t part = (1u << bits) - 1;
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint32_t a = (uint32_t)saturate((int32_t)pa[l], bits, op->type == PTX_S32) & part;
        uint32_t b = (uint32_t)saturate((int32_t)pb[l], bits, op->type == PTX_S32) & part;
        to[l] = (pc ? pc[l] << 2 * bits : 0) | a << bits | b;
    }
}

#define ROW_ANY(code, type, modifier, also, fn)                                                    \
    {UOP_##code, PTX_##type, PTX_NONE, modifier, ANY_ROUNDING, 0, also, fn, fn}
#define BOTH(code, modifier, also, fn)                                                             \
    ROW_ANY(code, U32, modifier, also, fn), ROW_ANY(code, S32, modifier, also, fn)
static const OpRow rows[] = {
    BOTH(VIDEO, VIDEO_MAD, UF_SAT | UF_NEGATE_A | UF_NEGATE_C, mad_some),
    BOTH(VIDEO, ANY_MODIFIER, UF_SAT | UF_WRAP, video_some),
    BOTH(PACK_SAT, ANY_MODIFIER, 0, pack_some),
};
const OpTable ops_video = {rows, sizeof rows / sizeof *rows};
