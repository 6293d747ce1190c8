// Runs of the built heddle with mechanisms, and access to their results.
#ifndef HEDDLE_TESTS_CLI_MECHANISM_RUNS_H
#define HEDDLE_TESTS_CLI_MECHANISM_RUNS_H

#include "command.h"
#include "cli/results/schema.h"
#include "support/crossed.h"

// cmocka.h requires these headers before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void check_schema(const json_t *whole)
{
    char why[512];
    json_t *schema = json_load_file(getenv("HEDDLE_SCHEMA"), 0, NULL);
    assert_non_null(schema);
    if (!schema_accepts(schema, whole, why, sizeof why)) fail_msg("%s", why);
    json_decref(schema);
}

// Returns `result` of a run with these options, after validation by the schema. The caller owns it.
static inline json_t *run(const char *what, const char *options)
{
    char line[1024];
    snprintf(line, sizeof line, "run %s %s --quiet --out $T/run.json", what, options);
    const Command *c = heddle(line);
    if (c->status) fail_msg("heddle %s: %d, %s", line, c->status, c->err);
    json_t *whole = result_value("run.json");
    json_t *result = json_incref(json_object_get(whole, "result"));
    check_schema(whole);
    json_decref(whole);
    return result;
}

// Returns the number at a path of members and elements, such as "a.b.0.c".
static inline double number(const json_t *value, const char *path)
{
    char key[64];
    for (const char *rest = path; *rest;) {
        size_t length = strcspn(rest, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, rest);
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
                                     : json_object_get(value, key);
        rest += length + (rest[length] == '.');
    }
    if (!json_is_number(value)) fail_msg("%s is no number", path);
    return json_number_value(value);
}

static inline const char *hash_of(const json_t *result)
{
    return json_string_value(json_object_get(result, "hash"));
}

// The result does not depend on host threads, their order, or the cycles that are skipped.
static inline void assert_same_on_host(const char *what, const char *options, const json_t *result,
                                       size_t host)
{
    static const char *const hosts[] = {"--threads 2", "--no-skip", "--shuffle 3"};
    char line[512];
    snprintf(line, sizeof line, "%s %s", options, hosts[host]);
    json_t *same = run(what, line);
    assert_string_equal(hash_of(result), hash_of(same));
    json_decref(same);
}

enum { HOSTS = 3 };
static inline void assert_same_on_any_host(const char *what, const char *options,
                                           const json_t *result)
{
    for (size_t i = 0; i < HOSTS; i++) assert_same_on_host(what, options, result, i);
}

// The same for one of these ways to run, in turn.
static inline void assert_same_on_a_host(const char *what, const char *options,
                                         const json_t *result, size_t turn)
{
    if (all_crossed()) assert_same_on_any_host(what, options, result);
    else assert_same_on_host(what, options, result, turn % HOSTS);
}

// The counters that a result has only beside a mechanism. In these runs they are 0.
static inline bool is_of_mechanisms(const char *key)
{
    return strcmp(key, "stall_throttled") == 0 || strcmp(key, "wait_throttled") == 0 ||
           strcmp(key, "injected") == 0;
}

static inline bool is_hash(const char *key)
{
    return strcmp(key, "hash") == 0 || strcmp(key, "counters_hash") == 0;
}

// Removes from a result what only mechanisms put there. `what`: the run, for messages.
static inline void drop_mechanisms(json_t *value, const char *what)
{
    const char *key;
    json_t *member;
    void *next;
    size_t i;
    json_array_foreach(value, i, member) drop_mechanisms(member, what);
    json_object_foreach_safe(value, next, key, member) {
        if (is_of_mechanisms(key) && json_integer_value(member) != 0)
            fail_msg("%s: %s is %lld: expected 0", what, key,
                     (long long)json_integer_value(member));
        // A shared object is among the files.
        if (is_of_mechanisms(key) || is_hash(key) || strcmp(key, "mechanisms") == 0 ||
            strcmp(key, "files") == 0)
            json_object_del(value, key);
        else
            drop_mechanisms(member, what);
    }
}

#endif
