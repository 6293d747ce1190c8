// How many results leave the units in a cycle (units.unit_results, units.sm_results).
//
// A table counts the results of the cycles to come, by unit and for the SM. An instruction that
// enters a unit takes its place there. Most machines limit nothing, and have no table.
#ifndef HEDDLE_CORE_OPERANDS_RESULTS_H
#define HEDDLE_CORE_OPERANDS_RESULTS_H

#include "core/core.h"

typedef struct Results {
    uint8_t *rows;    // by cycle modulo `cycles`: the results of each unit, then of all units
    uint64_t cycles;  // rows (a power of two); 0: no limit, no table
    uint64_t cleared; // the rows of earlier cycles are zero
    unsigned columns; // units of all ports, and one for the SM
    unsigned per_unit, per_sm; // the limits
} Results;

// horizon: an instruction that issues now has its result in less than this many cycles. false: out
// of memory.
bool results_init(Results *results, const UnitConfig *config, unsigned units, uint64_t horizon);
void results_free(Results *results);

// Clears the rows of the cycles before `now`, which never decreases.
void results_clear(Results *results, uint64_t now);

static inline uint8_t *results_row(const Results *results, uint64_t cycle)
{
    return &results->rows[(cycle & (results->cycles - 1)) * results->columns];
}
// Whether one more result may leave the unit in this cycle.
static inline bool results_has_room(const Results *results, unsigned unit, uint64_t cycle)
{
    const uint8_t *row = results_row(results, cycle);
    return row[unit] < results->per_unit && row[results->columns - 1] < results->per_sm;
}
static inline void results_take(Results *results, unsigned unit, uint64_t cycle)
{
    uint8_t *row = results_row(results, cycle);
    row[unit]++;
    row[results->columns - 1]++;
}

#endif
