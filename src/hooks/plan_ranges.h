// Ranges in --mechanism, such as warp-limit:warps=1..24, and the texts that they stand for.
#ifndef HEDDLE_HOOKS_PLAN_RANGES_H
#define HEDDLE_HOOKS_PLAN_RANGES_H

#include "hooks/plan.h"

// Maximum number of texts that one text expands to; of ranges in it, because each has at least two
// values.
enum { PLAN_RANGE_TEXTS = 256, PLAN_RANGES = 8 };

typedef struct PlanRange {
    size_t at, length; // of "A..B" in the text
    double first;      // A
    size_t count;      // of its values
} PlanRange;

typedef struct PlanRanges {
    const char *text; // of the caller
    PlanRange items[PLAN_RANGES];
    size_t count;
    size_t texts; // the product of their counts; 1 without ranges
} PlanRanges;

// Finds the ranges in the parameters of a text. Only if a parameter may hold one, the text's
// mechanisms are found, which loads their shared objects, and their parameters are checked.
bool plan_ranges_read(PlanRanges *ranges, const char *text, MechanismFinder *find, HdError *err);

// The text of this index, with a number in place of each range: smaller numbers first, the last
// range changes fastest. NULL: out of memory. Owned by the caller: free().
char *plan_ranges_text(const PlanRanges *ranges, size_t index);

#endif
