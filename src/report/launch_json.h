// Counters as JSON: of one launch, or of all launches.
#ifndef HEDDLE_REPORT_LAUNCH_JSON_H
#define HEDDLE_REPORT_LAUNCH_JSON_H

#include "gpu/gpu.h"

#include <jansson.h>

// Adds `value` to an object under `key` and owns it then. false: either is NULL, or out of memory.
bool json_put(json_t *object, const char *key, json_t *value);
// The value if it is complete; else releases it and returns NULL.
json_t *json_finish(json_t *value, bool complete);
json_t *json_count(uint64_t value);
// A string, escaped for a terminal (base/text.h): a file name may hold any byte.
json_t *json_text(const char *text);
// An array of such strings; `texts` ends with NULL and may be NULL.
json_t *json_texts(const char *const *texts);

// Puts every counter of the record into `object`: cycles, instructions, issue slots, caches,
// interconnect, DRAM, histograms, latency, arrays, static instructions. false: out of memory.
bool launch_json_put(json_t *object, Gpu *gpu, const LaunchResult *record);

// Adds the limit, if it is not 0, as max_thread_instructions; and as `cut`, if the program has
// reached it, where timing ended. false: out of memory.
bool cut_json_put(json_t *object, const Gpu *gpu, uint64_t max_thread_instructions);
// Counters of the functional launches, which are in no other sum; null without such launches.
json_t *functional_launches_json(const Gpu *gpu);

// Where a signal or a limit ended the run early; null if none did. signalled: a signal ends the run
// now, whether in a launch or not.
json_t *partial_run_json(const Gpu *gpu, bool signalled);

// Counters of all launches of one kernel, shown as `name`.
json_t *kernel_total_json(const Gpu *gpu, const KernelTotal *total, const char *name);

// Adds one launch's name, shape and main numbers.
bool launch_json_put_summary(json_t *object, const Gpu *gpu, const LaunchResult *record);

#endif
