// What the fuzz targets that run kernels share: a small machine, limits, and the start of a kernel.
#ifndef HEDDLE_TESTS_FUZZ_FUZZ_GPU_H
#define HEDDLE_TESTS_FUZZ_FUZZ_GPU_H

#include "gpu/gpu.h"

// Bits of the options of an input.
enum {
    FUZZ_FUNCTIONAL = 1,
    FUZZ_ITS = 2,
    FUZZ_LENIENT = 4,
    FUZZ_CONTRACT = 8,
    FUZZ_GRANULES = 16,
    FUZZ_STRICT = 32,
    FUZZ_WIDE = 64, // more than one warp and block
};

// How the text of an input with these options is read.
PtxOptions fuzz_ptx_options(unsigned options);
// Loads the module, and runs its first kernels under limits of cycles and instructions. Frees it.
// Fails if a launch ends with neither a result nor a message; if `counts`, also if its counters do
// not agree.
void fuzz_run(PtxModule *module, unsigned options, bool counts);
// A module of the text with this body, of a kernel with registers and variables of all kinds. The
// caller frees it.
char *fuzz_kernel(const char *body);

#endif
