// The units of mechanisms at slices (heddle/units.h): the calls by which a slice reaches them, and
// what their actions ask of the slice.
#ifndef HEDDLE_HOOKS_UNIT_HOOKS_H
#define HEDDLE_HOOKS_UNIT_HOOKS_H

#include "hooks/cache_hooks.h"

// In a functional launch: the units of the mechanism with this number in the plan execute a
// request, slice by slice. *reply is complete then.
void unit_hooks_execute(CacheHooks *const *slices, unsigned count, unsigned mechanism,
                        const HdUnitRequest *request, HdUnitReply *reply);

#endif
