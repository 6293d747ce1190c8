// The mechanisms of a run as JSON.
#ifndef HEDDLE_REPORT_MECHANISM_JSON_H
#define HEDDLE_REPORT_MECHANISM_JSON_H

#include "gpu/gpu.h"

// {"list": [...], "l1": {...}, "l2": {...}}: each mechanism with its parameters, counters and
// storage, and the counters of their decisions at the caches of each level. There must be
// mechanisms. NULL: out of memory.
json_t *mechanisms_json(const Gpu *gpu);

#endif
