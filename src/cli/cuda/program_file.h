// A program for the simulated GPU: its path, and how its file finds the CUDA runtime.
#ifndef HEDDLE_CLI_CUDA_PROGRAM_FILE_H
#define HEDDLE_CLI_CUDA_PROGRAM_FILE_H

#include "base/fail.h"

enum { PROGRAM_PATH = 4096, SONAME_TEXT = 64, FUNCTION_TEXT = 64 };

typedef struct ProgramFile {
    char path[PROGRAM_PATH];
    char runtime[SONAME_TEXT]; // the libcudart that it needs itself; "": none
    char loader[PROGRAM_PATH]; // of its libraries; "": it has none
    char driver_call[FUNCTION_TEXT]; // a driver function that it calls; "": none
    bool elf;                  // an ELF file, not a script
} ProgramFile;

// Finds the program as a shell does and reads its file. false and err if it cannot run on the
// simulated GPU: missing, not executable, for another kind of host, with set-user-ID or similar
// rights, with the static runtime, or with separately compiled kernels. The system judges files
// that are not ELF.
bool program_file_read(ProgramFile *program, const char *name, HdError *err);

// Does a library hold kernels together with the static CUDA runtime?
bool program_file_is_static(const char *path);

#endif
