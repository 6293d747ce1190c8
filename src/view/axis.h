// Axes of figures: limits, tics, and the texts of tics.
#ifndef HEDDLE_VIEW_AXIS_H
#define HEDDLE_VIEW_AXIS_H

#include <stdbool.h>

enum { AXIS_TICS = 24, AXIS_TEXT = 24 };

typedef struct Axis {
    bool log;
    double low, high;         // low < high; above zero if `log`
    unsigned count;           // of tics
    double tics[AXIS_TICS];   // from low to high
    char texts[AXIS_TICS][AXIS_TEXT];
} Axis;

// Sets limits and tics for values from low to high, low <= high, both below 1e100 and, if `log`,
// above zero. About `tics` of them, at least 1. `round_low` and `round_high`: the limit is a tic;
// otherwise it stays as it is.
void axis_set(Axis *axis, bool log, double low, double high, unsigned tics, bool round_low,
              bool round_high);

// Where a value is, from 0 at the low limit to 1 at the high one.
double axis_place(const Axis *axis, double value);

#endif
