// Video instructions: the parts of two registers, one after the other, in 64 bits.
#include "exec/ops.h"

// Which part of the register: the element of a pair or quadruple, or what a selector names.
typedef struct Part { unsigned at, bits; } Part;

static Part part_of(const UOp *op, unsigned element, unsigned shift)
{
    unsigned selector = (unsigned)(op->imm >> shift) & VIDEO_SELECTOR;
    if (op->vec > 1) return (Part){element * (32u / op->vec), 32u / op->vec};
    if (!selector) return (Part){0, 32};
    return selector <= 4 ? (Part){8 * (selector - 1), 8} : (Part){16 * (selector - 5), 16};
}

static int64_t value_of(uint32_t word, Part part, bool is_signed)
{
    uint64_t top = (uint64_t)word << (64 - part.bits - part.at);
    return is_signed ? (int64_t)top >> (64 - part.bits) : (int64_t)(top >> (64 - part.bits));
}

static bool compares(const UOp *op, int64_t a, int64_t b)
{
    switch (op->imm >> VIDEO_COMPARE_SHIFT & VIDEO_COMPARE_MASK) {
    case CMP_EQ: return a == b;
    case CMP_NE: return a != b;
    case CMP_LT: return a < b;
    case CMP_LE: return a <= b;
    case CMP_GT: return a > b;
    default: return a >= b;
    }
}

static int64_t compute(const UOp *op, int64_t a, int64_t b)
{
    switch (op->modifier) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_AVERAGE: return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_ABSDIFF: return a > b ? a - b : b - a;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    default: return compares(op, a, b);
    }
}

static int64_t saturate(int64_t x, unsigned bits, bool is_signed)
{
    int64_t most = (INT64_C(1) << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    return x > most ? most : x < least ? least : x;
}

// What is done with the result and the third operand. (A sum of elements is added up on the way.)
static uint32_t then(const UOp *op, uint32_t r, uint32_t c)
{
    bool less = op->type == PTX_S32 ? (int32_t)r < (int32_t)c : r < c;
    switch (op->imm & VIDEO_THEN_MASK) {
    case VIDEO_THEN_ADD: return r + c;
    case VIDEO_THEN_MIN: return less ? r : c;
    case VIDEO_THEN_MAX: return less ? c : r;
    default: return r;
    }
}

static void video_some(const UOp *op, ExecWarp *w, LaneMask mask)
{
    unsigned bits = 32u / op->vec;
    bool sum = (op->imm & VIDEO_THEN_MASK) != 0, is_signed = op->type == PTX_S32;
    const lane_32 *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]);
    const lane_32 *pc = op->src[2] == OPERAND_NONE ? pb : exec_operand(w, op->src[2]);
    lane_32 *to = exec_operand(w, op->dst[0]);
    for (LaneMask left = mask; left; left &= left - 1) {
        unsigned l = lanes_first(left);
        uint32_t r = 0;
        for (unsigned i = 0; i < op->vec; i++) {
            int64_t a = value_of(pa[l], part_of(op, i, VIDEO_A_SHIFT), op->imm & VIDEO_A_SIGNED);
            int64_t b = value_of(pb[l], part_of(op, i, VIDEO_B_SHIFT), op->imm & VIDEO_B_SIGNED);
            int64_t x = compute(op, a, b);
            if (op->flags & UF_SAT) x = saturate(x, bits, is_signed);
            if (sum || op->vec == 1) r += (uint32_t)x;
            else r |= ((uint32_t)x & (UINT32_MAX >> (32 - bits))) << i * bits;
        }
        to[l] = then(op, r, pc[l]);
    }
}

#define ROW_VIDEO(type)                                                                            \
    {UOP_VIDEO, PTX_##type, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, 0, UF_SAT, video_some, video_some}
static const OpRow rows[] = {ROW_VIDEO(U32), ROW_VIDEO(S32)};
const OpTable ops_video = {rows, sizeof rows / sizeof *rows};
