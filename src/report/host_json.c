// How a result was computed.
#include "report/host_json.h"
#include "gpu/launch_result.h"
#include "report/sources_hash.h"

#include <time.h>

json_t *json_date(void)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(date);
}

const char *sources_version(void) { return HEDDLE_SOURCES; }

json_t *json_host(const Gpu *gpu, double seconds)
{
    uint64_t instructions = gpu_total(gpu)->sm.sm.warp_instructions +
                            gpu_functional(gpu)->sm.sm.warp_instructions;
    double rate = seconds > 0 ? (double)instructions / seconds : 0;
    double functional = gpu_functional_seconds(gpu);
    return json_pack("{sf so* sf si ss ss so}", "seconds", seconds, "functional_seconds",
                     functional > 0 ? json_real(functional) : NULL,
                     "warp_instructions_per_second", rate, "threads", (int)gpu_threads(gpu),
                     "version", HEDDLE_VERSION, "sources", HEDDLE_SOURCES, "date", json_date());
}
