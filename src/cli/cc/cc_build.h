// Compiles and links what `heddle cc` was given.
#ifndef HEDDLE_CLI_CC_CC_BUILD_H
#define HEDDLE_CLI_CC_CC_BUILD_H

#include "cli/cc/cc_options.h"

// *status is that of the compiler where it failed (it has said why itself), else 0. false and err
// where something else went wrong.
bool cc_build(CcOptions *options, int *status, HdError *err);

#endif
