// Macros for the lane loops of the operations: one expression per operation becomes a function for
// full masks and one for partial masks, in a form that compilers vectorise.
//
// The files that include this (ops_*.c) are compiled once per instruction set, which OPS_ISA names;
// bind.c chooses among the tables when a module is bound. All sets give the same bits, because the
// code uses only integer operations and single, correctly rounded float operations.
//
// Lanes outside of the mask are computed as well and then discarded, so no expression may trap.
#ifndef HEDDLE_EXEC_OPS_H
#define HEDDLE_EXEC_OPS_H

#include "exec/exec.h"
#include "exec/float_bits.h"
#include "exec/op_table.h"

#define OPS_JOIN2(a, b) a##_##b
#define OPS_JOIN(a, b) OPS_JOIN2(a, b)
// Defines the file's table, ops_NAME_ISA, from its array `rows`.
#define OPS_TABLE(name)                                                                            \
    const OpTable OPS_JOIN(ops_##name, OPS_ISA) = {rows, sizeof rows / sizeof *rows}

// lane_TYPE: how a lane of a register stores the type. value_TYPE: the type that expressions
// compute with. A register may be written as one type and read as another.
typedef uint32_t __attribute__((may_alias)) lane_32;
typedef uint64_t __attribute__((may_alias)) lane_64;
typedef float __attribute__((may_alias)) lane_f32;
typedef double __attribute__((may_alias)) lane_f64;
typedef lane_32 lane_u8, lane_s8, lane_u16, lane_s16, lane_u32, lane_s32;
typedef lane_64 lane_u64, lane_s64;
typedef uint8_t value_u8;
typedef int8_t value_s8;
typedef uint16_t value_u16;
typedef int16_t value_s16;
typedef uint32_t value_u32;
typedef int32_t value_s32;
typedef uint64_t value_u64;
typedef int64_t value_s64;
typedef float value_f32;
typedef double value_f64;

#define OPS_INLINE static inline __attribute__((always_inline))
#define OPS_BITS_8(x) (x), (x) << 1, (x) << 2, (x) << 3, (x) << 4, (x) << 5, (x) << 6, (x) << 7
#define OPS_BITS_32(x)                                                                             \
    OPS_BITS_8(x), OPS_BITS_8((x) << 8), OPS_BITS_8((x) << 16), OPS_BITS_8((x) << 24)
// 1 << l as a vector operand: older instruction sets cannot shift each lane by its own count.
static const uint32_t lane_bit[HD_MAX_LANES] = {OPS_BITS_32(UINT32_C(1))};
static const uint64_t lane_bit_64[HD_MAX_LANES] = {OPS_BITS_32(UINT64_C(1))};

// to[l] = from[l] for the lanes in mask.
OPS_INLINE void blend_32(lane_32 *to, const lane_32 *from, LaneMask mask)
{
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        uint32_t take = (uint32_t)0 - ((mask & lane_bit[l]) == lane_bit[l]);
        to[l] = (from[l] & take) | (to[l] & ~take);
    }
}
OPS_INLINE void blend_64(lane_64 *to, const lane_64 *from, LaneMask mask)
{
    for (unsigned l = 0; l < HD_MAX_LANES; l++) {
        uint64_t take = (uint64_t)0 - ((mask & lane_bit_64[l]) == lane_bit_64[l]);
        to[l] = (from[l] & take) | (to[l] & ~take);
    }
}

// Stores results of `bytes` (4 or 8) per lane into operand dst[0].
OPS_INLINE void store_some(const UOp *op, ExecWarp *w, const void *result, size_t bytes,
                           LaneMask mask)
{
    if (bytes == 4)
        blend_32(exec_operand(w, op->dst[0]), result, mask);
    else
        blend_64(exec_operand(w, op->dst[0]), result, mask);
}
OPS_INLINE void store_all(const UOp *op, ExecWarp *w, const void *result, size_t bytes)
{
    lane_32 *to = exec_operand(w, op->dst[0]);
    const lane_32 *from = result;
    for (unsigned i = 0; i < HD_MAX_LANES * bytes / 4; i++) to[i] = from[i];
}
static inline void store_predicate(ExecWarp *w, Operand dst, LaneMask mask, LaneMask value)
{
    if (dst == OPERAND_NONE) return;
    w->predicates[dst] = (w->predicates[dst] & ~mask) | (value & mask);
}

