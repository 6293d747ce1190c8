// The libraries of a program that is to be run on the simulated GPU: which runtime it would get,
// and what in them a simulated GPU cannot do.
#ifndef HEDDLE_CLI_CUDA_PROGRAM_LIBRARIES_H
#define HEDDLE_CLI_CUDA_PROGRAM_LIBRARIES_H

#include "cli/cuda/program_file.h"

enum { PRELOAD_TEXT = 4 * PROGRAM_PATH };

// Asks the system's loader what it would load, in this environment; `folder` is that of Heddle's
// runtimes. *preload becomes the list of what has to be loaded in front (with : between them): a
// runtime that the program or a library says is elsewhere, and what stands for a driver that is not
// there and that the program calls nothing of. false and err where the program cannot run so; what
// will not work in it, or that it has nothing to do with CUDA, is told on stderr.
bool program_libraries_check(const ProgramFile *program, const char *folder,
                             char preload[PRELOAD_TEXT], HdError *err);

#endif
