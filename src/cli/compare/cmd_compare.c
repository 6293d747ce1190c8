// `heddle compare`: one program with several mechanisms, side by side.
#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "cli/common/data_directories.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/common/text_list.h"
#include "cli/compare/answers.h"
#include "cli/compare/comparison.h"
#include "cli/compare/search.h"
#include "cli/compare/variant_identity.h"
#include "cli/compare/variant_metrics.h"
#include "cli/compare/variants.h"
#include "cli/run/run_options.h"
#include "report/input_files.h"
#include "view/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CompareOptions {
    const char *const *mechanisms; // of each variant
    const char *store, *csv, *svg, *search_csv;
    uint32_t jobs;
    char threads[24]; // of each run
    Directories machines;
    Variants variants;
    Searches searches;
    RunOptions run;
} CompareOptions;

#define TARGET(field) .target = offsetof(CompareOptions, field), .group = "comparison"

static const Option compare_options[] = {
    {.name = "mechanism", .type = OPTION_LIST, TARGET(mechanisms), .value = "LIST",
     .help = "as in heddle run, once for each variant; `none` is the machine without mechanisms "
             "('a>b' needs the quotes: to a shell, > means a file); a parameter of whole numbers "
             "may be a range, such as warp-limit:warps=1..24: a variant for each value"},
    {.name = "store", .type = OPTION_OUTPUT, TARGET(store), .value = "FILE",
     .help = "the store that results are kept in, and taken from (default " DEFAULT_STORE ")"},
    {.name = "jobs", .type = OPTION_U32, TARGET(jobs), .value = "N", .min = 1, .max = 1024,
     .help = "runs at a time, each on one thread (default: one per CPU)"},
    {.name = "csv", .type = OPTION_OUTPUT, TARGET(csv), .value = "FILE",
     .help = "write the table, with all counters that the papers' figures are drawn from"},
    {.name = "search-csv", .type = OPTION_OUTPUT, TARGET(search_csv), .value = "FILE",
     .help = "write the cycles of the program and of each kernel for each value of a range"},
    {.name = "svg", .type = OPTION_OUTPUT, TARGET(svg), .value = "FILE",
     .help = "draw IPC relative to the first variant as bars, by gnuplot: SVG, PNG or PDF, by "
             "the name's ending"},
    {0},
};

// The words of `heddle run` that all variants share: every option but compare's own, and those that
// each run has anyway.
static bool add_run_words(CompareOptions *o, HdError *err)
{
    static const char *const others[] = {"threads", "per-kernel", NULL};
    CommandLine *line = &o->run.line;
    bool ok = text_list_add(&o->variants.run, o->run.target);
    for (size_t i = 0; ok && i < line->given_count; i++) {
        const GivenOption *given = &line->given[i];
        if (given->table == 0 || hd_is_among(given->option->name, others)) continue;
        const char *name = given->option->name, *text = given->text ? given->text : "";
        size_t size = strlen(name) + strlen(text) + sizeof "--=";
        char *word = hd_arena_new(&line->arena, size);
        if (word) snprintf(word, size, "--%s%s%s", name, given->text ? "=" : "", text);
        ok = word && text_list_add(&o->variants.run, word);
    }
    return ok || hd_fail_memory(err, "reading options");
}

static bool check_utf8(const char *text, HdError *err)
{
    return text_is_plain(text, "") ||
           hd_fail(err, "%s: expected UTF-8 without control characters, as results are written",
                   text);
}

// Checks the options, and makes the variants and searches that --mechanism asks for.
static bool check_options(CompareOptions *o, HdError *err)
{
    size_t count = option_list_length(o->mechanisms);
    HdArena *arena = &o->run.line.arena;
    o->searches.items = hd_arena_new(arena, (count + 1) * sizeof *o->searches.items);
    if (!o->searches.items) return hd_fail_memory(err, "comparing");
    for (size_t i = 0; i < count; i++) {
        if (!check_utf8(o->mechanisms[i], err)) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(o->mechanisms[i], o->mechanisms[k]) == 0)
                return hd_fail(err, "--mechanism %s is given twice", o->mechanisms[i]);
        if (!search_add(&o->searches, &o->variants, o->mechanisms[i], arena, err)) return false;
    }
    if (o->variants.count < 2)
        return hd_fail(err, "nothing to compare: expected --mechanism twice or more, such as "
                            "--mechanism none --mechanism NAME, or a range");
    if (o->search_csv && !o->searches.count)
        return hd_fail(err, "--search-csv: expected a range in --mechanism, such as "
                            "warp-limit:warps=1..24");
    unsigned threads = o->run.settings.simulation.threads;
    snprintf(o->threads, sizeof o->threads, "%u", threads ? threads : 1);
    o->variants.threads = o->threads;
    o->variants.jobs.store = o->store;
    o->variants.jobs.at_a_time = o->jobs;
    o->variants.jobs.stop = signals_caught();
    return add_run_words(o, err) && (!o->svg || plot_check(o->svg, err));
}

