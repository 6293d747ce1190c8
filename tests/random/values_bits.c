// Logic, shifts, and bit fields of one thread.
#include "values.h"

static unsigned bits_of(const Statement *s) { return types[s->type].bits; }
static bool is_signed(const Statement *s) { return types[s->type].kind == KIND_SIGNED; }
static bool bit(uint64_t value, unsigned i) { return value >> i & 1; }

void value_and(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = from[0] & from[1];
}

void value_or(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = from[0] | from[1];
}

void value_xor(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = from[0] ^ from[1];
}

void value_not(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = ~from[0];
}

void value_cnot(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = from[0] == 0;
}

void value_mov(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = from[0];
}

void value_lop3(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned row = bit(from[0], i) * 4u + bit(from[1], i) * 2u + bit(from[2], i);
        to[0] |= (uint64_t)bit(from[3], row) << i;
    }
}

// ---- shifts ----

void value_shl(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = from[1] >= bits_of(s) ? 0 : from[0] << from[1];
}

void value_shr(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned bits = bits_of(s), count = from[1] >= bits ? bits : (unsigned)from[1];
    to[0] = 0;
    for (unsigned i = 0; i < bits; i++) {
        bool one = i + count < bits ? bit(from[0], i + count)
                                    : is_signed(s) && bit(from[0], bits - 1);
        to[0] |= (uint64_t)one << i;
    }
}

static unsigned funnel_count(const Statement *s, uint64_t count)
{
    return (unsigned)(s->mode ? count & 31 : count < 32 ? count : 32); // mode: .clamp, .wrap
}

void value_shf_l(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned n = funnel_count(s, from[2]);
    to[0] = n == 32 ? from[0] : (from[1] << 32 | from[0]) << n >> 32;
}

void value_shf_r(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = (from[1] << 32 | from[0]) >> funnel_count(s, from[2]);
}

// ---- counting ----

void value_popc(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = 0;
    for (unsigned i = 0; i < bits_of(s); i++) to[0] += bit(from[0], i);
}

void value_clz(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned bits = bits_of(s);
    for (to[0] = 0; to[0] < bits && !bit(from[0], bits - 1 - (unsigned)to[0]);) to[0]++;
}

// mode: .shiftamt
void value_bfind(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned bits = bits_of(s);
    bool negative = is_signed(s) && bit(from[0], bits - 1);
    uint64_t value = low_bits(negative ? ~from[0] : from[0], bits);
    to[0] = UINT32_MAX;
    for (unsigned i = 0; i < bits; i++)
        if (bit(value, i)) to[0] = s->mode ? bits - 1 - i : i;
}

void value_brev(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = 0;
    for (unsigned i = 0; i < bits_of(s); i++)
        to[0] |= (uint64_t)bit(from[0], i) << (bits_of(s) - 1 - i);
}

// The n-th 1 from the base bit on, upwards or downwards.
void value_fns(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    int64_t offset = as_signed(from[2], 32);
    int at = (int)(from[1] & 31), step = offset < 0 ? -1 : 1;
    uint64_t count = (uint64_t)(offset < 0 ? -offset : offset);
    to[0] = UINT32_MAX;
    if (!offset) {
        if (bit(from[0], (unsigned)at)) to[0] = (uint64_t)at;
        return;
    }
    for (; at >= 0 && at < 32; at += step)
        if (bit(from[0], (unsigned)at) && !--count) {
            to[0] = (uint64_t)at;
            return;
        }
}

// ---- fields ----

void value_bfe(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned top = bits_of(s) - 1, at = from[1] & 255, length = from[2] & 255;
    unsigned last = at + length - 1 < top ? at + length - 1 : top;
    bool sign = is_signed(s) && length && bit(from[0], last);
    to[0] = 0;
    for (unsigned i = 0; i <= top; i++) {
        bool one = i < length && at + i <= top ? bit(from[0], at + i) : sign;
        to[0] |= (uint64_t)one << i;
    }
}

void value_bfi(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned top = bits_of(s) - 1, at = from[2] & 255, length = from[3] & 255;
    to[0] = from[1];
    for (unsigned i = 0; i < length && at + i <= top; i++) {
        to[0] &= ~(UINT64_C(1) << (at + i));
        to[0] |= (uint64_t)bit(from[0], i) << (at + i);
    }
}

// mode: .clamp, .wrap
void value_bmsk(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned at = from[0] & 31, sum = at + (from[1] & 31);
    uint32_t above = UINT32_MAX << at, end = sum < 32 ? UINT32_MAX << sum : 0;
    if (!s->mode) {
        if (from[0] >= 32) above = 0;
        if (from[0] >= 32 || from[1] >= 32) end = 0;
    }
    to[0] = above & ~end;
}

// mode: .clamp, .wrap
void value_szext(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned bits = from[1] & 31;
    bool large = !s->mode && from[1] >= 32;
    uint32_t above = large ? 0 : UINT32_MAX << bits;
    bool sign = is_signed(s) && bits && !large && bit(from[0], bits - 1);
    to[0] = (from[0] & ~above) | (sign ? above : 0);
}

// The bytes that the modes .f4e, .b4e, .rc8, .ecl, .ecr, .rc16 select, most significant first.
static const uint16_t prmt_bytes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
    {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
    {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232},
};

void value_prmt(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    uint64_t bytes = from[1] << 32 | from[0];
    uint64_t which = s->mode ? prmt_bytes[s->mode - 1][from[2] & 3] : from[2];
    to[0] = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned digit = which >> 4 * i & 15;
        uint64_t byte = bytes >> 8 * (digit & 7) & 255;
        if (digit & 8) byte = byte & 128 ? 255 : 0;
        to[0] |= byte << 8 * i;
    }
}

// ---- conversions ----

void value_cvt(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    const TypeInfo *in = &types[s->type2], *out = &types[s->type];
    if (in->kind == KIND_FLOAT || out->kind == KIND_FLOAT) {
        to[0] = float_convert(s, from[0]);
        return;
    }
    __int128 value = in->kind == KIND_SIGNED ? as_signed(from[0], in->bits)
                                             : (__int128)low_bits(from[0], in->bits);
    if (s->saturate) {
        bool is_signed = out->kind == KIND_SIGNED;
        __int128 top = ((__int128)1 << (out->bits - is_signed)) - 1;
        __int128 bottom = is_signed ? -top - 1 : 0;
        value = value > top ? top : value < bottom ? bottom : value;
    }
    to[0] = (uint64_t)value;
}
