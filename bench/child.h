// A command line put together, and run as a child process.
#ifndef HEDDLE_BENCH_CHILD_H
#define HEDDLE_BENCH_CHILD_H

#include "base/error.h"

#include <stddef.h>

enum { CHILD_ARGUMENTS = 64 };

typedef struct Child {
    char *arguments[CHILD_ARGUMENTS + 1]; // up to a NULL; they stand in text
    int count;
    char text[32768];
    size_t used;
    bool too_long; // an argument had no place: child_run says so
    int status;    // of its end: the exit status
    long peak_kib; // most memory that was resident at once
} Child;

// The next argument; the first is the program, looked up in PATH where it has no slash.
void child_add(Child *child, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Runs it to its end. What it prints goes into the file `out`, what it complains about into the
// file `errors` (NULL: to our own stderr). False where it cannot be run or a signal ended it.
bool child_run(Child *child, const char *out, const char *errors, HdError *err);

#endif
