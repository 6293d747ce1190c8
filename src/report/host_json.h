// The layout version of a result, and how it was computed: host, time, version.
#ifndef HEDDLE_REPORT_HOST_JSON_H
#define HEDDLE_REPORT_HOST_JSON_H

#include "gpu/gpu.h"

#include <jansson.h>

// The version of a result's layout and names: its member `schema`.
enum { RESULT_SCHEMA = 3 };

// The hash of the sources that decide the result of a simulation (sources.sh): results of one hash
// compare.
const char *sources_version(void);

// The functions return NULL if out of memory.

// {"seconds", "warp_instructions_per_second", "threads", "version", "sources", "date"}; `seconds`:
// the host's time. If launches were functional, also "functional_seconds": the part of these
// launches.
json_t *json_host(const Gpu *gpu, double seconds);
// Now, UTC, ISO 8601.
json_t *json_date(void);

#endif
