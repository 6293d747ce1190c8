// Correctly rounded floating-point arithmetic by integers. Each operation computes its exact
// result, or its leading bits and a sticky bit for the rest, and rounds once.
#include "exec/exact.h"

#include "exec/float_bits.h"

typedef unsigned __int128 Wide;

const FloatFormat format_f16 = {10, 5, F16_NAN};
const FloatFormat format_bf16 = {7, 8, BF16_NAN};
const FloatFormat format_f32 = {23, 8, F32_NAN};
const FloatFormat format_f64 = {52, 11, F64_NAN};

const FloatFormat *exact_format(PtxType type)
{
    switch (type) {
    case PTX_F16:
    case PTX_F16X2: return &format_f16;
    case PTX_BF16:
    case PTX_BF16X2: return &format_bf16;
    case PTX_F32: return &format_f32;
    case PTX_F64: return &format_f64;
    default: return NULL;
    }
}

// A finite number: (-1)^negative * (m + epsilon) * 2^exponent. epsilon is 0 unless `sticky`
// (nonzero bits were cut off); then 0 < epsilon < 1.
typedef struct Number {
    bool negative, sticky;
    int exponent;
    Wide m;
} Number;

// ---- formats ----

static int bias_of(const FloatFormat *f) { return (1 << (f->exponent - 1)) - 1; }
static uint64_t sign_of(const FloatFormat *f) { return UINT64_C(1) << (f->fraction + f->exponent); }
static uint64_t infinity_of(const FloatFormat *f)
{
    return ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
}
static bool is_nan(const FloatFormat *f, uint64_t a) { return (a & ~sign_of(f)) > infinity_of(f); }
static bool is_infinite(const FloatFormat *f, uint64_t a)
{
    return (a & ~sign_of(f)) == infinity_of(f);
}

uint64_t exact_saturate(const FloatFormat *f, uint64_t a)
{
    uint64_t one = (infinity_of(f) >> 1) & infinity_of(f); // all exponent bits except the highest
    if (a & sign_of(f) || a > infinity_of(f)) return 0;
    return a < one ? a : one;
}

static Number unpack(const FloatFormat *f, uint64_t a)
{
    uint64_t fraction = a & ((UINT64_C(1) << f->fraction) - 1);
    int field = (int)((a & infinity_of(f)) >> f->fraction);
    Number x = {.negative = a & sign_of(f), .m = fraction};
    if (field)
        x.m |= UINT64_C(1) << f->fraction;
    else
        field = 1; // subnormals have the exponent of the smallest normal numbers
    x.exponent = field - bias_of(f) - (int)f->fraction;
    return x;
}

static int length_of(Wide m)
{
    uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high ? 64 + (int)log2_floor(high) + 1 : low ? (int)log2_floor(low) + 1 : 0;
}

// Cuts off the lowest `count` bits. count may exceed the width.
static void cut(Number *x, int count)
{
    if (count > 127) {
        x->sticky |= x->m != 0;
        x->m = 0;
    } else {
        x->sticky |= (x->m & (((Wide)1 << count) - 1)) != 0;
        x->m >>= count;
    }
    x->exponent += count;
}

// Cuts off the lowest `count` (>= 1) bits and rounds the rest to an integer.
static void cut_and_round(Number *x, int count, Rounding rounding)
{
    cut(x, count - 1);
    bool half = x->m & 1;
    bool rest = x->sticky;
    cut(x, 1);
    bool up = false;
    switch (rounding) {
    case ROUND_RN: up = half && (rest || x->m & 1); break;
    case ROUND_RNA: up = half; break;
    case ROUND_RZ: break;
    case ROUND_RM: up = x->negative && (half || rest); break;
    case ROUND_RP: up = !x->negative && (half || rest); break;
    }
    x->m += up;
    x->sticky = false;
}

