// A program that is to be run on the simulated GPU: where it is, and what its file says about how
// it finds the CUDA runtime.
#ifndef HEDDLE_CLI_CUDA_PROGRAM_FILE_H
#define HEDDLE_CLI_CUDA_PROGRAM_FILE_H

#include "base/error.h"

enum { PROGRAM_PATH = 4096, SONAME_TEXT = 64, FUNCTION_TEXT = 64 };

typedef struct ProgramFile {
    char path[PROGRAM_PATH];
    char runtime[SONAME_TEXT]; // the libcudart that it needs; "": none by itself
    char loader[PROGRAM_PATH]; // that loads its libraries; "": it has none
    char driver_call[FUNCTION_TEXT]; // a function of the driver's that it calls; "": none
    bool elf;                  // no script
} ProgramFile;

// Finds the program as a shell does and looks into it. false and err where it cannot be run so: not
// there, not to be executed, for another kind of host, with rights of its own, with the static
// runtime, or with kernels that were compiled separately. What is no ELF file is left to the
// system.
bool program_file_read(ProgramFile *program, const char *name, HdError *err);

// Does a library hold kernels together with the static CUDA runtime?
bool program_file_is_static(const char *path);

#endif
