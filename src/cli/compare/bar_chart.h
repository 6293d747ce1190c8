// A figure of horizontal bars. Each name has a row of its own, so that long names stay legible.
#ifndef HEDDLE_CLI_COMPARE_BAR_CHART_H
#define HEDDLE_CLI_COMPARE_BAR_CHART_H

#include "base/fail.h"

#include <stddef.h>

typedef struct Bar {
    const char *name; // beside the bar; broken into lines if it is long
    double value;     // at least 0
    const char *note; // shown in place of a bar that has no value; NULL: it has one
} Bar;

typedef struct BarChart {
    const char *title;
    const char *axis, *axis_note; // below the axis: what the values are, and their unit
    const Bar *bars;              // the first is the baseline, in another colour
    size_t count;                 // at least 1
    double line;                  // a line across all bars at this value
} BarChart;

// Draws into the file at `path`, of the kind of its ending; fails as plot_draw (view/plot.h).
bool bar_chart_draw(const BarChart *chart, const char *path, HdError *err);

#endif
