// Loading mechanisms from shared objects.
#ifndef HEDDLE_MECHANISMS_SHARED_OBJECT_H
#define HEDDLE_MECHANISMS_SHARED_OBJECT_H

#include "base/fail.h"
#include "heddle/mechanism.h"

// Loads the file and returns the mechanism that it exports, after declaration_check. The caller
// passes *library to dlclose. On failure NULL, and nothing stays loaded.
const HdMechanism *shared_object_load(const char *path, void **library, HdError *err);

#endif
