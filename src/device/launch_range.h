// Which launches of a program are simulated in time: those before them are computed and warm the
// caches, those behind them are computed (docs/decisions/0006-functional.md).
#ifndef HEDDLE_DEVICE_LAUNCH_RANGE_H
#define HEDDLE_DEVICE_LAUNCH_RANGE_H

#include "base/error.h"

#include <stdint.h>

// "A..B", or "A" alone; the first launch is 1. false: the text is neither, or an empty range.
bool launch_range_parse(const char *text, uint64_t *first, uint64_t *last, HdError *err);

#endif