// Rounds x to the format. If x is sticky, its m must be longer than the significand of the format.
static uint64_t pack(const FloatFormat *f, Number x, Rounding rounding)
{
    uint64_t sign = x.negative ? sign_of(f) : 0;
    if (x.m == 0 && !x.sticky) return sign;
    int precision = (int)f->fraction + 1;
    int lowest = 1 - bias_of(f) - (int)f->fraction; // exponent of the last place of subnormals
    int last = x.exponent + length_of(x.m) - precision;
    if (last < lowest) last = lowest;
    if (last > x.exponent) {
        cut_and_round(&x, last - x.exponent, rounding);
    } else {
        x.m <<= x.exponent - last;
        x.exponent = last;
    }
    if (x.m >> precision) { // rounded up to the next power of two
        x.m >>= 1;
        x.exponent++;
    }
    if (!(x.m >> f->fraction)) return sign | (uint64_t)x.m; // subnormal, or zero
    int field = x.exponent + (int)f->fraction + bias_of(f);
    if (field >= (1 << f->exponent) - 1) { // overflow: infinity, or the largest finite number
        bool to_infinity = rounding == ROUND_RN || rounding == ROUND_RNA ||
                           rounding == (x.negative ? ROUND_RM : ROUND_RP);
        return sign | (infinity_of(f) - !to_infinity);
    }
    return sign | (uint64_t)field << f->fraction |
           ((uint64_t)x.m & ((UINT64_C(1) << f->fraction) - 1));
}

// ---- sums and products ----

enum { TOP = 126 }; // bits of a normalised addend; one more holds the carry, one is unused

static void normalise(Number *x)
{
    int shift = TOP - length_of(x->m);
    x->m <<= shift;
    x->exponent -= shift;
}

// x + y, both exact. If bits of the smaller addend are cut off, at most one leading bit cancels, so
// the result still has far more bits than any format.
static Number sum(Number x, Number y, Rounding rounding)
{
    if (x.m == 0 || y.m == 0) {
        if (x.m == 0 && y.m == 0 && x.negative != y.negative) x.negative = rounding == ROUND_RM;
        return x.m == 0 && y.m != 0 ? y : x;
    }
    normalise(&x);
    normalise(&y);
    if (x.exponent < y.exponent || (x.exponent == y.exponent && x.m < y.m)) {
        Number swap = x;
        x = y;
        y = swap;
    }
    cut(&y, x.exponent - y.exponent);
    if (x.negative == y.negative) {
        x.m += y.m;
    } else {
        x.m -= y.m + y.sticky; // x - (y + epsilon) = (x - y - 1) + (1 - epsilon)
        if (x.m == 0) x.negative = rounding == ROUND_RM;
    }
    x.sticky = y.sticky;
    return x;
}

static Number product(Number x, Number y)
{
    return (Number){.negative = x.negative != y.negative, .exponent = x.exponent + y.exponent,
                    .m = x.m * y.m};
}

uint64_t exact_add(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding)
{
    if (is_nan(f, a) || is_nan(f, b)) return f->nan;
    if (is_infinite(f, a)) return is_infinite(f, b) && a != b ? f->nan : a;
    if (is_infinite(f, b)) return b;
    return pack(f, sum(unpack(f, a), unpack(f, b), rounding), rounding);
}

static bool is_zero(const FloatFormat *f, uint64_t a) { return !(a & ~sign_of(f)); }

uint64_t exact_multiply(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding)
{
    if (is_nan(f, a) || is_nan(f, b)) return f->nan;
    if (is_infinite(f, a) || is_infinite(f, b)) {
        if (is_zero(f, a) || is_zero(f, b)) return f->nan;
        return infinity_of(f) | ((a ^ b) & sign_of(f));
    }
    return pack(f, product(unpack(f, a), unpack(f, b)), rounding);
}

