// Whether what a mechanism declares can be.
#ifndef HEDDLE_HOOKS_DECLARATION_H
#define HEDDLE_HOOKS_DECLARATION_H

#include "base/error.h"
#include "heddle/mechanism.h"

// To be asked of every mechanism that is not Heddle's own, where it is found; a test asks of those.
// What passes can be described, and the rest of hooks/ goes by it. On failure err names the
// mechanism, what is wrong, and what would be right.
bool declaration_check(const HdMechanism *mechanism, HdError *err);

#endif
