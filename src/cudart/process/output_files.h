// The files that a run leaves. A run may be several processes (a script that starts programs, a
// program that forks), and a process may leave several reports: none overwrites another's.
#ifndef HEDDLE_CUDART_OUTPUT_FILES_H
#define HEDDLE_CUDART_OUTPUT_FILES_H

#include "base/error.h"

#include <time.h>

// When the run began: when heddle cuda started it or, without that, now.
struct timespec run_begin_time(void);

typedef struct OutputFile {
    char *path;      // where to write
    int folder_lock; // -1: none
} OutputFile;

// Finds the file's name: `asked`, with the process's number for %p in it; where the run has written
// that file already, with .2, .3, ... before its ending, which is told on stderr. Other processes
// of the run wait until output_file_end. false and err: nothing to end.
bool output_file_begin(OutputFile *output, const char *asked, const struct timespec *begun,
                       HdError *err);
void output_file_end(OutputFile *output);

#endif
