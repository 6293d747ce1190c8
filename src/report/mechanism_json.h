// The mechanisms of a run as JSON.
#ifndef HEDDLE_REPORT_MECHANISM_JSON_H
#define HEDDLE_REPORT_MECHANISM_JSON_H

#include "gpu/gpu.h"

// {"list": [...], "l1": {...}, "l2": {...}}: each mechanism with its parameters, counters and
// storage, and what the caches of either level did by their decisions. There must be mechanisms.
// NULL where memory is out.
json_t *mechanisms_json(const Gpu *gpu);

#endif
