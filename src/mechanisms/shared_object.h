// Mechanisms of shared objects.
#ifndef HEDDLE_MECHANISMS_SHARED_OBJECT_H
#define HEDDLE_MECHANISMS_SHARED_OBJECT_H

#include "base/error.h"
#include "heddle/mechanism.h"

// Loads the file and finds the mechanism that it exports; what that declares can be
// (hooks/declaration.h). NULL: it cannot, and nothing is loaded. *library is for dlclose.
const HdMechanism *shared_object_load(const char *path, void **library, HdError *err);

#endif
