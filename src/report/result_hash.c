// The hashes of a result.
#include "report/result_hash.h"

#include "base/fail.h"
#include "base/hash.h"
#include "report/launch_json.h"

#include <stdlib.h>
#include <string.h>

const char *const result_inputs[] = {
    "workload", "implementation", "ptx",     "graph", "source",     "workload_parameters",
    "arguments", "registers",     "machine", "seed",  "max_thread_instructions",
    "parameters", NULL};

static json_t *hash_json(uint64_t hash)
{
    char text[HASH_TEXT];
    hash_text(hash, text);
    return json_string(text);
}

// The sum of the hashes of all values below `json`, each with its path, of which `path` is the
// hash. A sum does not depend on the order of members. `without`: members of objects to leave out.
static uint64_t sum_hash(uint64_t path, const json_t *json, const char *const *without)
{
    static const char *const parameters[] = {"parameters", NULL}; // of mechanisms
    uint64_t sum = path, value = (uint64_t)json_typeof(json);
    const char *key;
    size_t i;
    json_t *below;
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        json_object_foreach((json_t *)json, key, below)
            if (!hd_is_among(key, without))
                sum += sum_hash(hash_bytes(path, key, strlen(key) + 1), below, parameters);
        return sum;
    case JSON_ARRAY:
        json_array_foreach(json, i, below)
            sum += sum_hash(hash_bytes(path, &i, sizeof i), below, parameters);
        return sum;
    case JSON_STRING:
        return hash_bytes(path, json_string_value(json), json_string_length(json));
    case JSON_INTEGER: value = (uint64_t)json_integer_value(json); break;
    case JSON_REAL: {
        double real = json_real_value(json);
        memcpy(&value, &real, sizeof value);
        break;
    }
    default: break;
    }
    return hash_bytes(path, &value, sizeof value);
}

bool result_put_hashes(json_t *result)
{
    char *text = json_dumps(result, JSON_COMPACT); // before "counters_hash" becomes a member
    if (!text) return false;
    json_t *hash = hash_json(hash_bytes(HASH_START, text, strlen(text)));
    free(text);
    uint64_t counters = sum_hash(HASH_START, result, result_inputs);
    if (json_put(result, "counters_hash", hash_json(counters)))
        return json_put(result, "hash", hash);
    json_decref(hash);
    return false;
}
