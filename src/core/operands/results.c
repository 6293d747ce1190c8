// The table of the cycles in which results leave the units.
#include "core/operands/results.h"

bool results_init(Results *results, const UnitConfig *config, uint64_t horizon, HdTables *tables)
{
    // One of the limits keeps the number of results below this.
    enum { NO_LIMIT = UINT8_MAX };
    *results = (Results){.mask = 1, .one_per_unit = config->unit_results ? UINT64_MAX : 0,
                         .per_sm = config->sm_results ? config->sm_results : NO_LIMIT};
    if (!config->unit_results && !config->sm_results) return true;
    while (results->mask < horizon) results->mask = 2 * results->mask + 1;
    results->rows = hd_tables_new(tables, (size_t)results->mask + 1, sizeof *results->rows);
    return results->rows;
}
