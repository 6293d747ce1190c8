// What the runs of a comparison computed: their answer, and how much of the graph they looked at.
#ifndef HEDDLE_CLI_COMPARE_ANSWERS_H
#define HEDDLE_CLI_COMPARE_ANSWERS_H

#include "cli/compare/variants.h"

// Prints the answer of the first variant that is done, as `heddle run` does, and whether others
// have other numbers.
void answers_print(const Variants *variants);

// Warns on stderr if the search of the first variant that is done looks at little of its graph
// (cli/run/graph_work.h). `largest`: its source is --source largest.
void answers_warn(const Variants *variants, bool largest);

#endif
