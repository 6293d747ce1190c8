// Exactly rounded arithmetic on IEEE 754 numbers of any format and rounding direction, by integer
// arithmetic: for what the host has no instruction for without changing global state (directed
// rounding), or not on every host (fma, half precision). Slow, some tens of nanoseconds.
//
// Values are raw bits, right-aligned in 64. A NaN result is the format's canonical one.
// After Goldberg, "What every computer scientist should know about floating-point arithmetic",
// and Muller et al., Handbook of Floating-Point Arithmetic, chapter 8.
#ifndef HEDDLE_EXEC_EXACT_H
#define HEDDLE_EXEC_EXACT_H

#include "ptx/uop.h"

typedef struct FloatFormat {
    unsigned fraction, exponent; // bits of each
    uint64_t nan;                // canonical
} FloatFormat;

extern const FloatFormat format_f16, format_bf16, format_f32, format_f64;

// The format of a floating-point type, or of each of the two in a packed one; NULL for others.
const FloatFormat *exact_format(PtxType type);

uint64_t exact_add(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding);
uint64_t exact_multiply(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding);
uint64_t exact_fma(const FloatFormat *f, uint64_t a, uint64_t b, uint64_t c, Rounding rounding);
uint64_t exact_divide(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding);
uint64_t exact_sqrt(const FloatFormat *f, uint64_t a, Rounding rounding);

// a clamped to [0, 1]; NaN and -0 give +0.
uint64_t exact_saturate(const FloatFormat *f, uint64_t a);

// a of one format in another.
uint64_t exact_convert(const FloatFormat *from, const FloatFormat *to, uint64_t a,
                       Rounding rounding);
// a rounded to an integral value, in its own format. A NaN stays a (canonical) NaN.
uint64_t exact_integral(const FloatFormat *f, uint64_t a, Rounding rounding);
// magnitude, or its negative, as a floating-point number.
uint64_t exact_from_integer(const FloatFormat *f, bool negative, uint64_t magnitude,
                            Rounding rounding);
// a as an integer of `bits` bits, clamped to its range; sign-extended to 64 where is_signed. a
// must not be NaN.
uint64_t exact_to_integer(const FloatFormat *f, uint64_t a, Rounding rounding, bool is_signed,
                          unsigned bits);

#endif
