// Integer arithmetic and logic of one thread.
#include "values.h"

typedef unsigned __int128 Wide;

int64_t as_signed(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((low_bits(value, bits) ^ sign) - sign);
}

static bool is_signed(const Statement *s) { return types[s->type].kind == KIND_SIGNED; }
static bool is_float(const Statement *s) { return types[s->type].kind == KIND_FLOAT; }
static unsigned bits_of(const Statement *s) { return types[s->type].bits; }

// The value with 128 bits, by the type's sign.
static Wide widened(const Statement *s, uint64_t value)
{
    return is_signed(s) ? (Wide)(__int128)as_signed(value, bits_of(s)) : (Wide)value;
}

static uint64_t clamped(const Statement *s, __int128 value)
{
    __int128 top = ((__int128)1 << (bits_of(s) - 1)) - 1;
    if (!s->saturate) return (uint64_t)value;
    return (uint64_t)(value > top ? top : value < -top - 1 ? -top - 1 : value);
}

// ---- sums: also with a carry ----

static uint64_t add_carry(const Statement *s, uint64_t a, uint64_t b, bool in, bool *carry)
{
    Wide sum = (Wide)a + b + in;
    if (s->carry_out) *carry = sum >> bits_of(s) & 1;
    return (uint64_t)sum;
}

void value_add(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    if (is_float(s)) to[0] = float_compute(s, FLOAT_ADD, from[0], from[1]);
    else if (s->saturate)
        to[0] = clamped(s, (__int128)widened(s, from[0]) + (__int128)widened(s, from[1]));
    else to[0] = add_carry(s, from[0], from[1], s->carry_in && *carry, carry);
}

void value_sub(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    if (is_float(s)) {
        to[0] = float_compute(s, FLOAT_SUB, from[0], from[1]);
    } else if (s->saturate) {
        to[0] = clamped(s, (__int128)widened(s, from[0]) - (__int128)widened(s, from[1]));
    } else { // in a chain of subtractions, the flag is the borrow
        bool in = s->carry_in && *carry;
        if (s->carry_out) *carry = (Wide)from[0] < (Wide)from[1] + in;
        to[0] = from[0] - from[1] - in;
    }
}

// ---- products ----

static Wide product(const Statement *s, const uint64_t *from)
{
    return widened(s, from[0]) * widened(s, from[1]);
}

void value_mul_lo(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = is_float(s) ? float_compute(s, FLOAT_MUL, from[0], from[1])
                        : (uint64_t)product(s, from);
}

void value_mul_hi(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = (uint64_t)(product(s, from) >> bits_of(s));
}

void value_mul_wide(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = (uint64_t)product(s, from);
}

void value_mad_lo(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    uint64_t low = low_bits((uint64_t)product(s, from), bits_of(s));
    to[0] = add_carry(s, low, from[2], s->carry_in && *carry, carry);
}

void value_mad_hi(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    uint64_t high = low_bits((uint64_t)(product(s, from) >> bits_of(s)), bits_of(s));
    if (s->saturate)
        to[0] = clamped(s, (__int128)as_signed(high, bits_of(s)) +
                               as_signed(from[2], bits_of(s)));
    else to[0] = add_carry(s, high, from[2], s->carry_in && *carry, carry);
}

void value_mad_wide(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = (uint64_t)product(s, from) + from[2];
}

static uint64_t product24(const Statement *s, const uint64_t *from)
{
    if (is_signed(s)) return (uint64_t)(as_signed(from[0], 24) * as_signed(from[1], 24));
    return low_bits(from[0], 24) * low_bits(from[1], 24);
}

void value_mul24_lo(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = product24(s, from);
}

void value_mul24_hi(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = product24(s, from) >> 16;
}

void value_mad24_lo(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = product24(s, from) + from[2];
}

void value_mad24_hi(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    uint64_t high = low_bits(product24(s, from) >> 16, 32);
    to[0] = s->saturate ? clamped(s, (__int128)as_signed(high, 32) + as_signed(from[2], 32))
                        : high + from[2];
}

void value_sad(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    __int128 a = (__int128)widened(s, from[0]), b = (__int128)widened(s, from[1]);
    to[0] = from[2] + (uint64_t)(a < b ? b - a : a - b);
}

// The generator gives no divisor of 0 or -1, for which PTX defines no result.
void value_div(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    if (is_float(s)) to[0] = float_compute(s, FLOAT_DIV, from[0], from[1]);
    else to[0] = (uint64_t)((__int128)widened(s, from[0]) / (__int128)widened(s, from[1]));
}

void value_rem(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = (uint64_t)((__int128)widened(s, from[0]) % (__int128)widened(s, from[1]));
}

// dp4a, dp2a: types of a and b may differ in sign; c and d are signed if one of them is.
static int64_t part(Type type, uint64_t value, unsigned bits, unsigned at)
{
    value = low_bits(value >> at, bits);
    return types[type].kind == KIND_SIGNED ? as_signed(value, bits) : (int64_t)value;
}

