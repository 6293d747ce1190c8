// The results of variants relative to the first, as a table and as a figure.
#ifndef HEDDLE_CLI_COMPARE_COMPARISON_H
#define HEDDLE_CLI_COMPARE_COMPARISON_H

#include "cli/compare/variants.h"

// Prints the variants that are done.
void comparison_print(const Variants *variants);
// Draws instructions per cycle, relative to the first.
bool comparison_draw(const Variants *variants, const char *path, HdError *err);

#endif
