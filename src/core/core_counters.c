// The tables of an SM's counters, their sum, and the names of its caches.
#include "core/core_counters.h"

const SmCacheNames sm_cache_names[SM_CACHES] = {
    [SM_L1D] = {"l1d", "L1D"}, [SM_L1I] = {"l1i", "L1I"},  [SM_L1C] = {"l1c", "L1C"},
    [SM_L1R] = {"l1r", "L1R"}, [SM_L15] = {"l15", "L1.5"},
};

STAT_TABLE(issue_table, IssueCounters, ISSUE_COUNTERS);
STAT_TABLE(sm_table, SmCounters, SM_COUNTERS);
STAT_TABLE(group_table, GroupCounters, GROUP_COUNTERS);
STAT_TABLE(pc_table, PcCounters, PC_COUNTERS);

void sm_tables_add(SmTables *into, const SmTables *from)
{
#define ADD(field, type, table, of) stats_add(&table, &into->field, &from->field);
    SM_TABLES(ADD)
#undef ADD
    for (unsigned c = 0; c < SM_CACHES; c++)
        stats_add(&cache_table, &into->caches[c], &from->caches[c]);
    for (unsigned c = 0; c < OP_CLASSES; c++) {
        into->by_class[c] += from->by_class[c];
        into->thread_by_class[c] += from->thread_by_class[c];
    }
    for (unsigned i = 0; i <= HD_MAX_LANES; i++) {
        into->lanes[i] += from->lanes[i];
        into->requests[i] += from->requests[i];
        into->group_lanes[i] += from->group_lanes[i];
        into->waves[i] += from->waves[i];
    }
}
