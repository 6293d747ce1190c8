// Figures: gnuplot draws them.
#ifndef HEDDLE_CLI_COMMON_PLOT_H
#define HEDDLE_CLI_COMMON_PLOT_H

#include "base/error.h"

#include <stdio.h>

// Runs gnuplot on the script, which says what to plot but not where to, and puts the SVG into the
// file, which is replaced only when the figure is complete. Fails with what is missing where there
// is no gnuplot.
bool plot_svg(const char *script, const char *path, HdError *err);

// Writes a text as gnuplot takes it in single quotes, in which nothing but the quote and the end of
// the line means anything.
void plot_quoted(FILE *out, const char *text);

// Is there a gnuplot, and can the file be written? Asked before long work.
bool plot_check(const char *path, HdError *err);

#endif
