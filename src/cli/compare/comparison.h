// What variants come to beside the first: as a table, as a figure.
#ifndef HEDDLE_CLI_COMPARE_COMPARISON_H
#define HEDDLE_CLI_COMPARE_COMPARISON_H

#include "cli/compare/variants.h"

// On stdout, those that are done.
void comparison_print(const Variants *variants);
// Instructions per cycle, beside the first.
bool comparison_svg(const Variants *variants, const char *path, HdError *err);

#endif
