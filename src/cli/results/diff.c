// Comparing two JSON values leaf by leaf.
#include "cli/results/diff.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void value_text(const json_t *value, char text[VALUE_TEXT])
{
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_INTEGER:
        snprintf(text, VALUE_TEXT, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return;
    case JSON_REAL: snprintf(text, VALUE_TEXT, "%.6g", json_real_value(value)); return;
    case JSON_STRING: snprintf(text, VALUE_TEXT, "%s", json_string_value(value)); return;
    case JSON_TRUE: snprintf(text, VALUE_TEXT, "true"); return;
    case JSON_FALSE: snprintf(text, VALUE_TEXT, "false"); return;
    case JSON_OBJECT:
    case JSON_ARRAY:
        snprintf(text, VALUE_TEXT, "(%zu members)",
                 json_object_size(value) + json_array_size(value));
        return;
    default: snprintf(text, VALUE_TEXT, value ? "null" : "-"); return;
    }
}

static double relative(const json_t *a, const json_t *b)
{
    if (!json_is_number(a) || !json_is_number(b)) return 1;
    double x = json_number_value(a), y = json_number_value(b);
    double apart = x > y ? x - y : y - x;
    double larger = (x < 0 ? -x : x) > (y < 0 ? -y : y) ? (x < 0 ? -x : x) : (y < 0 ? -y : y);
    return larger > 0 ? apart / larger : 0;
}

// Rates and averages derive from counters that are compared themselves.
static bool is_derived(const json_t *value) { return json_is_real(value); }

static bool diff_objects(Differences *list, const char *place, const json_t *a, const json_t *b)
{
    char below[PLACE_TEXT];
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)a, key, value) {
        snprintf(below, sizeof below, "%s%s%s", place, *place ? "." : "", key);
        if (!diff_values(list, below, value, json_object_get(b, key))) return false;
    }
    json_object_foreach((json_t *)b, key, value) {
        snprintf(below, sizeof below, "%s%s%s", place, *place ? "." : "", key);
        if (!json_object_get(a, key) && !diff_values(list, below, NULL, value)) return false;
    }
    return true;
}

static bool diff_arrays(Differences *list, const char *place, const json_t *a, const json_t *b)
{
    size_t most = json_array_size(a) > json_array_size(b) ? json_array_size(a) : json_array_size(b);
    for (size_t i = 0; i < most; i++) {
        const json_t *x = json_array_get(a, i), *y = json_array_get(b, i);
        const char *name = json_string_value(json_object_get(x ? x : y, "name"));
        char below[PLACE_TEXT];
        if (name) snprintf(below, sizeof below, "%s[%s]", place, name);
        else snprintf(below, sizeof below, "%s[%zu]", place, i);
        if (!diff_values(list, below, x, y)) return false;
    }
    return true;
}

bool diff_values(Differences *list, const char *place, const json_t *a, const json_t *b)
{
    if (json_is_object(a) && json_is_object(b)) return diff_objects(list, place, a, b);
    if (json_is_array(a) && json_is_array(b)) return diff_arrays(list, place, a, b);
    if (a == b || (a && b && json_equal(a, b))) return true; // NULL: there is no such value
    if (is_derived(a) && is_derived(b)) return true;
    Difference d = {.relative = relative(a, b)};
    snprintf(d.place, sizeof d.place, "%s", place);
    value_text(a, d.a);
    value_text(b, d.b);
    return HD_PUSH(list->items, list->count, list->capacity, d);
}

void diff_free(Differences *list)
{
    free(list->items);
    *list = (Differences){0};
}
