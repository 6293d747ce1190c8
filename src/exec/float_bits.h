// Bits of floating-point values, canonical NaNs, and the flushing of subnormals.
//
// A NaN that arithmetic produces has one bit pattern, whatever the operands' payloads: 0x7fffffff
// for f32 and 0x7fff for f16 and bf16, as NVIDIA's hardware gives; for f64, where PTX leaves it
// open, 0x7ff8000000000000. Hosts differ in the payload that they propagate, so this is also what
// makes results the same everywhere.
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

// .ftz: a subnormal becomes a zero of its sign.
static inline float f32_flush(float x)
{
    uint32_t bits = f32_bits(x);
    return f32_from(bits & F32_INFINITY ? bits : bits & F32_SIGN);
}

// .sat: clamped to [0, 1]; NaN and -0 give +0.
static inline float f32_saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline double f64_saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

#endif
