// The hashes of a result.
#include "report/result_hash.h"

#include "base/fail.h"
#include "base/hash.h"
#include "report/launch_json.h"
#include "stats/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const result_inputs[] = {
    "workload", "implementation", "ptx",     "graph", "source",     "workload_parameters",
    "arguments", "files",         "registers", "machine", "seed",  "max_thread_instructions",
    "parameters", NULL};

static const char counters_key[] = "counters_hash", all_key[] = "hash";

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

// The hashes of a result, whose members do not have them yet. false: out of memory.
static bool compute(const json_t *result, uint64_t *counters, uint64_t *all)
{
    char *text = json_dumps(result, JSON_COMPACT);
    if (!text) return false;
    *all = hash_bytes(HASH_START, text, strlen(text));
    *counters = sum_hash(HASH_START, result, result_inputs);
    free(text);
    return true;
}

// Behind the string that begins at `text`.
static const char *string_end(const char *text)
{
    for (const char *end = text;;) {
        end = strchr(end + 1, '"');
        unsigned backslashes = 0; // an odd number: the quote is part of the string
        while (end[-1 - (int)backslashes] == '\\') backslashes++;
        if (backslashes % 2 == 0) return end + 1;
    }
}

// The hash of an object's text from its brace to `end`, where further members begin, as if it were
// written compactly, without them. 0: out of memory. A line has blanks in front of it, and one
// behind a key.
static uint64_t compact_hash(const char *from, const char *end)
{
    char *compact = malloc((size_t)(end - from) + 1), *to = compact;
    if (!compact) return 0;
    while (from < end) {
        while (*from == ' ') from++;
        const char *key = *from == '"' ? string_end(from) : from;
        const char *line = strchr(key, '\n');
        if (key[0] == ':') {
            to = mempcpy(to, from, (size_t)(++key - from));
            from = key + 1;
        }
        to = mempcpy(to, from, (size_t)(line - from));
        from = line + 1;
    }
    if (to[-1] == ',') to--;
    *to++ = '}';
    uint64_t hash = hash_bytes(HASH_START, compact, (size_t)(to - compact));
    free(compact);
    return hash;
}

// Where `key` stands in a line of its own, behind `text`; new lines stand between members only.
static char *find_member(char *text, unsigned indent, const char *key)
{
    char line[64];
    snprintf(line, sizeof line, "\n%*s\"%s\": ", indent, "", key);
    return strstr(text, line);
}

char *result_file_text(json_t *value)
{
    json_t *result = json_object_get(value, "result");
    if (!json_put(result, counters_key, hash_json(sum_hash(HASH_START, result, result_inputs))) ||
        !json_put(result, all_key, hash_json(0)))
        return NULL;
    // Numbers take most of the time, and are written once: this text is hashed.
    char *text = stats_json_text(value);
    if (!text) return NULL;
    char *begin = strchr(find_member(text, 2, "result"), '{');
    char *end = find_member(begin, 4, counters_key);
    char digits[HASH_TEXT], *place = strchr(find_member(end, 4, all_key), ':') + strlen(": \"");
    uint64_t hash = compact_hash(begin, end);
    hash_text(hash, digits);
    memcpy(place, digits, strlen(digits));
    if (hash && json_string_set(json_object_get(result, all_key), digits) == 0) return text;
    free(text);
    return NULL;
}

bool result_write(const char *path, json_t *value, HdError *err)
{
    return stats_write_text(path, result_file_text(value), err);
}

static bool check(const char *path, const json_t *result, const char *key, uint64_t hash,
                  HdError *err)
{
    char right[HASH_TEXT];
    const char *there = json_string_value(json_object_get(result, key));
    hash_text(hash, right);
    return (there && strcmp(there, right) == 0) ||
           hd_fail(err, "%s: result.%s = %s: expected %s, by the contents of the file, which have "
                        "changed since Heddle wrote them", path, key, there ? there : "null",
                   right);
}

bool result_check_hashes(const char *path, const json_t *result, HdError *err)
{
    uint64_t counters, all;
    json_t *without = json_copy((json_t *)result); // shares the members
    json_object_del(without, counters_key);
    json_object_del(without, all_key);
    bool computed = without && compute(without, &counters, &all);
    json_decref(without);
    return computed ? check(path, result, all_key, all, err) &&
                          check(path, result, counters_key, counters, err)
                    : hd_fail_memory(err, "reading a result");
}