// The result of setp or set with a predicate operand c: result BOOL c.
static inline LaneMask combine_predicate(const UOp *op, const ExecWarp *w, LaneMask result)
{
    unsigned how = (op->flags & UF_BOOL_MASK) >> UF_BOOL_SHIFT;
    if (how == 0) return result;
    LaneMask c = exec_predicate(w, op->src[2]);
    if (op->flags & UF_NEGATE_C) c = ~c;
    return how == 1 ? result & c : how == 2 ? result | c : result ^ c;
}

// The result is computed in a local array first, because a 64-bit destination may overlap other
// lanes of a source.
#define OPS_FUNCTIONS(name, D)                                                                     \
    static void name##_full(const UOp *op, ExecWarp *w, LaneMask mask)                             \
    {                                                                                              \
        _Alignas(64) lane_##D r[HD_MAX_LANES];                                                     \
        (void)mask;                                                                                \
        name##_lanes(op, w, r);                                                                    \
        store_all(op, w, r, sizeof *r);                                                            \
    }                                                                                              \
    static void name##_some(const UOp *op, ExecWarp *w, LaneMask mask)                             \
    {                                                                                              \
        _Alignas(64) lane_##D r[HD_MAX_LANES];                                                     \
        name##_lanes(op, w, r);                                                                    \
        store_some(op, w, r, sizeof *r, mask);                                                     \
    }

// OP1 to OP3 (name, D, A, B, C, expression) define name_full and name_some, with a result of type D
// from operands a, b, c of types A, B, C. The expression sees one lane's a, b and c, and op.
#define OP1(name, D, A, ...)                                                                       \
    OPS_INLINE void name##_lanes(const UOp *op, const ExecWarp *w, lane_##D *restrict r)           \
    {                                                                                              \
        const lane_##A *pa = exec_operand(w, op->src[0]);                                          \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##A a = (value_##A)pa[l];                                                        \
            r[l] = (lane_##D)(value_##D)(__VA_ARGS__);                                             \
        }                                                                                          \
    }                                                                                              \
    OPS_FUNCTIONS(name, D)
#define OP2(name, D, A, B, ...)                                                                    \
    OPS_INLINE void name##_lanes(const UOp *op, const ExecWarp *w, lane_##D *restrict r)           \
    {                                                                                              \
        const lane_##A *pa = exec_operand(w, op->src[0]);                                          \
        const lane_##B *pb = exec_operand(w, op->src[1]);                                          \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##A a = (value_##A)pa[l];                                                        \
            value_##B b = (value_##B)pb[l];                                                        \
            r[l] = (lane_##D)(value_##D)(__VA_ARGS__);                                             \
        }                                                                                          \
    }                                                                                              \
    OPS_FUNCTIONS(name, D)
#define OP3(name, D, A, B, C, ...)                                                                 \
    OPS_INLINE void name##_lanes(const UOp *op, const ExecWarp *w, lane_##D *restrict r)           \
    {                                                                                              \
        const lane_##A *pa = exec_operand(w, op->src[0]);                                          \
        const lane_##B *pb = exec_operand(w, op->src[1]);                                          \
        const lane_##C *pc = exec_operand(w, op->src[2]);                                          \
        for (unsigned l = 0; l < HD_MAX_LANES; l++) {                                              \
            value_##A a = (value_##A)pa[l];                                                        \
            value_##B b = (value_##B)pb[l];                                                        \
            value_##C c = (value_##C)pc[l];                                                        \
            r[l] = (lane_##D)(value_##D)(__VA_ARGS__);                                             \
        }                                                                                          \
    }                                                                                              \
    OPS_FUNCTIONS(name, D)

// Rows of tables (op_table.h). The last argument is the prefix of the functions' names.
#define ROW_IF(code, type, type2, needs, also, fn)                                                 \
    {UOP_##code, PTX_##type, type2, ANY_MODIFIER, ANY_ROUNDING, needs, also, fn##_some, fn##_full}
#define ROW(code, type, fn) ROW_IF(code, type, PTX_NONE, 0, 0, fn)
// The same functions for the unsigned and the signed type.
#define ROW_BOTH(code, width, fn) ROW(code, U##width, fn), ROW(code, S##width, fn)

#endif
