// The oldest warps of each scheduler issue, the others are throttled: what static and dynamic warp
// throttling share.
#ifndef HEDDLE_MECHANISMS_SHARED_OLDEST_WARPS_H
#define HEDDLE_MECHANISMS_SHARED_OLDEST_WARPS_H

#include "heddle/mechanism.h"

// A parameter for what the other warps may not issue.
enum { THROTTLE_LOADS, THROTTLE_EVERYTHING };
extern const char *const throttle_choices[];

// Lets the oldest `limit` warps of each scheduler issue. throttle: a choice of throttle_choices.
// Returns the number of warps that are throttled.
unsigned oldest_warps_select(const HdWarps *warps, unsigned limit, double throttle,
                             HdIssuable *issuable);

#endif
