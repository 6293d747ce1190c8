// Counts of executed instructions and DRAM transactions (--counts) of a run on a real GPU: by
// CUPTI, else by a simulation of the same run.
#ifndef HEDDLE_CLI_RUN_EXECUTION_COUNTS_H
#define HEDDLE_CLI_RUN_EXECUTION_COUNTS_H

#include "cli/run/run.h"

// Sets run->counts, after the program has run with a right answer. Does nothing without --counts.
bool count_execution(Run *run, HdError *err);

#endif
