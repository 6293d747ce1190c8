// Runs the built `heddle` and keeps what it prints.
#ifndef HEDDLE_TESTS_CLI_COMMAND_H
#define HEDDLE_TESTS_CLI_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_TEXT = 1 << 17 };

typedef struct Command {
    int status; // exit status; -1: ended by a signal
    char out[OUTPUT_TEXT], err[OUTPUT_TEXT];
} Command;

// Runs heddle ($HEDDLE) with the words of `line`, which are separated by blanks. "$T" in a word
// stands for the folder of command_folder. The result is valid until the next call.
const Command *heddle(const char *line);
// The same with a limit on the size of files that it may write.
const Command *heddle_limited(const char *line, size_t most_bytes);
// The same, sending it these signals when its simulation has begun.
const Command *heddle_signalled(const char *line, const int *signals, size_t count);

// Is the build sanitized ($HEDDLE_SANITIZED)? Its libraries link to sanitized programs only.
bool sanitized(void);

// A folder of its own for each test program, removed at its end.
const char *command_folder(void);

// Writes a file in that folder, and reads one as text (freed by the caller).
void write_text(const char *name, const char *text);
void write_bytes(const char *name, const void *bytes, size_t size);
char *read_text(const char *name);
// `result` of a JSON file in that folder, as text without `host`; and the whole as a value.
char *result_text(const char *name);
json_t *result_value(const char *name);

// Options of a small run of a workload that takes no graph; NULL for those that take one.
const char *small_sizes(const char *workload);

// Fails unless the command ended with `status` after one message that starts with "heddle: " and
// contains `part`, and printed nothing else.
void assert_refused(const char *line, const char *part);

#endif
