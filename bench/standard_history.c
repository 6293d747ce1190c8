// The history of the standard benchmark: a file with one entry per line, and comparisons with it.
#include "base/file.h"
#include "standard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool same_kind(const json_t *a, const json_t *b)
{
    return !strcmp(string_of(a, "host"), string_of(b, "host")) &&
           json_is_true(json_object_get(a, "quick")) == json_is_true(json_object_get(b, "quick"));
}

bool history_last(const char *path, const json_t *entry, json_t **last, HdError *err)
{
    *last = NULL;
    if (access(path, F_OK) && errno == ENOENT) return true;
    size_t size;
    char *text = file_read(path, &size, err), *rest = text, *line;
    bool ok = text != NULL;
    for (int number = 1; ok && (line = strsep(&rest, "\n")); number++) {
        if (!*line) continue;
        json_error_t why;
        json_t *one = json_loads(line, JSON_REJECT_DUPLICATES, &why);
        if (!one) {
            ok = hd_fail_at(err, path, number, 0, "not an entry of the benchmark: %s", why.text);
        } else if (same_kind(one, entry)) {
            json_decref(*last);
            *last = one;
        } else {
            json_decref(one);
        }
    }
    if (!ok) {
        json_decref(*last);
        *last = NULL;
    }
    free(text);
    return ok;
}

bool history_add(const char *path, const json_t *entry, HdError *err)
{
    size_t size = 0;
    bool is_new = access(path, F_OK) && errno == ENOENT;
    char *old = is_new ? NULL : file_read(path, &size, err);
    if (!is_new && !old) return false;
    char *line = json_dumps(entry, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
    size_t length = line ? strlen(line) : 0;
    char *all = line ? malloc(size + length + 2) : NULL;
    bool ok = all || hd_fail_memory(err, "adding to the history");
    if (ok) {
        if (size) memcpy(all, old, size);
        if (size && all[size - 1] != '\n') all[size++] = '\n';
        memcpy(all + size, line, length);
        all[size + length] = '\n';
        ok = file_write(path, all, size + length + 1, err);
    }
    free(all);
    free(line);
    free(old);
    return ok;
}

static const json_t *find_named(const json_t *list, const char *name)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
        if (!strcmp(string_of(one, "name"), name)) return one;
    return NULL;
}

static void print_ratio(const json_t *now, const json_t *then, const char *key)
{
    double before = number_of(then, key);
    if (before > 0)
        printf(" %12.3f", number_of(now, key) / before);
    else
        printf(" %12s", "-");
}

void history_compare(const json_t *entry, const json_t *before)
{
    size_t i;
    json_t *now;
    printf("\nnow / %s of %s (ratios; load average now %.1f, then %.1f)\n",
           string_of(before, "commit"), string_of(before, "date"), number_of(entry, "load"),
           number_of(before, "load"));
    printf("%-28s %12s %12s %12s %12s\n", "run", "warp inst/s", "peak memory", "warp inst",
           "cycles");
    json_array_foreach(json_object_get(entry, "runs"), i, now) {
        const char *name = string_of(now, "name");
        const json_t *then = find_named(json_object_get(before, "runs"), name);
        if (!then) {
            printf("%-28s %12s\n", name, "new");
            continue;
        }
        printf("%-28s", name);
        print_ratio(now, then, "warp_instructions_per_second");
        print_ratio(now, then, "peak_mib");
        print_ratio(now, then, "warp_instructions");
        print_ratio(now, then, "cycles");
        printf("\n");
    }
    json_array_foreach(json_object_get(entry, "host_instructions"), i, now) {
        const char *name = string_of(now, "name");
        const json_t *then = find_named(json_object_get(before, "host_instructions"), name);
        if (!then) continue;
        printf("host instructions, %s:", name);
        print_ratio(now, then, "per_warp_instruction");
        printf("\n");
    }
}
