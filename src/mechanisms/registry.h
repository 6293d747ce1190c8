// The mechanisms that Heddle comes with, and how others are found.
#ifndef HEDDLE_MECHANISMS_REGISTRY_H
#define HEDDLE_MECHANISMS_REGISTRY_H

#include "hooks/plan.h"

// Ends with NULL.
extern const HdMechanism *const mechanisms[];

// One of them by name, or that of a shared object by its path (a name with a slash): it exports
// `hd_mechanism` and `hd_mechanism_version`. A MechanismFinder.
const HdMechanism *mechanism_find(const char *name, void **library, HdError *err);

#endif
