// The hashes of a result.
#include "report/result_hash.h"

#include "base/hash.h"
#include "report/launch_json.h"

#include <stdlib.h>
#include <string.h>

const char *const result_inputs[] = {
    "workload", "implementation", "ptx",     "graph", "source",     "workload_parameters",
    "arguments", "registers",     "machine", "seed",  "parameters", NULL};

// The hash of the JSON text of `object`. NULL: out of memory.
static json_t *hash_json(const json_t *object, size_t flags)
{
    char *text = json_dumps(object, JSON_COMPACT | flags);
    if (!text) return NULL;
    char hash[HASH_TEXT];
    hash_text(hash_bytes(HASH_START, text, strlen(text)), hash);
    free(text);
    return json_string(hash);
}

// A copy of the mechanisms without their parameters. NULL: out of memory.
static json_t *without_parameters(const json_t *mechanisms)
{
    json_t *copy = json_deep_copy(mechanisms), *mechanism;
    size_t i;
    json_array_foreach(json_object_get(copy, "list"), i, mechanism)
        json_object_del(mechanism, "parameters");
    return copy;
}

static json_t *counters_hash(const json_t *result)
{
    json_t *counted = json_copy((json_t *)result);
    const json_t *mechanisms = json_object_get(result, "mechanisms");
    bool ok = counted && (!mechanisms ||
                          json_put(counted, "mechanisms", without_parameters(mechanisms)));
    for (size_t i = 0; ok && result_inputs[i]; i++) json_object_del(counted, result_inputs[i]);
    json_t *hash = ok ? hash_json(counted, JSON_SORT_KEYS) : NULL;
    json_decref(counted);
    return hash;
}

bool result_put_hashes(json_t *result)
{
    json_t *hash = hash_json(result, 0); // before "counters_hash" becomes a member
    if (json_put(result, "counters_hash", counters_hash(result)))
        return json_put(result, "hash", hash);
    json_decref(hash);
    return false;
}
