// The process of a variant: `heddle run` with its mechanisms.
#ifndef HEDDLE_CLI_COMPARE_VARIANT_PROCESS_H
#define HEDDLE_CLI_COMPARE_VARIANT_PROCESS_H

#include "cli/compare/variants.h"

// Starts the run, whose result and messages go to the folder.
bool variant_process_start(const Variants *variants, Variant *variant, HdError *err);

// Whether the variant can run: checks its options, machine, mechanisms and kernels, in a process
// that simulates nothing. *possible is false, and the variant has a message, if they are refused.
// false and err: it cannot be checked.
bool variant_process_check(const Variants *variants, Variant *variant, bool *possible,
                           HdError *err);

// Gives the variant of a run that failed its message. status: the exit status; signal: the signal
// that ended it, or 0.
void variant_process_explain(const Variants *variants, Variant *variant, int status, int signal);

#endif
