// The text of one mechanism's parameters in --mechanism: "key=value,key=value".
#ifndef HEDDLE_HOOKS_PARAMETER_TEXT_H
#define HEDDLE_HOOKS_PARAMETER_TEXT_H

#include "hooks/plan.h"

// "A..B": the whole numbers from first to last, where first < last.
typedef struct ParameterRange {
    const char *text; // in the text that was read
    double first, last;
} ParameterRange;

typedef struct ParameterRanges {
    ParameterRange items[PLAN_PARAMETERS];
    size_t count;
} ParameterRanges;

// Reads the text, which is changed, into `values`, by the order of the mechanism's parameters. A
// text between commas without `=` belongs to the value before it. A parameter of whole numbers may
// be a range, which is added to `ranges` and leaves the value unchanged. ranges NULL: a range is an
// error.
bool parameter_text_read(const HdMechanism *mechanism, char *text, double *values,
                         ParameterRanges *ranges, HdError *err);

#endif
