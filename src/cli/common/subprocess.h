// Runs other programs and waits for them.
#ifndef HEDDLE_CLI_COMMON_SUBPROCESS_H
#define HEDDLE_CLI_COMMON_SUBPROCESS_H

#include "base/fail.h"
#include "cli/common/text_list.h"

// Runs words->items (the program is searched in PATH) with this process's input and output. *status
// is its exit status, or SIGNAL_STATUS + the number of the signal that ended it. false and err: it
// could not be started.
bool subprocess_run(const TextList *words, int *status, HdError *err);

// Reads the program's stdout, at most size - 1 bytes. false: it could not be started, or it failed.
bool subprocess_output(const TextList *words, char *text, size_t size);

#endif
