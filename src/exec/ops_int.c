// Integer arithmetic and logic, lane by lane. Wrap-around uses unsigned values, because signed
// overflow is undefined in C.
#include "exec/ops.h"

// ---- sums ----

OP2(add_u16, u16, u16, u16, (uint32_t)a + b)
OP2(add_u32, u32, u32, u32, a + b)
OP2(add_u64, u64, u64, u64, a + b)
OP2(sub_u16, u16, u16, u16, (uint32_t)a - b)
OP2(sub_u32, u32, u32, u32, a - b)
OP2(sub_u64, u64, u64, u64, a - b)

OPS_INLINE int32_t saturate_s32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}
OP2(add_sat_s32, s32, s32, s32, saturate_s32((int64_t)a + b))
OP2(sub_sat_s32, s32, s32, s32, saturate_s32((int64_t)a - b))

// ---- products ----

OPS_INLINE uint64_t mul_hi_64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
OPS_INLINE int64_t mul_hi_s64(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }
OPS_INLINE int32_t mul_hi_s32(int32_t a, int32_t b) { return (int32_t)((int64_t)a * b >> 32); }

// The product of two 24-bit integers has 48 bits; .hi takes its upper 32.
OPS_INLINE uint64_t mul24_u32(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}
OPS_INLINE int64_t mul24_s32(int32_t a, int32_t b)
{
    return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
}

OP2(mul_lo_u16, u16, u16, u16, (uint32_t)a * b)
OP2(mul_lo_u32, u32, u32, u32, a * b)
OP2(mul_lo_u64, u64, u64, u64, a * b)
OP2(mul_hi_u16, u16, u16, u16, (uint32_t)a * b >> 16)
OP2(mul_hi_s16, s16, s16, s16, (int32_t)a * b >> 16)
OP2(mul_hi_u32, u32, u32, u32, (uint64_t)a * b >> 32)
OP2(mul_hi_s32, s32, s32, s32, mul_hi_s32(a, b))
OP2(mul_hi_u64, u64, u64, u64, mul_hi_64(a, b))
OP2(mul_hi_s64, s64, s64, s64, mul_hi_s64(a, b))
OP2(mul_wide_u16, u32, u16, u16, (uint32_t)a * b)
OP2(mul_wide_s16, s32, s16, s16, (int32_t)a * b)
OP2(mul_wide_u32, u64, u32, u32, (uint64_t)a * b)
OP2(mul_wide_s32, s64, s32, s32, (int64_t)a * b)
OP2(mul24_lo_u32, u32, u32, u32, mul24_u32(a, b))
OP2(mul24_lo_s32, u32, s32, s32, mul24_s32(a, b))
OP2(mul24_hi_u32, u32, u32, u32, mul24_u32(a, b) >> 16)
OP2(mul24_hi_s32, u32, s32, s32, mul24_s32(a, b) >> 16)

OP3(mad_lo_u16, u16, u16, u16, u16, (uint32_t)a * b + c)
OP3(mad_lo_u32, u32, u32, u32, u32, a * b + c)
OP3(mad_lo_u64, u64, u64, u64, u64, a * b + c)
OP3(mad_hi_u16, u16, u16, u16, u16, ((uint32_t)a * b >> 16) + c)
OP3(mad_hi_s16, u16, s16, s16, u16, (uint32_t)((int32_t)a * b >> 16) + c)
OP3(mad_hi_u32, u32, u32, u32, u32, ((uint64_t)a * b >> 32) + c)
OP3(mad_hi_s32, u32, s32, s32, u32, (uint32_t)mul_hi_s32(a, b) + c)
OP3(mad_hi_u64, u64, u64, u64, u64, mul_hi_64(a, b) + c)
OP3(mad_hi_s64, u64, s64, s64, u64, (uint64_t)mul_hi_s64(a, b) + c)
OP3(mad_hi_sat_s32, s32, s32, s32, s32, saturate_s32((int64_t)mul_hi_s32(a, b) + c))
OP3(mad_wide_u16, u32, u16, u16, u32, (uint32_t)a * b + c)
OP3(mad_wide_s16, u32, s16, s16, u32, (uint32_t)((int32_t)a * b) + c)
OP3(mad_wide_u32, u64, u32, u32, u64, (uint64_t)a * b + c)
OP3(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)a * b) + c)
OP3(mad24_lo_u32, u32, u32, u32, u32, mul24_u32(a, b) + c)
OP3(mad24_lo_s32, u32, s32, s32, u32, (uint64_t)mul24_s32(a, b) + c)
OP3(mad24_hi_u32, u32, u32, u32, u32, (mul24_u32(a, b) >> 16) + c)
OP3(mad24_hi_s32, u32, s32, s32, u32, (uint64_t)(mul24_s32(a, b) >> 16) + c)
OP3(mad24_hi_sat_s32, s32, s32, s32, s32,
    saturate_s32((int64_t)(int32_t)(mul24_s32(a, b) >> 16) + c))

