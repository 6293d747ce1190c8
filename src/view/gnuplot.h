// Runs gnuplot.
#ifndef HEDDLE_VIEW_GNUPLOT_H
#define HEDDLE_VIEW_GNUPLOT_H

#include "base/fail.h"

#include <stddef.h>

// Fails if there is no gnuplot in PATH.
bool gnuplot_check(HdError *err);

// What gnuplot writes to its standard output for a script: *size bytes and a zero byte, owned by
// the caller: free(). NULL and err, with gnuplot's own message if there is one.
char *gnuplot_run(const char *script, size_t *size, HdError *err);

#endif
