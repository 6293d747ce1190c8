// Bits of floating-point values, canonical NaNs, and flushing of subnormals.
//
// A NaN result of arithmetic always has the canonical bit pattern, whatever the payloads of the
// operands: 0x7fffffff for f32 and 0x7fff for f16 and bf16, as on NVIDIA hardware, and
// 0x7ff8000000000000 for f64, which PTX leaves open. Hosts propagate different payloads, so results
// could otherwise differ between them.
#ifndef HEDDLE_EXEC_FLOAT_BITS_H
#define HEDDLE_EXEC_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

#define F16_NAN UINT64_C(0x7fff)
#define BF16_NAN UINT64_C(0x7fff)
#define F32_NAN UINT32_C(0x7fffffff)
#define F64_NAN UINT64_C(0x7ff8000000000000)
#define F32_SIGN UINT32_C(0x80000000)
#define F64_SIGN UINT64_C(0x8000000000000000)
#define F32_INFINITY UINT32_C(0x7f800000)
#define F64_INFINITY UINT64_C(0x7ff0000000000000)

static inline float f32_from(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint32_t f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline double f64_from(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint64_t f64_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float f32_canonical(float x) { return x == x ? x : f32_from(F32_NAN); }
static inline double f64_canonical(double x) { return x == x ? x : f64_from(F64_NAN); }

// .ftz: a subnormal becomes a zero of the same sign.
static inline float f32_flush(float x)
{
    uint32_t bits = f32_bits(x);
    return f32_from(bits & F32_INFINITY ? bits : bits & F32_SIGN);
}

// .sat: clamped to [0, 1]; NaN and -0 give +0.
static inline float f32_saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline double f64_saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

#endif