// ---- carries: 32-bit and 64-bit chains ----

// Writes the carry flag of each lane; reads it if the operation has UF_CC_IN, else the carry in is
// 0.
#define CARRY_FUNCTION(name, T, WIDE, COUNT, first)                                                \
    static void name##_some(const UOp *op, ExecWarp *w, LaneMask mask)                             \
    {                                                                                              \
        const lane_##T *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]);       \
        const lane_##T *pc = COUNT == 3 ? exec_operand(w, op->src[2]) : pb;                        \
        LaneMask in = op->flags & UF_CC_IN ? w->carry : 0, out = 0;                                \
        lane_##T r[HD_MAX_LANES];                                                                  \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##T a = pa[l], b = pb[l], c = pc[l];                                             \
            WIDE sum = (first) + (in >> l & 1);                                                    \
            (void)b, (void)c;                                                                      \
            r[l] = (value_##T)sum;                                                                 \
            out |= (LaneMask)(sum >> (8 * sizeof a) & 1) << l;                                     \
        }                                                                                          \
        store_some(op, w, r, sizeof *r, mask);                                                     \
        if (op->flags & UF_CC_OUT) w->carry = (w->carry & ~mask) | (out & mask);                   \
    }

CARRY_FUNCTION(add_carry_u32, u32, uint64_t, 2, (uint64_t)a + b)
CARRY_FUNCTION(add_carry_u64, u64, unsigned __int128, 2, (unsigned __int128)a + b)
CARRY_FUNCTION(mad_lo_carry_u32, u32, uint64_t, 3, (uint64_t)(a * b) + c)
CARRY_FUNCTION(mad_lo_carry_u64, u64, unsigned __int128, 3, (unsigned __int128)(a * b) + c)
CARRY_FUNCTION(mad_hi_carry_u32, u32, uint64_t, 3, ((uint64_t)a * b >> 32) + c)
CARRY_FUNCTION(mad_hi_carry_s32, u32, uint64_t, 3,
               (uint64_t)(uint32_t)mul_hi_s32((int32_t)a, (int32_t)b) + c)
CARRY_FUNCTION(mad_hi_carry_u64, u64, unsigned __int128, 3, (unsigned __int128)mul_hi_64(a, b) + c)
CARRY_FUNCTION(mad_hi_carry_s64, u64, unsigned __int128, 3,
               (unsigned __int128)(uint64_t)mul_hi_s64((int64_t)a, (int64_t)b) + c)

// Subtraction is a + ~b + 1. The flag is the carry of that addition: set if nothing is borrowed.
// (The PTX ISA calls it a borrow, but compiled code, for example nvcc's 128-bit division, reads it
// by addc.)
#define BORROW_FUNCTION(name, T)                                                                   \
    static void name##_some(const UOp *op, ExecWarp *w, LaneMask mask)                             \
    {                                                                                              \
        const lane_##T *pa = exec_operand(w, op->src[0]), *pb = exec_operand(w, op->src[1]);       \
        LaneMask in = op->flags & UF_CC_IN ? ~w->carry : 0, out = 0;                               \
        lane_##T r[HD_MAX_LANES];                                                                  \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##T a = pa[l], b = pb[l], borrow = in >> l & 1;                                  \
            r[l] = a - b - borrow;                                                                 \
            out |= (LaneMask)(a > b || (a == b && !borrow)) << l;                                  \
        }                                                                                          \
        store_some(op, w, r, sizeof *r, mask);                                                     \
        if (op->flags & UF_CC_OUT) w->carry = (w->carry & ~mask) | (out & mask);                   \
    }

BORROW_FUNCTION(sub_carry_u32, u32)
BORROW_FUNCTION(sub_carry_u64, u64)

