// What the program executed (--counts), beside what a real GPU measured: from CUPTI, else from the
// simulator.
#ifndef HEDDLE_CLI_RUN_EXECUTION_COUNTS_H
#define HEDDLE_CLI_RUN_EXECUTION_COUNTS_H

#include "cli/run/run.h"

// Counts into run->counts, after the program has run with the right answer. Does nothing where
// --counts was not given.
bool count_execution(Run *run, HdError *err);

#endif
