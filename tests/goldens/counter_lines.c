// See counter_lines.h.
#include "counter_lines.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/text.h"
#include "report/result_hash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_TEXT = 512 };

_Noreturn static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "goldens: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(2);
}

// ---- values ----

const char *lines_value(const json_t *lines, const char *name, size_t at)
{
    const char *text = json_string_value(json_array_get(json_object_get(lines, name), at));
    return text ? text : "0";
}

static void set_value(json_t *lines, const char *name, size_t at, const char *text)
{
    json_t *values = json_object_get(lines, name);
    if (!values && json_object_set_new(lines, name, values = json_array()) != 0)
        fail("out of memory");
    while (json_array_size(values) < at)
        if (json_array_append_new(values, json_string("0")) != 0) fail("out of memory");
    int bad = at < json_array_size(values) ? json_array_set_new(values, at, json_string(text))
                                           : json_array_append_new(values, json_string(text));
    if (bad) fail("%s: '%s' is no text", name, text);
}

static void set_integer(json_t *lines, const char *name, size_t at, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    set_value(lines, name, at, text);
}

// A word of the file: without blanks.
static void set_text(json_t *lines, const char *name, size_t at, const char *text)
{
    char word[NAME_TEXT];
    snprintf(word, sizeof word, "%s", *text ? text : "-");
    for (char *c = word; *c; c++)
        if (text_is_blank(*c)) *c = '_';
    set_value(lines, name, at, word);
}

// ---- of a result ----

static void join(char name[NAME_TEXT], const char *path, const char *key)
{
    int length = snprintf(name, NAME_TEXT, "%s%s%s", path, *path ? "." : "", key);
    if (length >= NAME_TEXT) fail("%s.%s: a name of %d characters", path, key, length);
    for (char *c = name; *c; c++)
        if (text_is_blank(*c)) *c = '_';
}

// What visits the leaves below a value: their names, and the values that are no reals.
typedef struct Leaves {
    json_t *lines;
    size_t at;
} Leaves;

static void add_leaves(const Leaves *leaves, const char *path, const json_t *value)
{
    char name[NAME_TEXT], index[32];
    const char *key;
    size_t i;
    json_t *below;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        json_object_foreach((json_t *)value, key, below) {
            join(name, path, key);
            add_leaves(leaves, name, below);
        }
        break;
    case JSON_ARRAY:
        json_array_foreach(value, i, below) {
            snprintf(index, sizeof index, "[%zu]", i);
            if (snprintf(name, sizeof name, "%s%s", path, index) >= NAME_TEXT)
                fail("%s: too long", path);
            add_leaves(leaves, name, below);
        }
        break;
    case JSON_INTEGER:
        set_integer(leaves->lines, path, leaves->at, json_integer_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        set_integer(leaves->lines, path, leaves->at, json_is_true(value));
        break;
    case JSON_STRING:
        set_text(leaves->lines, path, leaves->at, json_string_value(value));
        break;
    default: break;
    }
}

// Adds the rows of a launch's instructions to the sums of its kernel, and their hashes. at: the
// number of the launch among those of the kernel.
static void add_instructions(json_t *lines, const char *kernel, size_t at, const json_t *pcs)
{
    static const char *const left_out[] = {"function", "ptx_line", "source", "text", NULL};
    json_t *columns = json_object(), *row, *value;
    const char *key;
    size_t pc;
    json_array_foreach(pcs, pc, row) {
        json_object_foreach(row, key, value)
            if (!hd_is_among(key, left_out))
                add_leaves(&(Leaves){columns, pc}, key, value);
    }
    json_object_foreach(columns, key, value) {
        char name[NAME_TEXT], launch[NAME_TEXT + 8], path[NAME_TEXT];
        snprintf(path, sizeof path, "pcs.%s", kernel);
        join(name, path, key);
        uint64_t hash = HASH_START;
        bool any = false;
        for (pc = 0; pc < json_array_size(value); pc++) {
            const char *text = lines_value(columns, key, pc);
            int64_t added = strtoll(text, NULL, 10);
            any |= added != 0;
            hash = hash_bytes(hash, text, strlen(text) + 1);
            set_integer(lines, name, pc, strtoll(lines_value(lines, name, pc), NULL, 10) + added);
        }
        char digits[16] = "0";
        if (any) snprintf(digits, sizeof digits, "%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
        snprintf(launch, sizeof launch, "%s@launch", name);
        set_value(lines, launch, at, digits);
    }
    json_decref(columns);
}

static void add_launch(json_t *lines, size_t at, const json_t *launch, json_t *launches_of)
{
    const char *kernel = json_string_value(json_object_get(launch, "name")), *key;
    json_t *value;
    if (!kernel) fail("launch %zu has no name", at);
    json_int_t before = json_integer_value(json_object_get(launches_of, kernel));
    json_object_set_new(launches_of, kernel, json_integer(before + 1));
    json_object_foreach((json_t *)launch, key, value) {
        if (strcmp(key, "pcs") == 0) add_instructions(lines, kernel, (size_t)before, value);
        else add_leaves(&(Leaves){lines, at}, strcmp(key, "name") ? key : "kernel", value);
    }
}

json_t *lines_of_result(const json_t *result, const char *what)
{
    static const char *const others[] = {"counters_hash", "hash", "kernels", NULL};
    json_t *lines = json_object(), *value;
    const json_t *launches = json_object_get(result, "kernels");
    if (!json_array_size(launches))
        fail("%s: no launches: expected a result of --per-kernel", what);
    const char *key;
    size_t i;
    json_object_foreach((json_t *)result, key, value) {
        char name[NAME_TEXT];
        join(name, "run", key);
        // What the launches have, too, is theirs.
        if (!hd_is_among(key, result_inputs) && !hd_is_among(key, others) &&
            !json_object_get(json_array_get(launches, 0), key))
            add_leaves(&(Leaves){lines, 0}, name, value);
    }
    json_t *launches_of = json_object();
    json_array_foreach(launches, i, value) add_launch(lines, i, value, launches_of);
    json_decref(launches_of);
    return lines;
}

json_t *lines_of_file(const char *path)
{
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why);
    if (!root) fail("%s:%d: %s", path, why.line, why.text);
    json_t *lines = lines_of_result(json_object_get(root, "result"), path);
    json_decref(root);
    return lines;
}

