// Validates a JSON value against a schema.
#include "schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Check {
    const json_t *root;
    char *why;
    size_t size;
    char path[256]; // of the value being validated
} Check;

static bool refuse(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(Check *check, const char *format, ...)
{
    int at = snprintf(check->why, check->size, "%s: ", *check->path ? check->path : "/");
    va_list args;
    va_start(args, format);
    if (at > 0 && (size_t)at < check->size)
        vsnprintf(check->why + at, check->size - (size_t)at, format, args);
    va_end(args);
    return false;
}

static bool check_value(Check *check, const json_t *schema, const json_t *value);

// Validates a member or element of the value.
static bool check_below(Check *check, const json_t *schema, const char *name, const json_t *value)
{
    size_t end = strlen(check->path);
    snprintf(check->path + end, sizeof check->path - end, "/%s", name);
    bool ok = check_value(check, schema, value);
    if (ok) check->path[end] = 0;
    return ok;
}

static bool has_type(const json_t *value, const char *type)
{
    if (strcmp(type, "number") == 0) return json_is_number(value);
    static const struct {
        const char *name;
        json_type type;
    } types[] = {
        {"object", JSON_OBJECT},   {"array", JSON_ARRAY},  {"string", JSON_STRING},
        {"integer", JSON_INTEGER}, {"boolean", JSON_TRUE}, {"boolean", JSON_FALSE},
        {"null", JSON_NULL},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].name) == 0 && json_typeof(value) == types[i].type) return true;
    return false;
}

static bool check_type(Check *check, const json_t *wanted, const json_t *value)
{
    if (json_is_string(wanted))
        return has_type(value, json_string_value(wanted)) ||
               refuse(check, "is no %s", json_string_value(wanted));
    size_t i;
    json_t *type;
    json_array_foreach(wanted, i, type) if (has_type(value, json_string_value(type))) return true;
    return refuse(check, "is of none of the types");
}

static bool check_object(Check *check, const json_t *schema, const json_t *value)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    size_t i;
    json_t *name, *member;
    json_array_foreach(
        json_object_get(schema, "required"), i,
        name) if (!json_object_get(value,
                                   json_string_value(name))) return refuse(check,
                                                                           "has no member '%s'",
                                                                           json_string_value(name));
    const char *key;
    json_object_foreach((json_t *)value, key, member)
    {
        const json_t *rule = json_object_get(properties, key);
        if (!rule) rule = others;
        if (json_is_false(rule)) return refuse(check, "should have no member '%s'", key);
        if (rule && !check_below(check, rule, key, member)) return false;
    }
    return true;
}

static bool check_array(Check *check, const json_t *schema, const json_t *value)
{
    const json_t *items = json_object_get(schema, "items");
    const json_t *least = json_object_get(schema, "minItems");
    const json_t *most = json_object_get(schema, "maxItems");
    size_t size = json_array_size(value), i;
    if (least && size < (size_t)json_integer_value(least)) return refuse(check, "is too short");
    if (most && size > (size_t)json_integer_value(most)) return refuse(check, "is too long");
    json_t *element;
    json_array_foreach(value, i, element)
    {
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        if (items && !check_below(check, items, name, element)) return false;
    }
    return true;
}

static bool check_limits(Check *check, const json_t *schema, const json_t *value)
{
    const json_t *low = json_object_get(schema, "minimum"),
                 *high = json_object_get(schema, "maximum");
    const json_t *least = json_object_get(schema, "minLength");
    const json_t *most = json_object_get(schema, "maxLength");
    if (json_is_number(value) && low && json_number_value(value) < json_number_value(low))
        return refuse(check, "is too small");
    if (json_is_number(value) && high && json_number_value(value) > json_number_value(high))
        return refuse(check, "is too great");
    size_t length = json_is_string(value) ? json_string_length(value) : 0;
    if (least && length < (size_t)json_integer_value(least)) return refuse(check, "is too short");
    if (most && length > (size_t)json_integer_value(most)) return refuse(check, "is too long");
    return true;
}

static bool check_keywords(Check *check, const json_t *schema)
{
    static const char *const known[] = {
        "$schema",   "$ref",        "$defs",
        "title",     "description", "type",
        "required",  "properties",  "additionalProperties",
        "items",     "minItems",    "maxItems",
        "minimum",   "maximum",     "minLength",
        "maxLength",
    };
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)schema, key, value)
    {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(key, known[i]) != 0) i++;
        if (i == sizeof known / sizeof *known) return refuse(check, "schema keyword %s", key);
    }
    return true;
}

static bool check_value(Check *check, const json_t *schema, const json_t *value)
{
    static const char prefix[] = "#/$defs/";
    if (!check_keywords(check, schema)) return false;
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    if (ref) {
        const json_t *target = NULL;
        if (strncmp(ref, prefix, sizeof prefix - 1) == 0)
            target =
                json_object_get(json_object_get(check->root, "$defs"), ref + sizeof prefix - 1);
        if (!target) return refuse(check, "the schema refers to %s", ref);
        if (!check_value(check, target, value)) return false;
    }
    const json_t *type = json_object_get(schema, "type");
    if (type && !check_type(check, type, value)) return false;
    if (json_is_object(value) && !check_object(check, schema, value)) return false;
    if (json_is_array(value) && !check_array(check, schema, value)) return false;
    return check_limits(check, schema, value);
}

bool schema_accepts(const json_t *root, const json_t *value, char *why, size_t size)
{
    Check check = {.root = root, .why = why, .size = size};
    return check_value(&check, root, value);
}
