// Adds, subtracts and prints counter structs by their tables.
#include "stats/stats.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void stats_add(const StatTable *table, void *into, const void *from)
{
    uint64_t *sum = into;
    const uint64_t *part = from;
    for (size_t i = 0; i < table->count; i++) sum[i] += part[i];
}

void stats_move(const StatTable *table, void *into, void *from)
{
    uint64_t *restrict sum = into;
    uint64_t *restrict part = from;
    size_t count = table->count;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        sum[i] += part[i];
        part[i] = 0;
    }
}

void stats_subtract(const StatTable *table, void *into, const void *from)
{
    uint64_t *rest = into;
    const uint64_t *part = from;
    for (size_t i = 0; i < table->count; i++) rest[i] -= part[i];
}

bool stats_put(const StatTable *table, const void *counters, json_t *object)
{
    const uint64_t *values = counters;
    for (size_t i = 0; i < table->count; i++) {
        json_t *number = json_integer((json_int_t)values[i]);
        // The names are those of C: they need no check.
        if (json_object_set_new_nocheck(object, table->rows[i].name, number) != 0) return false;
    }
    return true;
}

json_t *stats_json(const StatTable *table, const void *counters)
{
    json_t *object = json_object();
    if (object && stats_put(table, counters, object)) return object;
    json_decref(object);
    return NULL;
}

typedef struct Text {
    char *text;
    size_t used, capacity;
} Text;

static int append(const char *part, size_t size, void *context)
{
    Text *to = context;
    if (to->used + size >= to->capacity &&
        !hd_reserve(&to->text, to->used + size, &to->capacity, 1))
        return -1;
    memcpy(to->text + to->used, part, size);
    to->used += size;
    return 0;
}

char *stats_json_text(const json_t *value)
{
    Text to = {0};
    size_t flags = JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY;
    if (json_dump_callback(value, append, &to, flags) == 0 && append("", 1, &to) == 0)
        return to.text;
    free(to.text);
    return NULL;
}

bool stats_write_json(const char *path, const json_t *value, HdError *err)
{
    return stats_write_text(path, stats_json_text(value), err);
}

bool stats_write_text(const char *path, char *text, HdError *err)
{
    if (!text) return hd_fail_memory(err, "writing JSON");
    size_t length = strlen(text);
    text[length] = '\n'; // replaces the terminating zero, which the file does not contain
    bool ok = file_write(path, text, length + 1, err);
    free(text);
    return ok;
}
