// Counts the results that leave the units in each cycle.
#include "core/operands/results.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool results_init(Results *results, const UnitConfig *config, unsigned units, uint64_t horizon)
{
    *results = (Results){.columns = units + 1};
    if (!config->unit_results && !config->sm_results) return true;
    results->per_unit = config->unit_results ? config->unit_results : UINT8_MAX;
    results->per_sm = config->sm_results ? config->sm_results : UINT8_MAX;
    for (results->cycles = 64; results->cycles < horizon;) results->cycles *= 2;
    results->rows = hd_new(results->cycles, results->columns);
    return results->rows;
}

void results_free(Results *results) { free(results->rows); }

void results_clear(Results *results, uint64_t now)
{
    if (now - results->cleared >= results->cycles) {
        memset(results->rows, 0, results->cycles * results->columns);
        results->cleared = now;
    }
    for (; results->cleared < now; results->cleared++)
        memset(results_row(results, results->cleared), 0, results->columns);
}
