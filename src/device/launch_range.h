// The range of launches of a program that are timed. Earlier launches are functional and warm the
// caches, later ones are functional (docs/decisions/0006-functional.md).
#ifndef HEDDLE_DEVICE_LAUNCH_RANGE_H
#define HEDDLE_DEVICE_LAUNCH_RANGE_H

#include "base/error.h"

#include <stdint.h>

// Reads "A..B", or "A" alone; the first launch is 1. false and err: neither, or an empty range.
bool launch_range_parse(const char *text, uint64_t *first, uint64_t *last, HdError *err);

#endif
