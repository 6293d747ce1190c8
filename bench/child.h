// Builds a command line and runs it as a child process.
#ifndef HEDDLE_BENCH_CHILD_H
#define HEDDLE_BENCH_CHILD_H

#include "base/fail.h"

#include <stddef.h>

enum { CHILD_ARGUMENTS = 64 };

typedef struct Child {
    char *arguments[CHILD_ARGUMENTS + 1]; // NULL-terminated; point into `text`
    int count;
    char text[32768];
    size_t used;
    bool too_long; // an argument did not fit: child_run fails
    int status;    // exit status
    long peak_kib; // peak resident memory
} Child;

// Adds an argument. The first is the program, looked up in PATH if it has no slash.
void child_add(Child *child, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Runs the child to its end. Its stdout goes to the file `out`, its stderr to the file `errors`
// (NULL: to our stderr). Fails if the child cannot be run or a signal terminates it.
bool child_run(Child *child, const char *out, const char *errors, HdError *err);

#endif
