// Ratios of the counters of prefetches.
#ifndef HEDDLE_REPORT_PREFETCH_RATIOS_H
#define HEDDLE_REPORT_PREFETCH_RATIOS_H

#include "hooks/prefetch_queues.h"
#include "report/format_numbers.h"

// Of the fetched sectors: those that an access used or waited for. 0: none was fetched.
static inline double prefetch_accuracy(const PrefetchCounters *c)
{
    return ratio(c->useful + c->late, c->fetched);
}

// Of the sectors that accesses would have missed without these prefetches: those that prefetches
// fetched. 0: there are none.
static inline double prefetch_coverage(const PrefetchCounters *c)
{
    return ratio(c->useful + c->late, c->useful + c->late + c->demand_misses);
}

#endif
