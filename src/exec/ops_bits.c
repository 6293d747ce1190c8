// Shifts, bit fields, permutations and the other operations on bits, lane by lane.
#include "exec/ops.h"

// ---- shifts: a count of at least the width shifts out all bits ----

OP2(shl_16, u16, u16, u32, b > 15 ? 0 : (uint32_t)a << (b & 15))
OP2(shl_32, u32, u32, u32, b > 31 ? 0 : a << (b & 31))
OP2(shl_64, u64, u64, u32, b > 63 ? 0 : a << (b & 63))
OP2(shr_u16, u16, u16, u32, b > 15 ? 0 : a >> (b & 15))
OP2(shr_u32, u32, u32, u32, b > 31 ? 0 : a >> (b & 31))
OP2(shr_u64, u64, u64, u32, b > 63 ? 0 : a >> (b & 63))
OP2(shr_s16, s16, s16, u32, a >> (b > 15 ? 15 : b))
OP2(shr_s32, s32, s32, u32, a >> (b > 31 ? 31 : b))
OP2(shr_s64, s64, s64, u32, a >> (b > 63 ? 63 : b))

// Funnel shifts of the 64-bit value b:a (b is the upper half), with a 32-bit result.
OPS_INLINE uint32_t funnel_count(const UOp *op, uint32_t c)
{
    return op->flags & UF_WRAP ? c & 31 : c > 32 ? 32 : c;
}
OP3(shf_l, u32, u32, u32, u32, (((uint64_t)b << 32 | a) << funnel_count(op, c)) >> 32)
OP3(shf_r, u32, u32, u32, u32, ((uint64_t)b << 32 | a) >> funnel_count(op, c))

// ---- counting and finding ----

OP1(popc_32, u32, u32, __builtin_popcount(a))
OP1(popc_64, u32, u64, __builtin_popcountll(a))
OP1(clz_32, u32, u32, a ? __builtin_clz(a) : 32)
OP1(clz_64, u32, u64, a ? __builtin_clzll(a) : 64)

// The position of the highest bit that differs from the sign (unsigned: of the highest 1), or all
// ones if there is none. With .shiftamt: the left shift that moves this bit to the top.
OPS_INLINE uint32_t find_bit(const UOp *op, uint64_t a, unsigned width)
{
    if (!a) return ~UINT32_C(0);
    unsigned position = log2_floor(a);
    return op->flags & UF_SHIFTAMT ? width - 1 - position : position;
}
OP1(bfind_u32, u32, u32, find_bit(op, a, 32))
OP1(bfind_s32, u32, s32, find_bit(op, (uint32_t)(a < 0 ? ~a : a), 32))
OP1(bfind_u64, u32, u64, find_bit(op, a, 64))
OP1(bfind_s64, u32, s64, find_bit(op, (uint64_t)(a < 0 ? ~a : a), 64))

// fns: the position of the c-th 1 of a, counted from bit b upwards (c > 0) or downwards (c < 0);
// bit b itself counts. c = 0 tests bit b. All ones if there is none.
OPS_INLINE uint32_t find_nth(uint32_t a, uint32_t b, int32_t c)
{
    if (b > 31) return ~UINT32_C(0);
    if (c == 0) return a >> b & 1 ? b : ~UINT32_C(0);
    int step = c < 0 ? -1 : 1;
    int64_t left = c < 0 ? -(int64_t)c : c;
    for (int i = (int)b; i >= 0 && i <= 31; i += step)
        if (a >> i & 1 && --left == 0) return (uint32_t)i;
    return ~UINT32_C(0);
}
OP3(fns_32, u32, u32, u32, s32, find_nth(a, b, c))

// ---- reversing, fields, masks ----

OPS_INLINE uint32_t reverse_32(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}
OP1(brev_32, u32, u32, reverse_32(a))
OP1(brev_64, u64, u64, (uint64_t)reverse_32((uint32_t)a) << 32 | reverse_32((uint32_t)(a >> 32)))

