// Validates a JSON value against a schema.
#include "cli/results/schema.h"

#include "base/fail.h"
#include "base/number.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_TEXT = 32 };

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
        number_format_list(check->why + at, check->size - (size_t)at, format, args);
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

// A value in a message.
static const char *value_text(const json_t *value, char text[VALUE_TEXT])
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_TRUE] = "true", [JSON_FALSE] = "false", [JSON_NULL] = "null"};
    switch (json_typeof(value)) {
    case JSON_INTEGER:
        snprintf(text, VALUE_TEXT, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return text;
    case JSON_REAL:
        number_format(text, VALUE_TEXT, "%.9g", json_real_value(value));
        return text;
    default: return names[json_typeof(value)];
    }
}

static bool check_type(Check *check, const json_t *wanted, const json_t *value)
{
    char text[VALUE_TEXT], all[128] = "";
    size_t i, used = 0, count = json_is_array(wanted) ? json_array_size(wanted) : 1;
    for (i = 0; i < count; i++) {
        const json_t *type = json_is_array(wanted) ? json_array_get(wanted, i) : wanted;
        if (has_type(value, json_string_value(type))) return true;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? " or " : "",
                                 json_string_value(type));
    }
    return refuse(check, "%s: expected %s", value_text(value, text), all);
}

static bool check_object(Check *check, const json_t *schema, const json_t *value)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    size_t i;
    json_t *name, *member;
    json_array_foreach(json_object_get(schema, "required"), i, name) {
        const char *key = json_string_value(name);
        if (!json_object_get(value, key)) return refuse(check, "has no member '%s'", key);
    }
    const char *key;
    json_object_foreach((json_t *)value, key, member) {
        const json_t *rule = json_object_get(properties, key);
        if (!rule) rule = others;
        if (!text_is_plain(key, ""))
            return refuse(check, "member '%.64s' has a control character", key);
        if (json_is_false(rule)) return refuse(check, "unexpected member '%.64s'", key);
        if (rule && !check_below(check, rule, key, member)) return false;
    }
    return true;
}

// `what` a value has: elements, bytes.
static bool check_length(Check *check, const json_t *least, const json_t *most, size_t length,
                         const char *what)
{
    if (least && length < (size_t)json_integer_value(least))
        return refuse(check, "%zu %s: expected at least %d", length, what,
                      (int)json_integer_value(least));
    if (most && length > (size_t)json_integer_value(most))
        return refuse(check, "%zu %s: expected at most %d", length, what,
                      (int)json_integer_value(most));
    return true;
}

static bool check_array(Check *check, const json_t *schema, const json_t *value)
{
    const json_t *items = json_object_get(schema, "items");
    size_t i;
    if (!check_length(check, json_object_get(schema, "minItems"),
                      json_object_get(schema, "maxItems"), json_array_size(value), "elements"))
        return false;
    json_t *element;
    json_array_foreach(value, i, element) {
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        if (items && !check_below(check, items, name, element)) return false;
    }
    return true;
}

static bool check_number(Check *check, const json_t *schema, const json_t *value)
{
    const json_t *low = json_object_get(schema, "minimum"),
                 *high = json_object_get(schema, "maximum");
    char text[VALUE_TEXT], limit[VALUE_TEXT];
    if (low && json_number_value(value) < json_number_value(low))
        return refuse(check, "%s: expected at least %s", value_text(value, text),
                      value_text(low, limit));
    if (high && json_number_value(value) > json_number_value(high))
        return refuse(check, "%s: expected at most %s", value_text(value, text),
                      value_text(high, limit));
    return true;
}

// Texts are printed, so they hold no control characters.
static bool check_string(Check *check, const json_t *schema, const json_t *value)
{
    if (!text_is_plain(json_string_value(value), "")) return refuse(check, "a control character");
    return check_length(check, json_object_get(schema, "minLength"),
                        json_object_get(schema, "maxLength"), json_string_length(value), "bytes");
}

static bool check_value(Check *check, const json_t *schema, const json_t *value)
{
    static const char prefix[] = "#/$defs/";
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
    if (json_is_object(value)) return check_object(check, schema, value);
    if (json_is_array(value)) return check_array(check, schema, value);
    if (json_is_string(value)) return check_string(check, schema, value);
    return !json_is_number(value) || check_number(check, schema, value);
}

// Whether the validator knows all keywords of a schema and of the schemas in it.
static bool check_keywords(Check *check, const json_t *schema)
{
    static const char *const plain[] = {
        "$schema", "$ref", "title", "description", "type", "required", "minItems", "maxItems",
        "minimum", "maximum", "minLength", "maxLength", NULL};
    static const char *const with_schema[] = {"items", "additionalProperties", NULL};
    static const char *const with_schemas[] = {"properties", "$defs", NULL};
    const char *key, *name;
    json_t *value, *one;
    json_object_foreach((json_t *)schema, key, value) {
        if (hd_is_among(key, plain)) continue;
        if (hd_is_among(key, with_schema)) {
            if (!check_keywords(check, value)) return false;
        } else if (hd_is_among(key, with_schemas)) {
            json_object_foreach(value, name, one) if (!check_keywords(check, one)) return false;
        } else {
            return refuse(check, "schema keyword %s", key);
        }
    }
    return true;
}

bool schema_accepts(const json_t *root, const json_t *value, char *why, size_t size)
{
    Check check = {.root = root, .why = why, .size = size};
    return check_keywords(&check, root) && check_value(&check, root, value);
}
