// What was counted, as JSON: one launch, or the sum of all.
#ifndef HEDDLE_REPORT_LAUNCH_JSON_H
#define HEDDLE_REPORT_LAUNCH_JSON_H

#include "gpu/gpu.h"

#include <jansson.h>

// Adds `value` to an object under `key` and takes it over; false where it is NULL or memory is out.
bool json_put(json_t *object, const char *key, json_t *value);
json_t *json_count(uint64_t value);
// A string; bytes that are no UTF-8 (a file name may hold any) become '?'.
json_t *json_text(const char *text);
// A list of them; `texts` ends with NULL and may be NULL.
json_t *json_texts(const char *const *texts);

// Puts every counter of the record into `object`: cycles, instructions, issue slots, caches,
// interconnect, DRAM, histograms, latency, arrays, static instructions. false where memory is out.
bool launch_json_put(json_t *object, Gpu *gpu, const LaunchResult *record);

// What is known of the launches that were computed without time, which are in no other sum; null
// where there were none.
json_t *functional_launches_json(const Gpu *gpu);

// Where the launches were ended early: by a signal or a limit; null where they were not.
json_t *partial_run_json(const Gpu *gpu);

// What all launches of one kernel counted, whose name is shown as `name`.
json_t *kernel_total_json(const Gpu *gpu, const KernelTotal *total, const char *name);

// One launch's name, shape and main numbers.
bool launch_json_put_summary(json_t *object, const LaunchResult *record);

#endif