// Records what the runs are computed from, and whether the machine or --set name parameters that
// only shared objects have.
static bool gather_provenance(CompareOptions *o, HdError *err)
{
    HdError unknown;
    char object[SHARED_OBJECT_TEXT];
    const RunOptions *run = &o->run;
    machine_directories(&o->machines);
    o->variants.inputs = (RunInputs){
        .machine = run->settings.simulation.machine, .machines = &o->machines,
        .set = run->settings.simulation.set, .kernels = run->raw ? run->target : run->ptx,
        .graph = run->raw ? NULL : run->graph, .arguments = run->args};
    o->variants.common = provenance_gather(&o->variants.inputs, NULL, &unknown, err);
    if (!o->variants.common) return false;
    o->variants.share_names = *unknown.text;
    if (!o->variants.share_names) return true;
    for (const char *const *mechanisms = o->mechanisms; *mechanisms; mechanisms++) {
        const char *text = *mechanisms;
        if (next_shared_object(&text, object)) return true;
    }
    return hd_fail(err, "%s", unknown.text);
}

// Names the variants that failed.
static bool print_failed(const Variants *variants)
{
    bool failed = false;
    for (size_t i = 0; i < variants->count; i++) {
        const Job *job = variants->items[i].job;
        if (job->state != JOB_FAILED) continue;
        failed = true;
        fprintf(stderr, "heddle: %s failed: %s\n", job->name, job->why);
    }
    return failed;
}

static bool write_files(const CompareOptions *o, HdError *err)
{
    return (!o->csv || metrics_write_csv(&o->variants, o->csv, err)) &&
           (!o->search_csv ||
            searches_write_csv(&o->searches, &o->variants, o->search_csv, err)) &&
           (!o->svg || comparison_draw(&o->variants, o->svg, err));
}

// Prints and writes the results; returns the exit status. After a signal, what is there is printed,
// and no file is written: a file is complete.
static int report(const CompareOptions *o)
{
    HdError err;
    int signal = *signals_caught();
    if (!variants_check_inputs(&o->variants, &err) || !variants_check_cuts(&o->variants, &err))
        return cli_fail(&err);
    comparison_print(&o->variants);
    bool printed = searches_print(&o->searches, &o->variants, &err);
    fflush(stdout);
    bool failed = print_failed(&o->variants);
    if (signal) {
        fprintf(stderr, "heddle: interrupted; the same command continues\n");
        return SIGNAL_STATUS + signal;
    }
    answers_warn(&o->variants, o->run.source.largest);
    if (!printed || !write_files(o, &err)) return cli_fail(&err);
    int status = cli_flush();
    return failed ? EXIT_INPUT : status;
}

static int compare(CompareOptions *o)
{
    HdError err;
    bool refused;
    bool ok = check_options(o, &err) && gather_provenance(o, &err) &&
              variants_prepare(&o->variants, &err) &&
              variants_check(&o->variants, &refused, &err);
    if (ok && refused) return EXIT_INPUT;
    signals_watch();
    return ok && variants_run(&o->variants, &err) ? report(o) : cli_fail(&err);
}

static int cmd_compare(int argc, char **argv)
{
    int status;
    CompareOptions o = {.store = DEFAULT_STORE, .jobs = team_cpus()};
    if (run_options_start(&o.run, &command_compare, &o, argc, argv, &status)) status = compare(&o);
    variants_free(&o.variants);
    run_options_free(&o.run);
    return status;
}

const Command command_compare = {
    .name = "compare",
    .summary = "run a workload with several mechanisms, side by side",
    .synopsis = "compare WORKLOAD --mechanism LIST --mechanism LIST ... [options]",
    .description =
        "Runs a workload with each of these mechanisms, as many at a time as there are CPUs, and "
        "prints the results relative to the first, with the answer. All variants are checked "
        "before the first run: if one cannot run, nothing is run (status 2). A variant that fails "
        "later is named (status 2), and the others are still compared; if the first fails, no "
        "ratios are printed.\n"
        "\n"
        "A range makes one variant of each of its values; several ranges in one LIST make all "
        "combinations, at most 256. Of these variants, the one with the fewest cycles is "
        "named, for the program and for each kernel.\n"
        "\n"
        "Results are kept in a store (heddle query), and the same command takes complete ones from "
        "there: after an interruption it continues, and a further --mechanism runs alone. A "
        "variant is run again only if something that its result is computed from has changed: the "
        "machine, the graph or another file, its shared object, or the simulator. Several "
        "comparisons may use one store at a time, on one host.\n"
        "\n"
        "The table goes to stdout; stderr gets a line for each variant that ends, or a progress "
        "line if it is a terminal. Ctrl-C or SIGTERM prints the table of what is there.\n"
        "\n"
        "With --max-thread-instructions N all variants are cut at N, which each of them must "
        "reach: IPC then compares, but cycles do not.\n"
        "\n"
        "--set and the machine file may name parameters of the variants' shared objects.",
    .tables = {compare_options, run_options, graph_options, simulation_options},
    .bit = OF_COMPARE,
    .notes = "exit status: 0 all variants are compared; 2 bad input, or a variant failed; 128 + "
             "the signal's number if interrupted\n"
             "\n"
             "example:\n"
             "  heddle compare bfs --impl topology --graph rmat:14,8 "
             "--mechanism none \\\n"
             "      --mechanism streaming-bypass --mechanism streaming-bypass:levels=l1\n"
             "  heddle compare kmeans --mechanism none --mechanism warp-limit:warps=1..24",
    .run = cmd_compare,
};
