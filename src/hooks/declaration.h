// Checks of a mechanism's declaration.
#ifndef HEDDLE_HOOKS_DECLARATION_H
#define HEDDLE_HOOKS_DECLARATION_H

#include "base/fail.h"
#include "heddle/mechanism.h"

// Called for each mechanism of a shared object when it is loaded; a test calls it for the built-in
// ones. The rest of hooks/ relies on it. On failure err names the mechanism, what is wrong, and
// what is expected.
bool declaration_check(const HdMechanism *mechanism, HdError *err);

#endif
