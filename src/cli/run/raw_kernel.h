// One kernel of a PTX file, with arguments from the command line.
#ifndef HEDDLE_CLI_RUN_RAW_KERNEL_H
#define HEDDLE_CLI_RUN_RAW_KERNEL_H

#include "cli/run/run_options.h"
#include "heddle/device.h"

// One --arg.
typedef struct RawArg {
    HdArg arg;         // of a buffer: its address once it is allocated
    uint64_t bytes;    // of a buffer
    char name[48];
    uint8_t fill;
    const char *file;  // with its first bytes; NULL: none
    const char *dump;  // file to write it to after the run; NULL: none
} RawArg;

typedef struct RawKernel {
    RawArg *args;
    size_t count;
} RawKernel;

// Reads --arg and --dump. false and err on a mistake; free in any case.
bool raw_kernel_parse(RawKernel *kernel, const RunOptions *options, HdError *err);
// Allocates the buffers, launches the kernel (loaded already), writes the dumps.
bool raw_kernel_run(RawKernel *kernel, const RunOptions *options, HdDevice *device, HdError *err);
void raw_kernel_free(RawKernel *kernel);

#endif
