// Messages of commands, and their exit statuses.
#ifndef HEDDLE_CLI_COMMON_MESSAGES_H
#define HEDDLE_CLI_COMMON_MESSAGES_H

#include "base/fail.h"

// An interrupted command's status is SIGNAL_STATUS + the signal's number, as in a shell.
enum { EXIT_GOOD = 0, EXIT_WRONG = 1, EXIT_INPUT = 2, SIGNAL_STATUS = 128 };

// Prints "heddle: TEXT" on stderr; returns EXIT_INPUT.
int cli_fail(const HdError *err);
// The same with a message made here.
int cli_fail_with(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints "heddle: note: TEXT" on stderr.
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Flushes stdout; EXIT_GOOD, or EXIT_INPUT and a message if it cannot be written.
int cli_flush(void);

#endif
