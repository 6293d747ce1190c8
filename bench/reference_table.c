// Runs the reference kernels and graphs on `heddle` and compares its counts, launch by launch, with
// those of GPGPU-Sim.
//
//     reference_table [--check] HEDDLE DIRECTORY [RUN ...] [-- OPTION ...]
//
// prints Markdown tables. With --check it prints the values outside the tolerances of
// docs/validation.md instead, and exits with status 1 if there are any. DIRECTORY contains
// per_kernel.csv, the PTX files and the graphs. RUN is a name from the first column; default: all.
// Options after `--` are passed to every heddle run.
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_row(const char *name, const double *o, const double *t)
{
    printf("| %s | %.0f / %.0f (%.2f) | %.0f / %.0f (%.3f) | %.0f / %.0f (%.2f) | %.1f / %.1f | "
           "%.1f / %.1f "
           "| %.0f / %.0f (%.2f) | %.1f / %.1f | %.0f / %.0f | %.0f / %.0f | %.0f / %.0f | %.0f / "
           "%.0f |\n",
           name, o[CYCLES], t[CYCLES], ratio(o[CYCLES], t[CYCLES]), o[WARP_INSTRUCTIONS],
           t[WARP_INSTRUCTIONS], ratio(o[WARP_INSTRUCTIONS], t[WARP_INSTRUCTIONS]), o[L1_ACCESSES],
           t[L1_ACCESSES], ratio(o[L1_ACCESSES], t[L1_ACCESSES]),
           percent(o[L1_MISSES], o[L1_ACCESSES]), percent(t[L1_MISSES], t[L1_ACCESSES]),
           percent(o[L1_PENDING], o[L1_ACCESSES]), percent(t[L1_PENDING], t[L1_ACCESSES]),
           o[L2_ACCESSES], t[L2_ACCESSES], ratio(o[L2_ACCESSES], t[L2_ACCESSES]),
           percent(o[L2_MISSES], o[L2_ACCESSES]), percent(t[L2_MISSES], t[L2_ACCESSES]),
           o[TO_MEMORY], t[TO_MEMORY], o[TO_SM], t[TO_SM], o[DRAM_READS], t[DRAM_READS],
           o[DRAM_WRITES], t[DRAM_WRITES]);
}

static void print_run(const char *run, const Row *ours, const Row *theirs, size_t count)
{
    printf("\n### %s\n\nOurs / theirs (ratio); rates in percent.\n\n", run);
    printf("| launch | cycles | warp instructions | L1D accesses | L1D miss | L1D pending | L2 "
           "accesses "
           "| L2 miss | flits to L2 | flits to SM | DRAM reads | DRAM writes |\n");
    printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    double o[COLUMNS], t[COLUMNS];
    for (size_t i = 0; i < count; i++) {
        char name[96];
        snprintf(name, sizeof name, "%zu %s", i + 1, theirs[i].kernel);
        print_row(name, ours[i].value, theirs[i].value);
    }
    reference_sum(ours, count, o);
    reference_sum(theirs, count, t);
    print_row("**all**", o, t);
    fflush(stdout);
}

static bool wanted(const char *run, char *const names[], int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], run)) return true;
    return count == 0;
}

// Fails for a misspelt name, which would compare nothing and exceed no tolerance.
static bool check_names(const Table *table, char *const names[], int count, HdError *err)
{
    if (!table->count) return hd_fail(err, "per_kernel.csv has no runs");
    for (int i = 0; i < count; i++) {
        size_t k = 0;
        while (k < table->count && strcmp(table->rows[k].run, names[i])) k++;
        if (k == table->count)
            return hd_fail(err, "there is no run '%s' in per_kernel.csv, whose first is %s",
                           names[i], table->rows[0].run);
    }
    return true;
}

typedef struct Comparison {
    bool check;
    const char *heddle, *directory;
    char *const *extra;
    unsigned runs, missed;
    double cycles_off; // summed over the runs
} Comparison;

static bool compare_run(Comparison *c, const Row *theirs, size_t count)
{
    static Row ours[MOST_ROWS];
    HdError err = {0};
    const char *run = theirs->run;
    if (!reference_simulate(c->heddle, c->directory, run, c->extra, ours, count, &err)) {
        fprintf(stderr, "reference_table: %s\n", err.text);
        return false;
    }
    if (!c->check) {
        print_run(run, ours, theirs, count);
        return true;
    }
    double off;
    c->missed += reference_check(run, ours, theirs, count, &off);
    c->cycles_off += fabs(off);
    c->runs++;
    return true;
}

static int check_result(const Comparison *c)
{
    enum { MEAN_OFF = 10 }; // percent
    double mean = c->runs ? 100 * c->cycles_off / c->runs : 0;
    bool far = mean > MEAN_OFF;
    printf("%u runs, cycles %.1f %% off on the mean%s; %u bars missed\n", c->runs, mean,
           far ? " (at most 10 is right)" : "", c->missed + far);
    return c->missed || far;
}

int main(int argc, char **argv)
{
    Comparison c = {.check = argc > 1 && !strcmp(argv[1], "--check")};
    argc -= c.check;
    argv += c.check;
    int names = 0;
    while (3 + names < argc && strcmp(argv[3 + names], "--")) names++;
    c.extra = 3 + names < argc ? argv + 3 + names + 1 : NULL;
    if (argc < 3) {
        fprintf(stderr, "usage: reference_table [--check] HEDDLE DIRECTORY [RUN ...] "
                        "[-- OPTION ...]\n");
        return 2;
    }
    c.heddle = argv[1];
    c.directory = argv[2];
    static Table reference;
    HdError err = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/per_kernel.csv", c.directory);
    if (!reference_read(path, &reference, &err) ||
        !check_names(&reference, argv + 3, names, &err)) {
        fprintf(stderr, "reference_table: %s\n", err.text);
        return 2;
    }
    int status = 0;
    for (size_t i = 0, end; i < reference.count; i = end) {
        const Row *first = &reference.rows[i];
        for (end = i; end < reference.count && !strcmp(reference.rows[end].run, first->run);) end++;
        if (wanted(first->run, argv + 3, names) && !compare_run(&c, first, end - i)) status = 2;
    }
    return c.check && !status ? check_result(&c) : status;
}
