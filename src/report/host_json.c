// The end of a result.
#include "report/host_json.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

json_t *json_hash(const json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    if (!text) return NULL;
    char hash[HASH_TEXT];
    hash_text(hash_bytes(HASH_START, text, strlen(text)), hash);
    free(text);
    return json_string(hash);
}

json_t *json_date(void)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(date);
}

json_t *json_host(const Gpu *gpu, double seconds)
{
    uint64_t instructions = gpu_total(gpu)->sm.sm.warp_instructions +
                            gpu_functional(gpu)->sm.sm.warp_instructions;
    double rate = seconds > 0 ? (double)instructions / seconds : 0;
    return json_pack("{sf sf si ss so}", "seconds", seconds, "warp_instructions_per_second", rate,
                     "threads", (int)gpu_threads(gpu), "version", HEDDLE_VERSION, "date",
                     json_date());
}
