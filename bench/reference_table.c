// Runs the reference kernels and graphs on `heddle` and compares its counts, launch by launch, with
// those of GPGPU-Sim.
//
//     reference_table [--check] [--machine NAME] HEDDLE DIRECTORY [RUN ...] [-- OPTION ...]
//
// prints Markdown tables. With --check it prints the values outside the tolerances of
// docs/validation.md instead, and exits with status 1 if there are any. NAME is a machine with that
// tool's values (default: fermi-gtx480-gpgpusim4), and selects the file of counts. DIRECTORY
// contains this file, the PTX files and the graphs. RUN is a name from the first column; default:
// all. Cycles are without launch.latency.
// Options after `--` are passed to every heddle run.
#include "reference.h"
#include "wanted.h"

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

// Fails for a misspelt name, which would compare nothing and exceed no tolerance.
static bool check_names(const Table *table, const char *csv, char *const names[], int count,
                        HdError *err)
{
    if (!table->count) return hd_fail(err, "%s: expected at least one run", csv);
    for (int i = 0; i < count; i++) {
        size_t k = 0;
        while (k < table->count && strcmp(table->rows[k].run, names[i])) k++;
        if (k == table->count)
            return hd_fail(err, "there is no run '%s' in %s, whose first is %s", names[i], csv,
                           table->rows[0].run);
    }
    return true;
}

typedef struct Comparison {
    bool check;
    const char *machine;
    ReferenceRuns of;
    unsigned runs, missed;
    double cycles_off; // summed over the runs
} Comparison;

static bool compare_run(Comparison *c, Row *theirs, size_t count)
{
    static Row ours[MOST_ROWS];
    HdError err = {0};
    const char *run = theirs->run;
    if (!reference_simulate(&c->of, ours, theirs, count, &err)) {
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

// Reads the options before the first argument without dashes; returns its index, 0 if one is wrong.
static int options(Comparison *c, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--check")) c->check = true;
        else if (!strcmp(argv[i], "--machine") && i + 1 < argc) c->machine = argv[++i];
        else return 0;
    }
    return i + 1 < argc ? i : 0;
}

static bool prepare(Comparison *c, Table *reference, char *const names[], int count, HdError *err)
{
    c->of.machine = reference_machine(c->machine, err);
    if (!c->of.machine) return false;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", c->of.directory, c->of.machine->csv);
    return reference_read(path, reference, err) &&
           check_names(reference, c->of.machine->csv, names, count, err);
}

int main(int argc, char **argv)
{
    Comparison c = {.machine = "fermi-gtx480-gpgpusim4"};
    int first = options(&c, argc, argv);
    if (!first) {
        fprintf(stderr, "usage: reference_table [--check] [--machine NAME] HEDDLE DIRECTORY "
                        "[RUN ...] [-- OPTION ...]\n");
        return 2;
    }
    c.of.heddle = argv[first];
    c.of.directory = argv[first + 1];
    char **names = argv + first + 2;
    int count = 0, left = argc - first - 2;
    while (count < left && strcmp(names[count], "--")) count++;
    if (count < left) c.of.extra = names + count + 1;
    static Table reference;
    HdError err = {0};
    if (!prepare(&c, &reference, names, count, &err)) {
        fprintf(stderr, "reference_table: %s\n", err.text);
        return 2;
    }
    int status = 0;
    for (size_t i = 0, end; !status && i < reference.count; i = end) {
        Row *row = &reference.rows[i];
        for (end = i; end < reference.count && !strcmp(reference.rows[end].run, row->run);) end++;
        if (wanted(row->run, names, count) && !compare_run(&c, row, end - i)) status = 2;
    }
    return c.check && !status ? check_result(&c) : status;
}