// ---- quotients ----

// PTX leaves division by zero undefined. Here, as on NVIDIA hardware, the quotient has all bits set
// and the remainder is the dividend. The most negative number divided by -1 wraps to itself.
OPS_INLINE uint64_t div_unsigned(uint64_t a, uint64_t b) { return b ? a / b : ~UINT64_C(0); }
OPS_INLINE uint64_t rem_unsigned(uint64_t a, uint64_t b) { return b ? a % b : a; }
OPS_INLINE int64_t div_signed(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
OPS_INLINE int64_t rem_signed(int64_t a, int64_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }
OPS_INLINE uint32_t div_u32(uint32_t a, uint32_t b) { return b ? a / b : ~UINT32_C(0); }
OPS_INLINE uint32_t rem_u32(uint32_t a, uint32_t b) { return b ? a % b : a; }

OP2(div_u16, u16, u16, u16, div_u32(a, b))
OP2(div_s16, s16, s16, s16, div_signed(a, b))
OP2(div_u32, u32, u32, u32, div_u32(a, b))
OP2(div_s32, s32, s32, s32, div_signed(a, b))
OP2(div_u64, u64, u64, u64, div_unsigned(a, b))
OP2(div_s64, s64, s64, s64, div_signed(a, b))
OP2(rem_u16, u16, u16, u16, rem_u32(a, b))
OP2(rem_s16, s16, s16, s16, rem_signed(a, b))
OP2(rem_u32, u32, u32, u32, rem_u32(a, b))
OP2(rem_s32, s32, s32, s32, rem_signed(a, b))
OP2(rem_u64, u64, u64, u64, rem_unsigned(a, b))
OP2(rem_s64, s64, s64, s64, rem_signed(a, b))

// ---- signs and order ----

OP1(neg_u16, u16, u16, 0u - a)
OP1(neg_u32, u32, u32, 0u - a)
OP1(neg_u64, u64, u64, 0u - a)
OP1(abs_s16, u16, s16, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
OP1(abs_s32, u32, s32, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
OP1(abs_s64, u64, s64, a < 0 ? 0u - (uint64_t)a : (uint64_t)a)

#define ORDERED(T, U)                                                                              \
    OP2(min_##T, T, T, T, a < b ? a : b)                                                           \
    OP2(max_##T, T, T, T, a > b ? a : b)                                                           \
    OP3(sad_##T, U, T, T, U, (value_##U)(c + (a < b ? (value_##U)b - (value_##U)a                  \
                                                    : (value_##U)a - (value_##U)b)))
ORDERED(u16, u16)
ORDERED(s16, u16)
ORDERED(u32, u32)
ORDERED(s32, u32)
ORDERED(u64, u64)
ORDERED(s64, u64)

// ---- logic ----

OP2(and_32, u32, u32, u32, a & b)
OP2(and_64, u64, u64, u64, a & b)
OP2(or_32, u32, u32, u32, a | b)
OP2(or_64, u64, u64, u64, a | b)
OP2(xor_32, u32, u32, u32, a ^ b)
OP2(xor_64, u64, u64, u64, a ^ b)
OP1(not_32, u32, u32, ~a)
OP1(not_64, u64, u64, ~a)
OP1(cnot_16, u16, u16, a == 0)
OP1(cnot_32, u32, u32, a == 0)
OP1(cnot_64, u64, u64, a == 0)

// ---- rows ----

#define CARRY_ROWS(code, type, fn)                                                                 \
    {UOP_##code, PTX_##type, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, UF_CC_OUT, UF_CC_IN, fn##_some, \
     fn##_some},                                                                                   \
    {UOP_##code, PTX_##type, PTX_NONE, ANY_MODIFIER, ANY_ROUNDING, UF_CC_IN, UF_CC_OUT, fn##_some, \
     fn##_some}
#define SIGNED_ROWS(code, fn)                                                                      \
    ROW(code, U16, fn##_u16), ROW(code, S16, fn##_s16), ROW(code, U32, fn##_u32),                  \
        ROW(code, S32, fn##_s32), ROW(code, U64, fn##_u64), ROW(code, S64, fn##_s64)
#define WRAPPING_ROWS(code, fn)                                                                    \
    ROW_BOTH(code, 32, fn##_u32), ROW_BOTH(code, 64, fn##_u64), ROW_BOTH(code, 16, fn##_u16)
// 16-bit operations are computed on 32 bits: readers ignore the upper half.
#define LOGIC_ROWS(code, fn)                                                                       \
    ROW_BOTH(code, 32, fn##_32), ROW_BOTH(code, 64, fn##_64), ROW_BOTH(code, 16, fn##_32)

static const OpRow rows[] = {
    WRAPPING_ROWS(ADD, add),
    WRAPPING_ROWS(SUB, sub),
    WRAPPING_ROWS(MUL_LO, mul_lo),
    WRAPPING_ROWS(MAD_LO, mad_lo),
    SIGNED_ROWS(MUL_HI, mul_hi),
    SIGNED_ROWS(MAD_HI, mad_hi),
    ROW(MUL_WIDE, U16, mul_wide_u16), ROW(MUL_WIDE, S16, mul_wide_s16),
    ROW(MUL_WIDE, U32, mul_wide_u32), ROW(MUL_WIDE, S32, mul_wide_s32),
    ROW(MAD_WIDE, U16, mad_wide_u16), ROW(MAD_WIDE, S16, mad_wide_s16),
    ROW(MAD_WIDE, U32, mad_wide_u32), ROW(MAD_WIDE, S32, mad_wide_s32),
    ROW(MUL24_LO, U32, mul24_lo_u32), ROW(MUL24_LO, S32, mul24_lo_s32),
    ROW(MUL24_HI, U32, mul24_hi_u32), ROW(MUL24_HI, S32, mul24_hi_s32),
    ROW(MAD24_LO, U32, mad24_lo_u32), ROW(MAD24_LO, S32, mad24_lo_s32),
    ROW(MAD24_HI, U32, mad24_hi_u32), ROW(MAD24_HI, S32, mad24_hi_s32),
    ROW_IF(ADD, S32, PTX_NONE, UF_SAT, 0, add_sat_s32),
    ROW_IF(SUB, S32, PTX_NONE, UF_SAT, 0, sub_sat_s32),
    ROW_IF(MAD_HI, S32, PTX_NONE, UF_SAT, 0, mad_hi_sat_s32),
    ROW_IF(MAD24_HI, S32, PTX_NONE, UF_SAT, 0, mad24_hi_sat_s32),
    CARRY_ROWS(ADD, U32, add_carry_u32), CARRY_ROWS(ADD, S32, add_carry_u32),
    CARRY_ROWS(ADD, U64, add_carry_u64), CARRY_ROWS(ADD, S64, add_carry_u64),
    CARRY_ROWS(SUB, U32, sub_carry_u32), CARRY_ROWS(SUB, S32, sub_carry_u32),
    CARRY_ROWS(SUB, U64, sub_carry_u64), CARRY_ROWS(SUB, S64, sub_carry_u64),
    CARRY_ROWS(MAD_LO, U32, mad_lo_carry_u32), CARRY_ROWS(MAD_LO, S32, mad_lo_carry_u32),
    CARRY_ROWS(MAD_LO, U64, mad_lo_carry_u64), CARRY_ROWS(MAD_LO, S64, mad_lo_carry_u64),
    CARRY_ROWS(MAD_HI, U32, mad_hi_carry_u32), CARRY_ROWS(MAD_HI, S32, mad_hi_carry_s32),
    CARRY_ROWS(MAD_HI, U64, mad_hi_carry_u64), CARRY_ROWS(MAD_HI, S64, mad_hi_carry_s64),
    SIGNED_ROWS(DIV, div),
    SIGNED_ROWS(REM, rem),
    SIGNED_ROWS(MIN, min),
    SIGNED_ROWS(MAX, max),
    SIGNED_ROWS(SAD, sad),
    ROW(ABS, S16, abs_s16), ROW(ABS, S32, abs_s32), ROW(ABS, S64, abs_s64),
    WRAPPING_ROWS(NEG, neg),
    LOGIC_ROWS(AND, and),
    LOGIC_ROWS(OR, or),
    LOGIC_ROWS(XOR, xor),
    LOGIC_ROWS(NOT, not),
    ROW_BOTH(CNOT, 16, cnot_16), ROW_BOTH(CNOT, 32, cnot_32), ROW_BOTH(CNOT, 64, cnot_64),
};

OPS_TABLE(int);
