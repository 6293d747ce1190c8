// Correctly rounded IEEE 754 arithmetic for any format and rounding direction, by integer
// operations. Used where the host would have to change global state (directed rounding), or may
// lack the operation (fma, half precision). Slow: some tens of nanoseconds per operation.
//
// Values are raw bits, right-aligned in 64 bits. A NaN result is the canonical NaN of the format.
// After Goldberg, "What every computer scientist should know about floating-point arithmetic", and
// Muller et al., Handbook of Floating-Point Arithmetic, chapter 8.
#ifndef HEDDLE_EXEC_EXACT_H
#define HEDDLE_EXEC_EXACT_H

#include "ptx/uop.h"

typedef struct FloatFormat {
    unsigned fraction, exponent; // bits of each
    uint64_t nan;                // canonical
} FloatFormat;

extern const FloatFormat format_f16, format_bf16, format_f32, format_f64;

// The format of a floating-point type, or of each element of a packed type; NULL for other types.
const FloatFormat *exact_format(PtxType type);

uint64_t exact_add(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding);
uint64_t exact_multiply(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding);
uint64_t exact_fma(const FloatFormat *f, uint64_t a, uint64_t b, uint64_t c, Rounding rounding);
uint64_t exact_divide(const FloatFormat *f, uint64_t a, uint64_t b, Rounding rounding);
uint64_t exact_sqrt(const FloatFormat *f, uint64_t a, Rounding rounding);

// Clamps a to [0, 1]; NaN and -0 give +0.
uint64_t exact_saturate(const FloatFormat *f, uint64_t a);

// Converts a to another format.
uint64_t exact_convert(const FloatFormat *from, const FloatFormat *to, uint64_t a,
                       Rounding rounding);
// Rounds a to an integral value in its own format. A NaN gives the canonical NaN.
uint64_t exact_integral(const FloatFormat *f, uint64_t a, Rounding rounding);
// Converts magnitude, or its negative, to a floating-point number.
uint64_t exact_from_integer(const FloatFormat *f, bool negative, uint64_t magnitude,
                            Rounding rounding);
// Converts a to an integer of `bits` bits, clamped to its range and, if is_signed, sign-extended to
// 64 bits. a must not be NaN.
uint64_t exact_to_integer(const FloatFormat *f, uint64_t a, Rounding rounding, bool is_signed,
                          unsigned bits);

#endif
