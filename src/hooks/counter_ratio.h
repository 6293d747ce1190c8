// Ratios of a mechanism's counters (HdRatio).
#ifndef HEDDLE_HOOKS_COUNTER_RATIO_H
#define HEDDLE_HOOKS_COUNTER_RATIO_H

#include "heddle/mechanism.h"

// Checks the names in both sides of a ratio. Returns the first that is no counter of the mechanism,
// and sets its length: 0 if a side is empty. NULL: all are right.
const char *counter_ratio_check(const HdMechanism *mechanism, const HdRatio *ratio, int *length);

// The value of counter `index` of HdMechanism.counters.
typedef uint64_t CounterValue(const void *context, unsigned index);
// The value of a ratio with right names; 0 if the whole is 0.
double counter_ratio(const HdMechanism *mechanism, const HdRatio *ratio, CounterValue *value,
                     const void *context);

#endif
