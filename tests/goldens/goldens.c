// Keeps the counters of a result as lines of text, and compares a result with them.
//
//     goldens write RESULT RUN...      the golden file of a run, to standard output
//     goldens names RESULT             the names of all its counters
//     goldens compare RESULT GOLDEN    prints what differs, with both values; exit status 1 if
//                                      something does
#include "counter_lines.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12 }; // differences of a run that are printed

typedef struct Comparison {
    const json_t *found, *expected;
    size_t count; // lines that differ
} Comparison;

static size_t places(const Comparison *c, const char *name)
{
    size_t found = json_array_size(json_object_get(c->found, name));
    size_t expected = json_array_size(json_object_get(c->expected, name));
    return found > expected ? found : expected;
}

static void show(const Comparison *c, const char *name, size_t at)
{
    const char *found = lines_value(c->found, name, at),
               *expected = lines_value(c->expected, name, at);
    if (strstr(name, "@launch"))
        printf("  %s: differs first in launch %zu of its kernel\n", name, at + 1);
    else if (strncmp(name, "pcs.", 4) == 0)
        printf("  %s: instruction %zu is %s, expected %s\n", name, at, found, expected);
    else if (strncmp(name, "run.", 4) == 0)
        printf("  %s is %s, expected %s\n", name, found, expected);
    else {
        const char *kernel = lines_value(c->found, "kernel", at);
        if (strcmp(kernel, "0") == 0) kernel = lines_value(c->expected, "kernel", at);
        printf("  launch %zu (%s): %s is %s, expected %s\n", at + 1, kernel, name, found,
               expected);
    }
}

static void compare_line(Comparison *c, const char *name)
{
    size_t count = places(c, name), at = 0;
    while (at < count &&
           strcmp(lines_value(c->found, name, at), lines_value(c->expected, name, at)) == 0)
        at++;
    if (at < count && c->count++ < SHOWN) show(c, name, at);
}

static int compare(const char *result, const char *golden)
{
    json_t *found = lines_of_file(result), *expected = lines_of_golden(golden);
    Comparison c = {found, expected, 0};
    const char **names = lines_names(found), **others = lines_names(expected);
    for (const char **n = names; *n; n++) compare_line(&c, *n);
    for (const char **n = others; *n; n++) // those that the result has no longer
        if (!json_object_get(found, *n)) compare_line(&c, *n);
    if (c.count > SHOWN) printf("  and %zu more lines\n", c.count - SHOWN);
    free(names);
    free(others);
    json_decref(found);
    json_decref(expected);
    return c.count > 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "compare") == 0 && argc == 4) return compare(argv[2], argv[3]);
    bool names = strcmp(what, "names") == 0 && argc == 3;
    if (!names && !(strcmp(what, "write") == 0 && argc > 3)) {
        fputs("usage: goldens write RESULT RUN... | names RESULT | compare RESULT GOLDEN\n",
              stderr);
        return 2;
    }
    json_t *lines = lines_of_file(argv[2]);
    if (names) {
        lines_write_names(lines, stdout);
    } else {
        fputs("#", stdout);
        for (int i = 3; i < argc; i++) printf(" %s", argv[i]);
        fputc('\n', stdout);
        lines_write(lines, stdout);
    }
    json_decref(lines);
    return fflush(stdout) == 0 ? 0 : 2;
}
