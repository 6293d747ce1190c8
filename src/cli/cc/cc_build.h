// Compiles and links the inputs of `heddle cc`.
#ifndef HEDDLE_CLI_CC_CC_BUILD_H
#define HEDDLE_CLI_CC_CC_BUILD_H

#include "cli/cc/cc_options.h"

// *status: 0, or the exit status of a compiler that failed after printing its messages. false and
// err: another failure.
bool cc_build(CcOptions *options, int *status, HdError *err);

#endif