// ---- of a golden file ----

static void read_line(json_t *lines, char *line, const char *path, int number)
{
    char *save, *name = strtok_r(line, " \n", &save), *word;
    size_t at = 0;
    while ((word = strtok_r(NULL, " \n", &save))) {
        char *star = strrchr(word, '*'), *end = NULL;
        unsigned long times = star ? strtoul(star + 1, &end, 10) : 1;
        if (star && (*end || !times || times > 1000000))
            fail("%s:%d: '%s': expected VALUE*N", path, number, word);
        if (star) *star = 0;
        for (; times; times--) set_value(lines, name, at++, word);
    }
}

json_t *lines_of_golden(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) fail("%s: cannot be read: expected the golden file of the run", path);
    json_t *lines = json_object();
    char *line = NULL;
    size_t room = 0;
    for (int number = 1; getline(&line, &room, file) > 0; number++)
        if (*line != '#' && *line != '\n') read_line(lines, line, path, number);
    free(line);
    fclose(file);
    return lines;
}

// ---- as text ----

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **lines_names(const json_t *lines)
{
    const char **names = calloc(json_object_size(lines) + 1, sizeof *names), *key;
    size_t count = 0;
    json_t *value;
    if (!names) fail("out of memory");
    json_object_foreach((json_t *)lines, key, value) names[count++] = key;
    qsort(names, count, sizeof *names, by_name);
    return names;
}

void lines_write(const json_t *lines, FILE *out)
{
    const char **names = lines_names(lines);
    for (const char **n = names; *n; n++) {
        size_t count = json_array_size(json_object_get(lines, *n)), i, same;
        for (i = 0; i < count && strcmp(lines_value(lines, *n, i), "0") == 0; i++) continue;
        if (i == count) continue;
        fputs(*n, out);
        for (i = 0; i < count; i += same) {
            const char *value = lines_value(lines, *n, i);
            for (same = 1; i + same < count; same++)
                if (strcmp(lines_value(lines, *n, i + same), value) != 0) break;
            if (same > 2) fprintf(out, " %s*%zu", value, same);
            else for (size_t k = 0; k < same; k++) fprintf(out, " %s", value);
        }
        fputc('\n', out);
    }
    free(names);
}

// The name with * for a kernel's or an allocation's, and [] for a number.
static void write_general(const char *name, FILE *out)
{
    static const char *const of_names[] = {"pcs", "allocations", "waited", NULL};
    bool starred = false;
    for (const char *part = name; *part;) {
        size_t length = strcspn(part, ".");
        char word[NAME_TEXT];
        snprintf(word, sizeof word, "%.*s", (int)length, part);
        if (!starred) {
            char *bracket = strchr(word, '[');
            if (bracket) *bracket = 0;
            fprintf(out, "%s%s", word, bracket ? "[]" : "");
        } else {
            fputc('*', out);
        }
        starred = !starred && hd_is_among(word, of_names);
        part += length;
        if (*part) fputc(*part++, out);
    }
    fputc('\n', out);
}

void lines_write_names(const json_t *lines, FILE *out)
{
    const char **names = lines_names(lines);
    for (const char **n = names; *n; n++)
        if (!strstr(*n, "@launch")) write_general(*n, out);
    free(names);
}
