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
    {"add%s.%t", "t=tt", SET(S32), 0, NULL, value_add},
    {"add%C%K.%t", "t=tt", I32 | I64, 0, NULL, value_add},
    {"add.%t", "t=tt", INTEGERS, 0, NULL, value_add},
    {"add%r%f%s.%t", "t=tt", FLOATS | HALVES, 0, NULL, value_add},
    {"add%r.%t", "t=tt", BFLOATS, 0, NULL, value_add},
    {"sub%s.%t", "t=tt", SET(S32), 0, NULL, value_sub},
    {"sub%C%K.%t", "t=tt", I32 | I64, 0, NULL, value_sub},
    {"sub.%t", "t=tt", INTEGERS, 0, NULL, value_sub},
    {"sub%r%f%s.%t", "t=tt", FLOATS | HALVES, 0, NULL, value_sub},
    {"sub%r.%t", "t=tt", BFLOATS, 0, NULL, value_sub},
    {"mul.lo.%t", "t=tt", INTEGERS, 0, NULL, value_mul_lo},
    {"mul.hi.%t", "t=tt", INTEGERS, 0, NULL, value_mul_hi},
    {"mul.wide.%t", "w=tt", I16 | I32, 0, NULL, value_mul_wide},
    {"mul%r%f%s.%t", "t=tt", FLOATS | HALVES, 0, NULL, value_mul_lo},
    {"mul%r.%t", "t=tt", BFLOATS, 0, NULL, value_mul_lo},
    {"mad.lo.%t", "t=ttt", INTEGERS, 0, NULL, value_mad_lo},
    {"mad%C.lo%K.%t", "t=ttt", I32 | I64, 0, NULL, value_mad_lo},
    {"mad.hi.%t", "t=ttt", INTEGERS, 0, NULL, value_mad_hi},
    {"mad%C.hi%K.%t", "t=ttt", I32 | I64, 0, NULL, value_mad_hi},
    {"mad.hi%s.%t", "t=ttt", SET(S32), 0, NULL, value_mad_hi},
    {"mad.wide.%t", "w=ttw", I16 | I32, 0, NULL, value_mad_wide},
    {"fma%r%f%s.%t", "t=ttt", FLOATS | HALVES, 0, NULL, value_fma},
    {"fma%r.%t", "t=ttt", BFLOATS, 0, NULL, value_fma},
    {"mul24.lo.%t", "t=tt", I32, 0, NULL, value_mul24_lo},
    {"mul24.hi.%t", "t=tt", I32, 0, NULL, value_mul24_hi},
    {"mad24.lo.%t", "t=ttt", I32, 0, NULL, value_mad24_lo},
    {"mad24.hi%s.%t", "t=ttt", SET(S32), 0, NULL, value_mad24_hi},
    {"mad24.hi.%t", "t=ttt", I32, 0, NULL, value_mad24_hi},
    {"sad.%t", "t=ttt", INTEGERS, 0, NULL, value_sad},
    {"div.%t", "t=tz", INTEGERS, 0, NULL, value_div},
    {"rem.%t", "t=tz", INTEGERS, 0, NULL, value_rem},
    {"div%r%f.%t", "t=tt", FLOATS, 0, NULL, value_div},
    {"rcp%r%f.%t", "t=t", FLOATS, 0, NULL, value_rcp},
    {"sqrt%r%f.%t", "t=t", FLOATS, 0, NULL, value_sqrt},
    {"abs.%t", "t=t", SIGNED, 0, NULL, value_abs},
    {"abs%f.%t", "t=t", FLOATS | SET(F16), 0, NULL, value_abs},
    {"neg.%t", "t=t", SIGNED, 0, NULL, value_neg},
    {"neg%f.%t", "t=t", FLOATS | SET(F16), 0, NULL, value_neg},
    {"min.%t", "t=tt", INTEGERS, 0, NULL, value_min},
    {"max.%t", "t=tt", INTEGERS, 0, NULL, value_max},
    {"min%f%m.%t", "t=tt", SET(F32) | HALVES | BFLOATS, 0, "- .NaN", value_min},
    {"max%f%m.%t", "t=tt", SET(F32) | HALVES | BFLOATS, 0, "- .NaN", value_max},
    {"min.%t", "t=tt", SET(F64), 0, NULL, value_min},
    {"max.%t", "t=tt", SET(F64), 0, NULL, value_max},
    {"copysign.%t", "t=tt", FLOATS, 0, NULL, value_copysign},
    {"testp%m.%t", "p=t", FLOATS, 0, ".finite .infinite .number .notanumber .normal .subnormal",
     value_testp},
    {"popc.%t", "r=t", B32_64, 0, NULL, value_popc},
    {"clz.%t", "r=t", B32_64, 0, NULL, value_clz},
    {"bfind%m.%t", "r=t", I32 | I64, 0, "- .shiftamt", value_bfind},
    {"fns.%t", "t=rks", SET(B32), 0, NULL, value_fns},
    {"brev.%t", "t=t", B32_64, 0, NULL, value_brev},
    {"bfe.%t", "t=tss", I32 | I64, 0, NULL, value_bfe},
    {"bfi.%t", "t=ttss", B32_64, 0, NULL, value_bfi},
    {"bmsk%m.%t", "t=ss", SET(B32), 0, ".clamp .wrap", value_bmsk},
    {"szext%m.%t", "t=ts", I32, 0, ".clamp .wrap", value_szext},
    {"dp4a.%t.%u", "r=rrr", I32, I32, NULL, value_dp4a},
    {"dp2a%m.%t.%u", "r=rrr", I32, I32, ".lo .hi", value_dp2a},
    {"setp%c%b%f.%t", "p|=tto", INTEGERS | BITS | FLOATS, 0, NULL, value_setp},
    {"setp%c%b.%t", "p|=tto", SET(F16) | SET(BF16), 0, NULL, value_setp},
    {"set%c%b%f.%t.%u", "t=uuo", I32 | SET(F32), INTEGERS | BITS | FLOATS, NULL, value_set},
    {"selp.%t", "t=ttp", INTEGERS | BITS | FLOATS, 0, NULL, value_selp},
    {"slct%f.%t.%u", "t=ttu", INTEGERS | BITS | FLOATS, SET(S32) | SET(F32), NULL, value_slct},
    {"and.%t", "t=tt", BITS, 0, NULL, value_and},
    {"or.%t", "t=tt", BITS, 0, NULL, value_or},
    {"xor.%t", "t=tt", BITS, 0, NULL, value_xor},
    {"not.%t", "t=t", BITS, 0, NULL, value_not},
    {"cnot.%t", "t=t", BITS, 0, NULL, value_cnot},
    {"and.pred", "p=pp", SET(PRED), 0, NULL, value_and},
    {"or.pred", "p=pp", SET(PRED), 0, NULL, value_or},
    {"xor.pred", "p=pp", SET(PRED), 0, NULL, value_xor},
    {"not.pred", "p=p", SET(PRED), 0, NULL, value_not},
    {"lop3.%t", "t=tttn", SET(B32), 0, NULL, value_lop3},
    {"shl.%t", "t=ts", BITS, 0, NULL, value_shl},
    {"shr.%t", "t=ts", BITS | INTEGERS, 0, NULL, value_shr},
    {"shf.l%m.%t", "t=tts", SET(B32), 0, ".clamp .wrap", value_shf_l},
    {"shf.r%m.%t", "t=tts", SET(B32), 0, ".clamp .wrap", value_shf_r},
    {"prmt.%t%m", "t=ttr", SET(B32), 0, "- .f4e .b4e .rc8 .ecl .ecr .rc16", value_prmt},
    {"mov.%t", "t=t", INTEGERS | BITS | FLOATS, 0, NULL, value_mov},
    {"mov.pred", "p=p", SET(PRED), 0, NULL, value_mov},
    {"cvt%s.%t.%u", "t=u", INTEGERS | BYTES, INTEGERS | BYTES, NULL, value_cvt},
    {"cvt%i%f%s.%t.%u", "t=u", INTEGERS | BYTES, FLOATS | SET(F16), NULL, value_cvt},
    {"cvt%r.%t.%u", "t=u", FLOATS | SET(F16), INTEGERS | BYTES, NULL, value_cvt},
    {"cvt%r%f%s.%t.%u", "t=u", SET(F32) | SET(F16), SET(F64), NULL, value_cvt},
    {"cvt%r%f%s.%t.%u", "t=u", SET(F16), SET(F32), NULL, value_cvt},
    {"cvt%r.%t.%u", "t=u", SET(BF16), SET(F32), NULL, value_cvt},
    {"cvt%f%s.%t.%u", "t=u", SET(F32), SET(F16), NULL, value_cvt},
    {"cvt.%t.%u", "t=u", SET(F32), SET(BF16), NULL, value_cvt},
    {"cvt%f.%t.%u", "t=u", SET(F64), SET(F32) | SET(F16), NULL, value_cvt},
    {"cvt%i%f%s.%t.%u", "t=u", SET(F32), SET(F32), "+", value_cvt},
    {"cvt%i.%t.%u", "t=u", SET(F64), SET(F64), "+", value_cvt},
    {"cvt%r.%t.%u", "r=uu", HALVES & ~SET(F16), SET(F32), NULL, value_narrow_pair},
    {"cvt%r.%t.%u", "r=uu", BFLOATS & ~SET(BF16), SET(F32), NULL, value_narrow_pair},
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