// bfe: extracts c & 0xff bits of a, starting at bit b & 0xff. A signed result is extended by the
// top bit of the field, or by the sign of a if the field reaches beyond a.
OPS_INLINE uint64_t extract(uint64_t a, unsigned from, unsigned count)
{
    if (from > 63 || !count) return 0;
    return a >> from & (~UINT64_C(0) >> (count > 63 ? 0 : 64 - count));
}
OPS_INLINE uint64_t extract_signed(int64_t a, unsigned from, unsigned count, unsigned width)
{
    if (!count) return 0;
    if (from > width - 1) return (uint64_t)(a >> 63);
    if (from + count >= width) return (uint64_t)(a >> from);
    return (uint64_t)((int64_t)((uint64_t)a << (64 - from - count)) >> (64 - count));
}
OP3(bfe_u32, u32, u32, u32, u32, extract(a, b & 0xff, c & 0xff))
OP3(bfe_u64, u64, u64, u32, u32, extract(a, b & 0xff, c & 0xff))
OP3(bfe_s32, u32, s32, u32, u32, extract_signed(a, b & 0xff, c & 0xff, 32))
OP3(bfe_s64, u64, s64, u32, u32, extract_signed(a, b & 0xff, c & 0xff, 64))

// A mask of `count` ones starting at bit `from`, truncated to 64 bits.
OPS_INLINE uint64_t field_mask(unsigned from, unsigned count)
{
    if (from > 63 || !count) return 0;
    return (count > 63 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1) << from;
}

