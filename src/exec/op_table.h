// Which function computes which micro-op: tables, of which the first row that fits is taken. There
// is one set for each vector unit that the host may have; all give the same bits.
#ifndef HEDDLE_EXEC_OP_TABLE_H
#define HEDDLE_EXEC_OP_TABLE_H

#include "ptx/uop.h"

#include <stddef.h>

typedef enum ExecUnit { EXEC_BASE, EXEC_AVX2, EXEC_AVX512, EXEC_UNITS } ExecUnit;

// Whether this host (and this build) has the unit; the widest that it has.
bool exec_unit_available(ExecUnit unit);
ExecUnit exec_best_unit(void);

// Fills in op->run and op->run_full for that unit; NULL for what the core carries out itself
// (memory, barriers, control). false where the operation has no semantics.
bool exec_select(UOp *op, ExecUnit unit);

enum { ANY_MODIFIER = 0xff, ANY_ROUNDING = 0xff };

typedef struct OpRow {
    uint8_t code;     // UopCode
    uint8_t type;     // PtxType; untyped bits (B32) are looked up as unsigned
    uint8_t type2;    // PTX_NONE: any
    uint8_t modifier; // ANY_MODIFIER: any
    uint8_t rounding; // ANY_ROUNDING: any
    uint32_t needs;   // flags of the micro-op that must be set
    uint32_t also;    // flags that may be set; any other flag rules the row out
    ExecFn some, full;
} OpRow;

typedef struct OpTable {
    const OpRow *rows;
    size_t count;
} OpTable;

// Compiled for each vector unit (ops.h).
#define OPS_DECLARE(unit)                                                                          \
    extern const OpTable ops_int_##unit, ops_bits_##unit, ops_float_##unit, ops_compare_##unit,    \
        ops_convert_##unit, ops_move_##unit
OPS_DECLARE(base);
OPS_DECLARE(avx2);
OPS_DECLARE(avx512);

// Compiled once: operations across lanes, and rare ones on parts of registers.
extern const OpTable ops_warp, ops_packed, ops_video;

#endif
