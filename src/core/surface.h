// Surface accesses at issue.
#ifndef HEDDLE_CORE_SURFACE_H
#define HEDDLE_CORE_SURFACE_H

#include "core/sm_internal.h"
#include "exec/surface.h"

IssueOutcome surface_issue(Sm *sm, Warp *w, const UOp *op, LaneMask lanes);
// The parts of it that values alone need too. Where the lanes access, all of it within allocations,
// and the array that all lie in (GUEST_NO_ARRAY: in several, or there are none). false: a fault.
bool surface_plan(Sm *sm, const Warp *w, const UOp *op, LaneMask lanes, SurfaceAccess *access,
                  unsigned *array);
// The values of a load.
void surface_load(Sm *sm, Warp *w, const UOp *op, LaneMask lanes, const SurfaceAccess *access);

#endif
