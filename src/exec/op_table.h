// Tables of the functions that compute each micro-op. The first row that matches is used. There is
// one set of tables for each instruction set that the host may have; all sets give the same bits.
#ifndef HEDDLE_EXEC_OP_TABLE_H
#define HEDDLE_EXEC_OP_TABLE_H

#include "ptx/uop.h"

#include <stddef.h>

typedef enum ExecIsa { EXEC_BASE, EXEC_AVX2, EXEC_AVX512, EXEC_ISAS } ExecIsa;

// Whether this host and this build support the instruction set; and the widest one.
bool exec_isa_available(ExecIsa isa);
ExecIsa exec_best_isa(void);

// Sets op->run and op->run_full for the instruction set; NULL for operations that the core executes
// itself (memory, barriers, control). false if no row matches.
bool exec_select(UOp *op, ExecIsa isa);

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

// The tables that are compiled for each instruction set (ops.h).
#define OPS_DECLARE(isa)                                                                           \
    extern const OpTable ops_int_##isa, ops_bits_##isa, ops_float_##isa, ops_compare_##isa,        \
        ops_convert_##isa, ops_move_##isa
OPS_DECLARE(base);
OPS_DECLARE(avx2);
OPS_DECLARE(avx512);

// The tables that are compiled once: operations across lanes, and rare operations on parts of
// registers.
extern const OpTable ops_warp, ops_packed, ops_video;

#endif