void value_dp4a(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = from[2];
    for (unsigned i = 0; i < 4; i++)
        to[0] += (uint64_t)(part(s->type, from[0], 8, 8 * i) * part(s->type2, from[1], 8, 8 * i));
}

void value_dp2a(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    unsigned first = s->mode ? 16 : 0; // .hi
    to[0] = from[2];
    for (unsigned i = 0; i < 2; i++)
        to[0] += (uint64_t)(part(s->type, from[0], 16, 16 * i) *
                            part(s->type2, from[1], 8, first + 8 * i));
}

// ---- order ----

static uint64_t smaller(const Statement *s, const uint64_t *from, bool larger)
{
    if (is_float(s)) return float_smaller(s, from[0], from[1], larger);
    bool first = (__int128)widened(s, from[0]) < (__int128)widened(s, from[1]);
    return from[first != larger ? 0 : 1];
}

void value_min(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = smaller(s, from, false);
}

void value_max(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = smaller(s, from, true);
}

void value_abs(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    uint64_t sign = UINT64_C(1) << (bits_of(s) - 1);
    if (is_float(s)) to[0] = (s->flush ? float_flush(s->type, from[0]) : from[0]) & ~sign;
    else to[0] = from[0] & sign ? -from[0] : from[0];
}

void value_neg(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    uint64_t sign = UINT64_C(1) << (bits_of(s) - 1);
    if (is_float(s)) to[0] = (s->flush ? float_flush(s->type, from[0]) : from[0]) ^ sign;
    else to[0] = -from[0];
}

bool compare(const Statement *s, Type type, uint64_t a, uint64_t b)
{
    __int128 x = a, y = b;
    if (types[type].kind == KIND_SIGNED) {
        x = as_signed(a, types[type].bits);
        y = as_signed(b, types[type].bits);
    } else if (types[type].kind == KIND_FLOAT) {
        if (s->flush) {
            a = float_flush(type, a);
            b = float_flush(type, b);
        }
        bool unordered = float_is_nan(type, a) || float_is_nan(type, b);
        if (s->comparison == NUM) return !unordered;
        if (s->comparison == NAN_) return unordered;
        if (unordered) return s->comparison >= EQU;
        double u = float_value(type, a), v = float_value(type, b);
        x = u < v ? -1 : u > v;
        y = 0;
    }
    switch (s->comparison) {
    case EQ: case EQU: return x == y;
    case NE: case NEU: return x != y;
    case LT: case LO: case LTU: return x < y;
    case LE: case LS: case LEU: return x <= y;
    case GT: case HI: case GTU: return x > y;
    default: return x >= y;
    }
}

static bool combined(const Statement *s, bool result, uint64_t with)
{
    switch (s->combination) {
    case WITH_AND: return result && with;
    case WITH_OR: return result || with;
    case WITH_XOR: return result != (with != 0);
    default: return result;
    }
}

// to[1]: the negated comparison, combined in the same way.
void value_setp(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    bool result = compare(s, s->type, from[0], from[1]);
    to[0] = combined(s, result, from[2]);
    to[1] = combined(s, !result, from[2]);
}

void value_set(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    bool result = combined(s, compare(s, s->type2, from[0], from[1]), from[2]);
    uint64_t yes = s->type == T_F32 ? UINT64_C(0x3f800000) : UINT64_MAX;
    to[0] = result ? yes : 0;
}

void value_selp(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)s, (void)carry;
    to[0] = from[2] ? from[0] : from[1];
}

// A float of -0 is not negative, a NaN selects b.
void value_slct(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    bool first = as_signed(from[2], 32) >= 0;
    if (s->type2 == T_F32) {
        uint64_t c = s->flush ? float_flush(T_F32, from[2]) : from[2];
        first = float_value(T_F32, c) >= 0;
    }
    to[0] = from[first ? 0 : 1];
}

// ---- atomics ----

uint64_t atomic_value(AtomicOperation operation, Type type, uint64_t old, uint64_t b, uint64_t c)
{
    const TypeInfo *t = &types[type];
    bool less = t->kind == KIND_SIGNED ? as_signed(old, t->bits) < as_signed(b, t->bits) : old < b;
    switch (operation) {
    case SUM_ADD: return t->kind == KIND_FLOAT ? float_add(type, false, old, b) : old + b;
    case SUM_MIN: return less ? old : b;
    case SUM_MAX: return less ? b : old;
    case SUM_AND: return old & b;
    case SUM_OR: return old | b;
    case SUM_XOR: return old ^ b;
    case SUM_INC: return old >= b ? 0 : old + 1;
    case OWN_DEC: return old == 0 || old > b ? b : old - 1;
    case OWN_CAS: return old == b ? c : old;
    default: return b;
    }
}