// bfi: b with its field of d & 0xff bits, starting at bit c & 0xff, replaced by the low bits of a.
OPS_INLINE uint64_t insert(uint64_t a, uint64_t b, unsigned from, unsigned count)
{
    uint64_t mask = field_mask(from, count);
    return (b & ~mask) | ((a << (from & 63)) & mask);
}
#define BFI(width)                                                                                 \
    OPS_INLINE void bfi_##width##_lanes(const UOp *op, const ExecWarp *w, lane_##width *restrict r)\
    {                                                                                              \
        const lane_##width *a = exec_operand(w, op->src[0]), *b = exec_operand(w, op->src[1]);     \
        const lane_32 *c = exec_operand(w, op->src[2]), *d = exec_operand(w, op->src[3]);          \
        for (unsigned l = 0; l < HD_MAX_LANES; l++)                                                \
            r[l] = (lane_##width)insert(a[l], b[l], c[l] & 0xff, d[l] & 0xff);                     \
    }                                                                                              \
    OPS_FUNCTIONS(bfi_##width, width)
BFI(32)
BFI(64)

// bmsk: b ones starting at bit a. .wrap takes both modulo 32; .clamp limits them to 32.
OPS_INLINE uint32_t bit_mask(const UOp *op, uint32_t a, uint32_t b)
{
    if (op->flags & UF_WRAP) return (uint32_t)field_mask(a & 31, b & 31);
    return (uint32_t)field_mask(a > 32 ? 32 : a, b > 32 ? 32 : b);
}
OP2(bmsk_32, u32, u32, u32, bit_mask(op, a, b))

// szext: the low b bits of a, sign-extended or zero-extended.
OPS_INLINE uint32_t extend_count(const UOp *op, uint32_t b)
{
    return op->flags & UF_WRAP ? b & 31 : b > 32 ? 32 : b;
}
OP2(szext_u32, u32, u32, u32, extract(a, 0, extend_count(op, b)))
OP2(szext_s32, u32, s32, u32, extract_signed(a, 0, extend_count(op, b), 32))

// ---- permuting bytes ----

// The byte selector for a mode other than the default, from the lowest two bits of c.
OPS_INLINE uint32_t prmt_selector(unsigned mode, uint32_t c)
{
    static const uint16_t selectors[][4] = {
        [PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543},
        [PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333},
        [PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
        [PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210},
        [PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return mode == PRMT_INDEX ? c : selectors[mode][c & 3];
}

// Each hexadecimal digit of the selector picks one of the 8 bytes of b:a. If bit 3 of the digit is
// set, the sign of that byte fills all its bits.
OPS_INLINE uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned digit = selector >> 4 * i & 15;
        uint32_t byte = bytes >> 8 * (digit & 7) & 0xff;
        if (digit & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}
OP3(prmt_32, u32, u32, u32, u32, permute(a, b, prmt_selector(op->modifier, c)))

// ---- lop3: any function of three bits ----

// Bit a * 4 + b * 2 + c of the table is the result: the OR of the selected minterms.
OPS_INLINE uint32_t lookup3(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        result |= table >> i & 1 ? term : 0;
    }
    return result;
}
OP3(lop3_32, u32, u32, u32, u32, lookup3((uint32_t)op->imm, a, b, c))

// ---- dot products ----

OPS_INLINE int32_t part(uint32_t x, unsigned shift, unsigned bits, bool is_signed)
{
    uint32_t top = x << (32 - shift - bits);
    return is_signed ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}

// dp4a: four bytes of a with four bytes of b.
OPS_INLINE uint32_t dot4(const UOp *op, uint32_t a, uint32_t b, uint32_t c)
{
    for (unsigned i = 0; i < 4; i++)
        c += (uint32_t)(part(a, 8 * i, 8, op->type == PTX_S32) *
                        part(b, 8 * i, 8, op->type2 == PTX_S32));
    return c;
}
// dp2a: two halves of a with the two lower (.hi: upper) bytes of b.
OPS_INLINE uint32_t dot2(const UOp *op, uint32_t a, uint32_t b, uint32_t c)
{
    if (op->flags & UF_HI) b >>= 16;
    for (unsigned i = 0; i < 2; i++)
        c += (uint32_t)(part(a, 16 * i, 16, op->type == PTX_S32) *
                        part(b, 8 * i, 8, op->type2 == PTX_S32));
    return c;
}
OP3(dp4a_32, u32, u32, u32, u32, dot4(op, a, b, c))
OP3(dp2a_32, u32, u32, u32, u32, dot2(op, a, b, c))

// ---- rows ----

static const OpRow rows[] = {
    ROW_BOTH(SHL, 16, shl_16),
    ROW_BOTH(SHL, 32, shl_32),
    ROW_BOTH(SHL, 64, shl_64),
    ROW(SHR, U16, shr_u16),
    ROW(SHR, U32, shr_u32),
    ROW(SHR, U64, shr_u64),
    ROW(SHR, S16, shr_s16),
    ROW(SHR, S32, shr_s32),
    ROW(SHR, S64, shr_s64),
    ROW_IF(SHF_L, U32, PTX_NONE, 0, UF_WRAP, shf_l),
    ROW_IF(SHF_R, U32, PTX_NONE, 0, UF_WRAP, shf_r),
    ROW(POPC, U32, popc_32),
    ROW(POPC, U64, popc_64),
    ROW(CLZ, U32, clz_32),
    ROW(CLZ, U64, clz_64),
    ROW_IF(BFIND, U32, PTX_NONE, 0, UF_SHIFTAMT, bfind_u32),
    ROW_IF(BFIND, S32, PTX_NONE, 0, UF_SHIFTAMT, bfind_s32),
    ROW_IF(BFIND, U64, PTX_NONE, 0, UF_SHIFTAMT, bfind_u64),
    ROW_IF(BFIND, S64, PTX_NONE, 0, UF_SHIFTAMT, bfind_s64),
    ROW(FNS, U32, fns_32),
    ROW(BREV, U32, brev_32),
    ROW(BREV, U64, brev_64),
    ROW(BFE, U32, bfe_u32),
    ROW(BFE, S32, bfe_s32),
    ROW(BFE, U64, bfe_u64),
    ROW(BFE, S64, bfe_s64),
    ROW(BFI, U32, bfi_32),
    ROW(BFI, U64, bfi_64),
    ROW_IF(BMSK, U32, PTX_NONE, 0, UF_WRAP, bmsk_32),
    ROW_IF(SZEXT, U32, PTX_NONE, 0, UF_WRAP, szext_u32),
    ROW_IF(SZEXT, S32, PTX_NONE, 0, UF_WRAP, szext_s32),
    ROW(PRMT, U32, prmt_32),
    ROW(LOP3, U32, lop3_32),
    ROW(DP4A, U32, dp4a_32),
    ROW(DP4A, S32, dp4a_32),
    ROW_IF(DP2A, U32, PTX_NONE, 0, UF_HI, dp2a_32),
    ROW_IF(DP2A, S32, PTX_NONE, 0, UF_HI, dp2a_32),
};

OPS_TABLE(bits);
