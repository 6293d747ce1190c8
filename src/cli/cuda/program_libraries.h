// The libraries of a program for the simulated GPU: the CUDA runtime that it would load, and what a
// simulated GPU cannot run.
#ifndef HEDDLE_CLI_CUDA_PROGRAM_LIBRARIES_H
#define HEDDLE_CLI_CUDA_PROGRAM_LIBRARIES_H

#include "cli/cuda/program_file.h"

enum { PRELOAD_TEXT = 4 * PROGRAM_PATH };

// Asks the system's loader what it would load in this environment; `folder` has Heddle's runtimes.
// *preload becomes the list, joined by :, of libraries to load first: Heddle's runtime if the
// program or a library names another folder, and a substitute for a missing driver that the program
// does not call. false and err: the program cannot run. Warns on stderr of what will not work, and
// of a program that does not use CUDA.
bool program_libraries_check(const ProgramFile *program, const char *folder,
                             char preload[PRELOAD_TEXT], HdError *err);

#endif
