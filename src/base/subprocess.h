// Runs other programs. A program ends with the process that started it, however that ends.
#ifndef HEDDLE_BASE_SUBPROCESS_H
#define HEDDLE_BASE_SUBPROCESS_H

#include "base/fail.h"

#include <sys/types.h>

enum { SUBPROCESS_SIGNAL = 128 }; // a status above: the number of a signal was added

// How a program is started.
typedef struct Subprocess {
    const char *const *words; // NULL-terminated; the program is searched in PATH
    const char *const *without; // variables of the environment that it does not get; NULL: none
    int in, out, err;         // descriptors of stdin, stdout, stderr; 0: those of this process
    const char *errors;       // the file of its stderr, made or emptied; NULL: `err`
    int end_signal;           // which it gets if this process ends before it
    bool take_interrupts;     // Ctrl-C ends it, also if this process ignores Ctrl-C
} Subprocess;

// Returns the process ID; -1: it could not be started, and errno says why. The calling thread must
// live as long as the program.
pid_t subprocess_start(const Subprocess *program);
// Waits for it. The exit status, or SUBPROCESS_SIGNAL + the number of the signal that ended it; -1:
// unknown.
int subprocess_wait(pid_t child);

// Runs `words`, NULL-terminated, with this process's input and output. *status as of
// subprocess_wait. false and err: it could not be started.
bool subprocess_run(const char *const *words, int *status, HdError *err);

// Reads the program's stdout, at most size - 1 bytes. false: it could not be started, or it failed.
bool subprocess_output(const char *const *words, char *text, size_t size);
// Reads the program's stderr in the same way; its stdout is this process's. The status is as of
// subprocess_wait; -1: it could not be started, and errno says why.
int subprocess_messages(const char *const *words, char *text, size_t size);

#endif
