// `heddle diff`: the differences between two results, and the first launch that differs.
#include "cli/common/messages.h"
#include "cli/options/command_line.h"
#include "cli/results/diff.h"
#include "cli/results/result_file.h"
#include "report/result_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One of the two files.
typedef struct Side {
    json_t *file;
    const json_t *result, *kernels;
} Side;

static bool side_load(Side *side, const char *path, HdError *err)
{
    side->file = result_file_read(path, &side->result, &side->kernels, err);
    return side->file;
}

// ---- comparing ----

// NULL-terminated lists, as result_inputs is.
static const char *const modes[] = {"partial", "approximate", "functional", "cut", NULL};
static const char *const answers[] = {"verified", "answer", NULL};
static const char *const not_counters[] = {"kernels", "counters_hash", "hash", NULL};

static bool diff_keys(Differences *list, const char *const *keys, const Side *a, const Side *b)
{
    for (size_t i = 0; keys[i]; i++)
        if (!diff_values(list, keys[i], json_object_get(a->result, keys[i]),
                         json_object_get(b->result, keys[i])))
            return false;
    return true;
}

// All other keys of a result.
static bool diff_counters(Differences *list, const Side *a, const Side *b)
{
    const Side *sides[] = {a, b};
    for (int s = 0; s < 2; s++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)sides[s]->result, key, value) {
            bool seen = s && json_object_get(a->result, key);
            if (seen || hd_is_among(key, result_inputs) || hd_is_among(key, modes) ||
                hd_is_among(key, answers) || hd_is_among(key, not_counters))
                continue;
            if (!diff_values(list, key, json_object_get(a->result, key),
                             json_object_get(b->result, key)))
                return false;
        }
    }
    return true;
}

// ---- the report ----

static void print_row(const Difference *d)
{
    printf("  %-44s %20s %20s", d->place, d->a, d->b);
    if (d->relative < 1) printf("  %6.2f %%", 100 * d->relative);
    putchar('\n');
}

static int by_size(const void *a, const void *b)
{
    const Difference *x = a, *y = b;
    if (x->relative != y->relative) return x->relative < y->relative ? 1 : -1;
    return strcmp(x->place, y->place);
}

static void print_list(const char *title, const Differences *list, size_t most)
{
    if (!list->count) return;
    printf("%s: %zu\n", title, list->count);
    for (size_t i = 0; i < list->count && i < most; i++) print_row(&list->items[i]);
    if (list->count > most) printf("  and %zu more (--all)\n", list->count - most);
}

// Prints the first launch that differs, with its first counter. *differ: how many launches differ.
static bool print_launches(const Side *a, const Side *b, size_t *differ)
{
    size_t launches = json_array_size(a->kernels), others = json_array_size(b->kernels);
    size_t both = launches < others ? launches : others;
    *differ = 0;
    for (size_t i = 0; i < both; i++) {
        Differences list = {0};
        const json_t *x = json_array_get(a->kernels, i), *y = json_array_get(b->kernels, i);
        const char *key;
        json_t *value;
        bool ok = true;
        json_object_foreach((json_t *)x, key, value) { // only one may be of --per-kernel
            const json_t *other = json_object_get(y, key);
            ok = ok && (!other || diff_values(&list, key, value, other));
        }
        if (ok && list.count && !(*differ)++) {
            const char *name = json_string_value(json_object_get(x, "name"));
            printf("first in launch %zu (%s)\n", i + 1, name ? name : "?");
            print_row(&list.items[0]);
        }
        diff_free(&list);
        if (!ok) return false;
    }
    if (launches != others) printf("launches: %zu and %zu\n", launches, others);
    if (*differ) printf("launches that differ: %zu of %zu\n", *differ, both);
    *differ += launches != others;
    return true;
}

static bool compare(const Side *a, const Side *b, bool all, bool *same, HdError *err)
{
    Differences run = {0}, answer = {0}, counters = {0};
    size_t launches, most = all ? SIZE_MAX : 15;
    bool ok = diff_keys(&run, result_inputs, a, b) && diff_keys(&run, modes, a, b) &&
              diff_keys(&answer, answers, a, b) && diff_counters(&counters, a, b);
    if (ok) {
        print_list("different inputs", &run, most);
        print_list("different answers", &answer, most);
        ok = print_launches(a, b, &launches);
    }
    if (ok) {
        if (counters.count) qsort(counters.items, counters.count, sizeof *counters.items, by_size);
        print_list("counters of the whole run that differ", &counters, most);
        *same = !run.count && !answer.count && !counters.count && !launches;
    }
    if (ok && *same) {
        const char *x = json_string_value(json_object_get(a->result, "hash"));
        const char *y = json_string_value(json_object_get(b->result, "hash"));
        if (x && y && strcmp(x, y) == 0)
            printf("the same result, %s\n", x);
        else // only one of them is of --per-kernel
            printf("the same result in all keys of both; the hashes are %s and %s\n",
                   x ? x : "missing", y ? y : "missing");
    }
    diff_free(&run);
    diff_free(&answer);
    diff_free(&counters);
    return ok || hd_fail_memory(err, "comparing results");
}

typedef struct DiffOptions {
    bool all;
} DiffOptions;

static const Option diff_options[] = {
    {.name = "all", .type = OPTION_FLAG, .target = offsetof(DiffOptions, all),
     .help = "print every counter that differs, not the first 15"},
    {0},
};

static int diff_files(const CommandLine *line, void *values)
{
    const DiffOptions *options = values;
    HdError err = {0};
    Side a = {0}, b = {0};
    bool same = false;
    if (line->argument_count != 2)
        return cli_fail_with("diff: expected two files (see heddle diff --help)");
    bool ok = side_load(&a, line->arguments[0], &err) && side_load(&b, line->arguments[1], &err) &&
              compare(&a, &b, options->all, &same, &err);
    json_decref(a.file);
    json_decref(b.file);
    int status = ok ? cli_flush() : cli_fail(&err);
    return status == EXIT_GOOD && !same ? EXIT_WRONG : status;
}

static int cmd_diff(int argc, char **argv)
{
    DiffOptions options = {0};
    return command_line_run(&command_diff, diff_files, &options, (void *[]){&options}, argc, argv);
}

const Command command_diff = {
    .name = "diff",
    .summary = "compare two results: the first launch and counter that differ",
    .synopsis = "diff A.json B.json [--all]",
    .description =
        "Compares two results of `heddle run --out`: first the inputs (machine, parameters, graph, "
        "seed), then the answers, then launch by launch, with the first launch and counter that "
        "differ, then the counters of the whole run, the largest relative difference first. With "
        "heddle run --per-kernel launches are compared in every counter, otherwise in their cycles "
        "and instructions. The host's times and threads are not compared.",
    .tables = {diff_options},
    .notes = "exit status: 0 the results are the same; 1 they differ; 2 bad input",
    .run = cmd_diff,
};
