// The warps that a mechanism is asked about.
#ifndef HEDDLE_CORE_ISSUE_ASKED_WARPS_H
#define HEDDLE_CORE_ISSUE_ASKED_WARPS_H

#include "core/blocks/blocks.h"
#include "core/warpset.h"

#include "heddle/mechanism.h"

_Static_assert((int)WARPSET_MOST == (int)HD_MAX_WARPS, "a mechanism's sets hold an SM's warps");

// Lists the warps of an SM that have not exited, the oldest first. blocked: also those at a barrier
// or asleep. Returns their number.
unsigned list_warps(const Blocks *blocks, bool blocked, HdWarp list[WARPSET_MOST]);

#endif
