// Counters by their names in a JSON text.
#include "store/counters.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 1 << 14, MOST_LEVELS = 32 }; // that are compared with a wrong name

void counter_texts_free(CounterTexts *texts)
{
    for (unsigned i = 0; i < COUNTER_TEXTS; i++) {
        free(texts->items[i].text);
        json_decref(texts->items[i].json);
    }
    *texts = (CounterTexts){0};
}

static const json_t *read_text(CounterTexts *texts, const char *text, size_t size, HdError *err)
{
    for (unsigned i = 0; i < COUNTER_TEXTS; i++) {
        const struct CounterText *item = &texts->items[i];
        if (item->text && item->size == size && memcmp(item->text, text, size) == 0)
            return item->json;
    }
    struct CounterText *item = &texts->items[texts->next];
    char *copy = hd_new(size + 1, 1);
    json_error_t error;
    json_t *json = copy ? json_loadb(memcpy(copy, text, size), size, 0, &error) : NULL;
    if (!json) {
        free(copy);
        if (copy) hd_fail(err, "counter: expected JSON: %s", error.text);
        else hd_fail_memory(err, "reading counters");
        return NULL;
    }
    free(item->text);
    json_decref(item->json);
    *item = (struct CounterText){copy, size, json};
    texts->next = (texts->next + 1) % COUNTER_TEXTS;
    return json;
}

// ---- names ----

// The value of a name below an object. Of names with dots the longest member that fits goes first.
static const json_t *find(const json_t *below, const char *name)
{
    if (!*name) return below;
    if (json_is_array(below)) {
        char *end;
        unsigned long index = strtoul(name, &end, 10);
        const json_t *element = json_array_get(below, index);
        if (end == name || !element) return NULL;
        return !*end ? element : *end == '.' ? find(element, end + 1) : NULL;
    }
    for (const char *end = name + strlen(name); end > name; end--) {
        if (*end && *end != '.') continue;
        const json_t *member = json_object_getn(below, name, (size_t)(end - name));
        const json_t *value = member ? find(member, *end ? end + 1 : end) : NULL;
        if (value) return value;
    }
    return NULL;
}

typedef struct Names {
    char **items;
    size_t count, capacity;
} Names;

// Adds the names of all values below, without those of an array's elements.
static void add_names(Names *names, const json_t *below, const char *prefix, int levels)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)below, key, value) {
        char *name;
        if (names->count == MOST_NAMES) return;
        if (asprintf(&name, "%s%s%s", prefix, *prefix ? "." : "", key) < 0) return;
        if (json_is_object(value)) {
            if (levels > 1) add_names(names, value, name, levels - 1);
            free(name);
        } else if (!HD_PUSH(names->items, names->count, names->capacity, name)) {
            free(name);
            return;
        }
    }
}

static bool fail_unknown(const json_t *json, const char *name, HdError *err)
{
    Names names = {0};
    add_names(&names, json, "", MOST_LEVELS);
    const char *near = hd_nearest(name, (const char *const *)names.items, (int)names.count);
    hd_fail(err, "counter: there is no counter '%s'%s%s%s", name, HD_DID_YOU_MEAN(near));
    for (size_t i = 0; i < names.count; i++) free(names.items[i]);
    free(names.items);
    return false;
}

const json_t *counter_find(CounterTexts *texts, const char *text, size_t size, const char *name,
                           bool must, HdError *err)
{
    const json_t *json = read_text(texts, text, size, err);
    const json_t *value = json ? find(json, name) : NULL;
    if (json && !value && must) fail_unknown(json, name, err);
    return value;
}
