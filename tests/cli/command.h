// Runs the built `heddle` and captures its output.
#ifndef HEDDLE_TESTS_CLI_COMMAND_H
#define HEDDLE_TESTS_CLI_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { OUTPUT_TEXT = 1 << 17 };

typedef struct Command {
    int status; // exit status; -1: ended by a signal
    char out[OUTPUT_TEXT], err[OUTPUT_TEXT];
} Command;

// Runs heddle ($HEDDLE) with the words of `line`, separated by blanks. "$T" in a word is replaced
// by the folder of command_folder. The result is valid until the next call.
const Command *heddle(const char *line);
// Runs heddle with a limit on the size of files that it writes.
const Command *heddle_limited(const char *line, size_t most_bytes);
// Runs heddle and sends these signals once its simulation has started.
const Command *heddle_signalled(const char *line, const int *signals, size_t count);

// Starts heddle, and does not wait for it. Its output goes to NAME.out and NAME.err in the folder.
pid_t heddle_start(const char *line, const char *name);
// Waits for its end. The result is valid until the next call.
const Command *heddle_wait(pid_t process, const char *name);
// Waits until a file in the folder has a text; fails after a minute.
void wait_for_text(const char *name, const char *part);

// Whether the build is sanitized ($HEDDLE_SANITIZED). Its libraries link only to sanitized
// programs.
bool sanitized(void);

// A temporary folder per test program, removed at its end.
const char *command_folder(void);

// Write a file in that folder; read one as text, which the caller frees.
void write_text(const char *name, const char *text);
void write_bytes(const char *name, const void *bytes, size_t size);
char *read_text(const char *name);
// The member `result` of a JSON file in that folder as text, without `host`; the whole file as a
// value.
char *result_text(const char *name);
json_t *result_value(const char *name);

// Options of a small run of a workload that takes no graph, as `heddle workload` prints them; NULL
// if the workload takes a graph. The result is valid until the next call.
const char *small_sizes(const char *workload);

// Expects that the command ended with `status` after a single message that starts with "heddle: "
// and contains `part`, and printed nothing else.
void assert_refused(const char *line, const char *part);

// Calls check(part) in the folder, with a heddle.yaml of that text.
void with_settings(const char *yaml, void (*check)(const char *), const char *part);

#endif
