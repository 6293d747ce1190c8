// Execution of UOP_SCALAR: a mov of a value that the program says all lanes of a warp have in
// common.
#ifndef HEDDLE_CORE_SCALAR_MARK_H
#define HEDDLE_CORE_SCALAR_MARK_H

#include "core/warp.h"

// Copies the value in the lanes, at least one. Values that differ are a fault: returns false.
bool scalar_mark_execute(SmContext *context, Warp *w, const UOp *op, LaneMask lanes);

#endif
