// The cycles in which results leave the units (units.unit_results, units.sm_results).
//
// An instruction that enters a unit takes the cycle of its result. The table of the cycles to come
// is never cleared, because its rows say which cycle they are of.
#ifndef HEDDLE_CORE_OPERANDS_RESULTS_H
#define HEDDLE_CORE_OPERANDS_RESULTS_H

#include "base/tables.h"
#include "core/core_config.h"

enum { RESULT_COUNT_SHIFT = 56 };

typedef struct ResultRow {
    uint64_t cycle;
    uint64_t taken; // a bit by unit; from RESULT_COUNT_SHIFT on, the number of all units' results
} ResultRow;

typedef struct Results {
    ResultRow *rows; // by cycle modulo their number; NULL: no limits
    uint64_t mask;   // rows (a power of two), less one
    uint64_t one_per_unit; // all bits if a unit has one result per cycle, else none
    unsigned per_sm; // results of all units per cycle
} Results;

// horizon: an instruction that issues now has its result in less than this many cycles. false: out
// of memory.
bool results_init(Results *results, const UnitConfig *config, uint64_t horizon, HdTables *tables);

// Takes a cycle for a result of the unit. false: no room.
static inline bool results_take(const Results *results, unsigned unit, uint64_t cycle)
{
    ResultRow *row = &results->rows[cycle & results->mask];
    uint64_t taken = row->cycle == cycle ? row->taken : 0, own = UINT64_C(1) << unit;
    if (taken & own & results->one_per_unit) return false;
    if (taken >> RESULT_COUNT_SHIFT >= results->per_sm) return false;
    *row = (ResultRow){cycle, (taken | own) + (UINT64_C(1) << RESULT_COUNT_SHIFT)};
    return true;
}

#endif