uint64_t exact_fma(const FloatFormat *f, uint64_t a, uint64_t b, uint64_t c, Rounding rounding)
{
    if (is_nan(f, c) || is_nan(f, a) || is_nan(f, b)) return f->nan;
    if (is_infinite(f, a) || is_infinite(f, b)) {
        uint64_t p = exact_multiply(f, a, b, rounding);
        return exact_add(f, p, c, rounding); // exact: the result is an infinity or NaN
    }
    if (is_infinite(f, c)) return c;
    Number p = product(unpack(f, a), unpack(f, b));
    return pack(f, sum(p, unpack(f, c), rounding), rounding);
}

// ---- quotients and roots ----

uint64_t exact_divide(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding)
{
    if (is_nan(f, a) || is_nan(f, b)) return f->nan;
    uint64_t sign = (a ^ b) & sign_of(f);
    if (is_infinite(f, a)) return is_infinite(f, b) ? f->nan : sign | infinity_of(f);
    if (is_infinite(f, b)) return sign;
    if (is_zero(f, b)) return is_zero(f, a) ? f->nan : sign | infinity_of(f);
    if (is_zero(f, a)) return sign;
    Number x = unpack(f, a), y = unpack(f, b);
    normalise(&x); // gives at least 126 - 53 quotient bits
    Number q = {.negative = sign, .exponent = x.exponent - y.exponent, .m = x.m / y.m,
                .sticky = x.m % y.m != 0};
    return pack(f, q, rounding);
}

// Floor of the square root, computed one bit at a time.
static Wide root(Wide m)
{
    Wide r = 0;
    for (int bit = 63; bit >= 0; bit--) {
        Wide candidate = r | (Wide)1 << bit;
        if (candidate * candidate <= m) r = candidate;
    }
    return r;
}

uint64_t exact_sqrt(const FloatFormat *f, uint64_t a, Rounding rounding)
{
    if (is_nan(f, a)) return f->nan;
    if (is_zero(f, a)) return a;
    if (a & sign_of(f)) return f->nan;
    if (is_infinite(f, a)) return a;
    Number x = unpack(f, a);
    normalise(&x);
    if (x.exponent & 1) { // halve the exponent exactly
        x.m <<= 1;
        x.exponent--;
    }
    Wide r = root(x.m);
    Number s = {.exponent = x.exponent / 2, .m = r, .sticky = r * r != x.m};
    return pack(f, s, rounding);
}

// ---- conversions ----

uint64_t exact_convert(const FloatFormat *from, const FloatFormat *to, uint64_t a,
                       Rounding rounding)
{
    if (is_nan(from, a)) return to->nan;
    if (is_infinite(from, a)) return infinity_of(to) | (a & sign_of(from) ? sign_of(to) : 0);
    return pack(to, unpack(from, a), rounding);
}

uint64_t exact_integral(const FloatFormat *f, uint64_t a, Rounding rounding)
{
    if (is_nan(f, a)) return f->nan;
    if (is_infinite(f, a)) return a;
    Number x = unpack(f, a);
    if (x.exponent < 0) cut_and_round(&x, -x.exponent, rounding);
    return pack(f, x, rounding); // exact
}

uint64_t exact_from_integer(const FloatFormat *f, bool negative, uint64_t magnitude,
                            Rounding rounding)
{
    Number x = {.negative = negative && magnitude, .m = magnitude};
    return pack(f, x, rounding);
}

uint64_t exact_to_integer(const FloatFormat *f, uint64_t a, Rounding rounding, bool is_signed,
                          unsigned bits)
{
    bool negative = a & sign_of(f);
    // The largest magnitude that the result can have.
    Wide limit = !is_signed ? (negative ? 0 : ((Wide)1 << bits) - 1)
                            : ((Wide)1 << (bits - 1)) - !negative;
    Number x = unpack(f, a);
    bool beyond = is_infinite(f, a) || x.exponent + length_of(x.m) > 65;
    if (beyond) {
        x.m = limit;
    } else if (x.exponent < 0) {
        cut_and_round(&x, -x.exponent, rounding);
    } else {
        x.m <<= x.exponent;
    }
    if (x.m > limit) x.m = limit;
    return negative ? 0 - (uint64_t)x.m : (uint64_t)x.m;
}
