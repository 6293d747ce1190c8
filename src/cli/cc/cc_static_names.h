// Names of static variables in the relocatable PTX that clang writes.
#ifndef HEDDLE_CLI_CC_CC_STATIC_NAMES_H
#define HEDDLE_CLI_CC_CC_STATIC_NAMES_H

#include "base/fail.h"

// Rewrites the PTX file where a static variable has two names.
//
// clang appends "__static__" and a hash to the name of a static variable that the host uses, so
// that it is unique in a program. A kernel that precedes the first use by the host refers to the
// variable by its plain name, which clang (14) declares as extern. Such references get the long
// name.
bool cc_static_names_join(const char *path, HdError *err);

#endif
