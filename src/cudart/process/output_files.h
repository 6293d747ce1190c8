// Names of the output files of a run. A run may have several processes (a script that starts
// programs, a program that forks), and a process may write several reports. No output overwrites
// another output of the same run.
#ifndef HEDDLE_CUDART_OUTPUT_FILES_H
#define HEDDLE_CUDART_OUTPUT_FILES_H

#include "base/fail.h"

#include <time.h>

// When `heddle cuda` started the run; without `heddle cuda`: now.
struct timespec run_begin_time(void);

typedef struct OutputFile {
    char *path;      // where to write
    int folder_lock; // -1: none
} OutputFile;

// Chooses the file's name: `asked` with %p replaced by the process ID; if the run has written that
// file already, with .2, .3, ... before the extension, which a message on stderr reports. Locks the
// folder, so that other processes of the run wait until output_file_end. On failure sets err;
// output_file_end must not follow.
bool output_file_begin(OutputFile *output, const char *asked, const struct timespec *begun,
                       HdError *err);
void output_file_end(OutputFile *output);

#endif
