// Other programs, run and waited for.
#ifndef HEDDLE_CLI_COMMON_SUBPROCESS_H
#define HEDDLE_CLI_COMMON_SUBPROCESS_H

#include "base/error.h"
#include "cli/common/text_list.h"

// Runs words->items (the program is looked for in PATH) with this process's input and outputs.
// *status becomes its exit status, SIGNAL_STATUS + the signal's number where one ended it. false
// and err where it could not be started.
bool subprocess_run(const TextList *words, int *status, HdError *err);

// What the program prints on stdout, cut to size - 1 bytes. false: not there, or it failed.
bool subprocess_output(const TextList *words, char *text, size_t size);

#endif
