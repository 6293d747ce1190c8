// Floating-point arithmetic of one thread, by the host's operations under its rounding modes.
//
// f32 and f64 are the host's. f16 and bf16 are computed as doubles that are rounded to odd, which
// makes the second rounding, to 16 bits, exact (Boldo and Melquiond, "Emulation of a FMA and
// correctly rounded sums", 2008). Compiled with -frounding-math.
#include "values.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

typedef struct Format { unsigned fraction, exponent; uint64_t nan; } Format;
static const Format half = {10, 5, 0x7fff}, bfloat = {7, 8, 0x7fff};

static const Format *narrow_format(Type type)
{
    return type == T_F16 || type == T_F16X2     ? &half
           : type == T_BF16 || type == T_BF16X2 ? &bfloat
                                                : NULL;
}

static void round_as(RoundingMode rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    fesetround(modes[rounding]);
}

static double from_bits64(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float from_bits32(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static uint64_t bits32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

double float_value(Type type, uint64_t bits)
{
    const Format *f = narrow_format(type);
    if (type == T_F64) return from_bits64(bits);
    if (type == T_F32) return from_bits32(bits);
    unsigned exponents = 1u << f->exponent;
    unsigned exponent = (unsigned)(bits >> f->fraction) % exponents;
    double fraction = (double)low_bits(bits, f->fraction);
    int first = 2 - (int)exponents / 2 - (int)f->fraction; // of the smallest subnormal number
    double value = exponent == exponents - 1 ? (fraction != 0 ? NAN : INFINITY)
                   : exponent ? ldexp(fraction + ldexp(1, (int)f->fraction),
                                      first + (int)exponent - 1)
                              : ldexp(fraction, first);
    return bits >> 15 & 1 ? -value : value;
}

static bool rounds_up(RoundingMode rounding, bool negative, double rest, bool odd)
{
    switch (rounding) {
    case NEAREST: return rest > 0.5 || (rest == 0.5 && odd);
    case DOWN: return negative && rest > 0;
    case UP: return !negative && rest > 0;
    default: return false;
    }
}

static uint64_t narrow_bits(const Format *f, double value, RoundingMode rounding)
{
    uint64_t sign = signbit(value) ? 1 << 15 : 0;
    uint64_t infinite = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
    if (isnan(value)) return f->nan;
    if (isinf(value)) return sign | infinite;
    if (value == 0) return sign;
    int exponent, least = 2 - (1 << (f->exponent - 1)); // of the smallest normal number
    frexp(value, &exponent);
    exponent = exponent - 1 > least ? exponent - 1 : least;
    double scaled = ldexp(fabs(value), (int)f->fraction - exponent), whole = floor(scaled);
    uint64_t bits = (uint64_t)whole;
    bits += rounds_up(rounding, sign, scaled - whole, bits & 1);
    bits += (uint64_t)(exponent - least) << f->fraction;
    if (bits >= infinite) {
        bool stays = rounding == ZERO || (rounding == DOWN && !sign) || (rounding == UP && sign);
        bits = infinite - stays;
    }
    return sign | bits;
}

uint64_t float_bits(Type type, double value, RoundingMode rounding)
{
    const Format *f = narrow_format(type);
    if (type == T_F64) return isnan(value) ? UINT64_C(0x7ff8000000000000) : bits64(value);
    if (f) return narrow_bits(f, value, rounding);
    if (isnan(value)) return 0x7fffffff;
    volatile double exact = value;
    round_as(rounding);
    volatile float narrow = (float)exact;
    fesetround(FE_TONEAREST);
    return bits32(narrow);
}

bool float_is_nan(Type type, uint64_t bits) { return isnan(float_value(type, bits)); }

uint64_t float_flush(Type type, uint64_t bits)
{
    uint64_t sign = UINT64_C(1) << (types[type].bits - 1);
    return type == T_F32 && fabs(float_value(type, bits)) < 0x1p-126 ? bits & sign : bits;
}

// ---- arithmetic ----

static double apply(FloatOperation operation, double a, double b)
{
    volatile double x = a, y = b;
    switch (operation) {
    case FLOAT_ADD: return x + y;
    case FLOAT_SUB: return x - y;
    case FLOAT_MUL: return x * y;
    default: return x / y;
    }
}

static float apply32(FloatOperation operation, float a, float b)
{
    volatile float x = a, y = b;
    switch (operation) {
    case FLOAT_ADD: return x + y;
    case FLOAT_SUB: return x - y;
    case FLOAT_MUL: return x * y;
    default: return x / y;
    }
}

// Ends a computation towards zero: an inexact result becomes odd.
static double to_odd(double value)
{
    bool inexact = fetestexcept(FE_INEXACT);
    fesetround(FE_TONEAREST);
    return inexact && isfinite(value) ? from_bits64(bits64(value) | 1) : value;
}

static void start_odd(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_TOWARDZERO);
}

// The modifiers of a result: .ftz, .sat.
static uint64_t finished(const Statement *s, Type type, uint64_t bits)
{
    if (s->flush) bits = float_flush(type, bits);
    if (!s->saturate) return bits;
    double value = float_value(type, bits);
    return value > 0 ? (value < 1 ? bits : float_bits(type, 1, NEAREST)) : 0;
}

static uint64_t compute(const Statement *s, Type type, FloatOperation operation, uint64_t a,
                        uint64_t b)
{
    uint64_t result;
    if (s->flush) {
        a = float_flush(type, a);
        b = float_flush(type, b);
    }
    if (narrow_format(type)) {
        // A sum of zeros with different signs is -0 only when rounding down, which halves never do.
        start_odd();
        volatile double odd = apply(operation, float_value(type, a), float_value(type, b));
        result = float_bits(type, to_odd(odd), NEAREST);
    } else if (type == T_F32) {
        round_as(s->rounding);
        volatile float value = apply32(operation, from_bits32(a), from_bits32(b));
        fesetround(FE_TONEAREST);
        result = isnan(value) ? 0x7fffffff : bits32(value);
    } else {
        round_as(s->rounding);
        volatile double value = apply(operation, from_bits64(a), from_bits64(b));
        fesetround(FE_TONEAREST);
        result = float_bits(T_F64, value, NEAREST);
    }
    return finished(s, type, result);
}

static Type element_of(Type type)
{
    return type == T_F16X2 ? T_F16 : type == T_BF16X2 ? T_BF16 : type;
}

uint64_t float_compute(const Statement *s, FloatOperation operation, uint64_t a, uint64_t b)
{
    Type type = element_of(s->type);
    if (types[s->type].elements == 1) return compute(s, type, operation, a, b);
    return compute(s, type, operation, a & 0xffff, b & 0xffff) |
           compute(s, type, operation, a >> 16, b >> 16) << 16;
}

uint64_t float_add(Type type, bool flush, uint64_t a, uint64_t b)
{
    Statement s = {.type = type, .rounding = NEAREST, .flush = flush};
    return float_compute(&s, FLOAT_ADD, a, b);
}

static uint64_t fused(const Statement *s, Type type, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t result;
    if (s->flush) {
        a = float_flush(type, a);
        b = float_flush(type, b);
        c = float_flush(type, c);
    }
    if (type == T_F32) {
        volatile float x = from_bits32(a), y = from_bits32(b), z = from_bits32(c);
        round_as(s->rounding);
        volatile float value = fmaf(x, y, z);
        fesetround(FE_TONEAREST);
        result = isnan(value) ? 0x7fffffff : bits32(value);
    } else {
        volatile double x = float_value(type, a), y = float_value(type, b),
                        z = float_value(type, c);
        if (narrow_format(type)) start_odd();
        else round_as(s->rounding);
        volatile double value = fma(x, y, z);
        double last = narrow_format(type) ? to_odd(value) : value;
        fesetround(FE_TONEAREST);
        result = float_bits(type, last, NEAREST);
    }
    return finished(s, type, result);
}

void value_fma(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    Type type = element_of(s->type);
    if (types[s->type].elements == 1) to[0] = fused(s, type, from[0], from[1], from[2]);
    else
        to[0] = fused(s, type, from[0] & 0xffff, from[1] & 0xffff, from[2] & 0xffff) |
                fused(s, type, from[0] >> 16, from[1] >> 16, from[2] >> 16) << 16;
}

void value_sqrt(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    uint64_t a = s->flush ? float_flush(s->type, from[0]) : from[0], result;
    round_as(s->rounding);
    if (s->type == T_F32) {
        volatile float x = from_bits32(a), root = sqrtf(x);
        result = isnan(root) ? 0x7fffffff : bits32(root);
    } else {
        volatile double x = from_bits64(a), root = sqrt(x);
        result = float_bits(T_F64, root, NEAREST);
    }
    fesetround(FE_TONEAREST);
    to[0] = finished(s, s->type, result);
}

void value_rcp(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    to[0] = float_compute(s, FLOAT_DIV, float_bits(s->type, 1, NEAREST), from[0]);
}

// ---- order, signs, classes ----

static uint64_t smaller(const Statement *s, Type type, uint64_t a, uint64_t b, bool larger)
{
    uint64_t sign = UINT64_C(1) << (types[type].bits - 1);
    if (s->flush) {
        a = float_flush(type, a);
        b = float_flush(type, b);
    }
    bool nan = float_is_nan(type, a), other = float_is_nan(type, b);
    if (nan && other) return float_bits(type, NAN, NEAREST);
    if ((nan || other) && s->mode) return float_bits(type, NAN, NEAREST); // .NaN
    if (nan || other) return nan ? b : a;
    double x = float_value(type, a), y = float_value(type, b);
    bool first = x < y || (x == y && a & sign); // -0 is below +0
    return first != larger ? a : b;
}

uint64_t float_smaller(const Statement *s, uint64_t a, uint64_t b, bool larger)
{
    Type type = element_of(s->type);
    if (types[s->type].elements == 1) return smaller(s, type, a, b, larger);
    return smaller(s, type, a & 0xffff, b & 0xffff, larger) |
           smaller(s, type, a >> 16, b >> 16, larger) << 16;
}

// The sign of a, the magnitude of b.
void value_copysign(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    uint64_t sign = UINT64_C(1) << (types[s->type].bits - 1);
    to[0] = (from[0] & sign) | (from[1] & ~sign);
}

// Modes: .finite .infinite .number .notanumber .normal .subnormal
void value_testp(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    double x = float_value(s->type, from[0]);
    double least = s->type == T_F32 ? 0x1p-126 : 0x1p-1022;
    bool subnormal = x != 0 && fabs(x) < least;
    const bool has[] = {isfinite(x), isinf(x), !isnan(x), isnan(x),
                        isfinite(x) && x != 0 && !subnormal, subnormal};
    to[0] = has[s->mode];
}

// ---- conversions ----

// The double rounded to an integral value.
static double integral(double value, RoundingMode rounding)
{
    volatile double x = value;
    round_as(rounding);
    volatile double whole = nearbyint(x);
    fesetround(FE_TONEAREST);
    return copysign(whole, x);
}

static uint64_t to_integer(const Statement *s, double value)
{
    const TypeInfo *to = &types[s->type];
    bool is_signed = to->kind == KIND_SIGNED;
    if (isnan(value))
        return s->type2 == T_F64 || to->bits == 64 ? UINT64_C(1) << (to->bits - 1) : 0;
    value = integral(value, s->rounding);
    double top = ldexp(1, (int)to->bits - is_signed); // one above the largest
    if (value >= top) return low_bits(UINT64_MAX, to->bits - is_signed);
    if (value < (is_signed ? -top : 0)) return is_signed ? UINT64_C(1) << (to->bits - 1) : 0;
    return is_signed ? (uint64_t)(int64_t)value : (uint64_t)value;
}

static uint64_t from_integer(const Statement *s, uint64_t a)
{
    const TypeInfo *from = &types[s->type2];
    bool is_signed = from->kind == KIND_SIGNED;
    volatile int64_t number = as_signed(a, from->bits);
    volatile uint64_t magnitude = low_bits(a, from->bits);
    if (s->type == T_F32) {
        round_as(s->rounding);
        volatile float value = is_signed ? (float)number : (float)magnitude;
        fesetround(FE_TONEAREST);
        return bits32(value);
    }
    if (s->type == T_F64) round_as(s->rounding);
    else start_odd();
    volatile double value = is_signed ? (double)number : (double)magnitude;
    double last = s->type == T_F64 ? value : to_odd(value);
    fesetround(FE_TONEAREST);
    return float_bits(s->type, last, s->rounding);
}

uint64_t float_convert(const Statement *s, uint64_t a)
{
    bool to_float = types[s->type].kind == KIND_FLOAT;
    if (types[s->type2].kind != KIND_FLOAT) return finished(s, s->type, from_integer(s, a));
    if (s->flush) a = float_flush(s->type2, a);
    double value = float_value(s->type2, a);
    if (!to_float) return to_integer(s, value);
    if (s->mode) value = integral(value, s->rounding); // .rni and the like
    return finished(s, s->type, float_bits(s->type, value, s->rounding));
}

// {a, b} as two halves, a above.
void value_narrow_pair(const Statement *s, const uint64_t *from, uint64_t *to, bool *carry)
{
    (void)carry;
    Type type = element_of(s->type);
    to[0] = float_bits(type, float_value(T_F32, from[0]), s->rounding) << 16 |
            float_bits(type, float_value(T_F32, from[1]), s->rounding);
}
