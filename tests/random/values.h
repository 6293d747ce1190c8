// The reference for single operations: one thread, one obvious computation each, after the text of
// the PTX ISA.
#ifndef TESTS_RANDOM_VALUES_H
#define TESTS_RANDOM_VALUES_H

#include "program.h"

// An integer of `bits` bits, extended by its sign.
int64_t as_signed(uint64_t value, unsigned bits);

#define OPERATION(text, operands, types, types2, modes, evaluate) Evaluate evaluate;
#include "operations.def"
#undef OPERATION

// ---- floats, by type (F16, BF16, F32, F64) ----
typedef enum FloatOperation { FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV } FloatOperation;
// The value as a double, which is exact.
double float_value(Type type, uint64_t bits);
// The double rounded to the type. A NaN gives the canonical NaN.
uint64_t float_bits(Type type, double value, RoundingMode rounding);
bool float_is_nan(Type type, uint64_t bits);
uint64_t float_flush(Type type, uint64_t bits);
uint64_t float_compute(const Statement *s, FloatOperation operation, uint64_t a, uint64_t b);
uint64_t float_smaller(const Statement *s, uint64_t a, uint64_t b, bool larger);
// cvt from a float, to a float, or both.
uint64_t float_convert(const Statement *s, uint64_t a);
// value_add and value_mul of atomics on floats.
uint64_t float_add(Type type, bool flush, uint64_t a, uint64_t b);

// Applies an atomic operation: the new value of the word.
uint64_t atomic_value(AtomicOperation operation, Type type, uint64_t old, uint64_t b, uint64_t c);

uint32_t video_value(const Statement *s, const uint64_t *from);
bool compare(const Statement *s, Type type, uint64_t a, uint64_t b);

#endif
