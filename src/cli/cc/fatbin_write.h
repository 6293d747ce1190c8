// Writes PTX as a fat binary, which a host program embeds and registers with the CUDA runtime.
#ifndef HEDDLE_CLI_CC_FATBIN_WRITE_H
#define HEDDLE_CLI_CC_FATBIN_WRITE_H

#include "base/fail.h"

// Writes a fat binary to `path` that holds the PTX text of the file `ptx`, uncompressed, for `arch`
// (70: sm_70).
bool fatbin_write(const char *path, const char *ptx, unsigned arch, HdError *err);

#endif
