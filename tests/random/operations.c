// The tables: types, and the operations of one thread.
#include "values.h"

#include <stddef.h>

const TypeInfo types[TYPE_COUNT] = {
#define X(name, text, bits, kind, elements) {text, bits, KIND_##kind, elements},
    TYPES(X)
#undef X
};

const unsigned bank_registers[BANKS] = {5, 8, 5, 4};
const char *const rounding_names[] = {".rn", ".rz", ".rm", ".rp"};
const char *const comparison_names[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".lo", ".ls",
                                        ".hi", ".hs", ".equ", ".neu", ".ltu", ".leu", ".gtu",
                                        ".geu", ".num", ".nan"};
const char *const combination_names[] = {"", ".and", ".or", ".xor"};
const char *const atomic_names[] = {"add", "min", "max", "and", "or",
                                    "xor", "inc", "exch", "cas", "dec"};

Bank bank_of(Type type)
{
    if (type == T_PRED) return BANK_PRED;
    return types[type].bits <= 16 ? BANK_16 : types[type].bits == 32 ? BANK_32 : BANK_64;
}

unsigned bank_bits(Bank bank)
{
    static const unsigned bits[BANKS] = {16, 32, 64, 1};
    return bits[bank];
}

uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

#define I16 (SET(U16) | SET(S16))
#define I32 (SET(U32) | SET(S32))
#define I64 (SET(U64) | SET(S64))
#define INTEGERS (I16 | I32 | I64)
#define SIGNED (SET(S16) | SET(S32) | SET(S64))
#define BITS (SET(B16) | SET(B32) | SET(B64))
#define FLOATS (SET(F32) | SET(F64))
#define HALVES (SET(F16) | SET(F16X2))
#define BFLOATS (SET(BF16) | SET(BF16X2))
#define BYTES (SET(U8) | SET(S8))
#define B32_64 (SET(B32) | SET(B64))

const Operation operations[] = {
#define OPERATION(text, operands, types, types2, modes, evaluate)                                  \
    {text, operands, types, types2, modes, evaluate},
#include "operations.def"
#undef OPERATION
};
const unsigned operation_count = sizeof operations / sizeof *operations;

// ---- atomics ----

Sum sum_of_word(unsigned word)
{
    static const Sum sums[] = {
        {SUM_ADD, T_U32}, {SUM_MIN, T_S32}, {SUM_MAX, T_U32}, {SUM_AND, T_B32}, {SUM_OR, T_B32},
        {SUM_XOR, T_B32}, {SUM_ADD, T_U64}, {SUM_INC, T_U32}, {SUM_MAX, T_S32}, {SUM_MIN, T_U32},
        {SUM_MIN, T_S64}, {SUM_MAX, T_U64}, {SUM_AND, T_B64}, {SUM_OR, T_B64}, {SUM_XOR, T_B64},
        {SUM_ADD, T_S32},
    };
    return sums[word % (sizeof sums / sizeof *sums)];
}
