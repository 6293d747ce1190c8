// The built-in mechanisms, and how mechanisms are found.
#ifndef HEDDLE_MECHANISMS_MECHANISM_REGISTRY_H
#define HEDDLE_MECHANISMS_MECHANISM_REGISTRY_H

#include "hooks/plan.h"

// The built-in mechanisms, by the order of list.h; ends with NULL.
extern const HdMechanism *const mechanisms[];

// Returns a built-in mechanism by name, or the one that a shared object exports by path (a name
// with a slash; shared_object_load). On failure NULL. A MechanismFinder.
const HdMechanism *mechanism_find(const char *name, void **library, HdError *err);

#endif
