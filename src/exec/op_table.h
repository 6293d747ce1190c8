// Tables of the functions that compute each micro-op. The first row that matches is used. There is
// one set of tables for each vector unit that the host may have; all sets give the same bits.
#ifndef HEDDLE_EXEC_OP_TABLE_H
#define HEDDLE_EXEC_OP_TABLE_H

#include "ptx/uop.h"

#include <stddef.h>

typedef enum ExecUnit { EXEC_BASE, EXEC_AVX2, EXEC_AVX512, EXEC_UNITS } ExecUnit;

// Whether this host and this build support the unit; and the widest supported unit.
bool exec_unit_available(ExecUnit unit);
ExecUnit exec_best_unit(void);

// Sets op->run and op->run_full for the unit; NULL for operations that the core executes itself
// (memory, barriers, control). false if no row matches.
bool exec_select(UOp *op, ExecUnit unit);

enum { ANY_MODIFIER = 0xff, ANY_ROUNDING = 0xff };

typedef struct OpRow {
    uint8_t code;     // UopCode
    uint8_t type;     // PtxType; untyped bits (B32) match the unsigned type
    uint8_t type2;    // PTX_NONE: any
    uint8_t modifier; // ANY_MODIFIER: any
    uint8_t rounding; // ANY_ROUNDING: any
    uint32_t needs;   // flags that must be set in the micro-op
    uint32_t also;    // flags that may be set; any other flag excludes the row
    ExecFn some, full; // for a partial mask; for a mask of all lanes
} OpRow;

typedef struct OpTable {
    const OpRow *rows;
    size_t count;
} OpTable;

// The tables that are compiled for each vector unit (ops.h).
#define OPS_DECLARE(unit)                                                                          \
    extern const OpTable ops_int_##unit, ops_bits_##unit, ops_float_##unit, ops_compare_##unit,    \
        ops_convert_##unit, ops_move_##unit
OPS_DECLARE(base);
OPS_DECLARE(avx2);
OPS_DECLARE(avx512);

// The tables that are compiled once: operations across lanes, and rare operations on parts of
// registers.
extern const OpTable ops_warp, ops_packed, ops_video;

#endif
