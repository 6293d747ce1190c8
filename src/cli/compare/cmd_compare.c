// `heddle compare`: one program with several mechanisms, side by side.
#include "base/hash.h"
#include "base/memory.h"
#include "base/team.h"
#include "cli/common/interrupt.h"
#include "cli/common/messages.h"
#include "cli/common/text_list.h"
#include "cli/compare/answers.h"
#include "cli/compare/comparison.h"
#include "cli/compare/provenance.h"
#include "cli/compare/search.h"
#include "cli/compare/variant_identity.h"
#include "cli/compare/variant_metrics.h"
#include "cli/compare/variants.h"
#include "cli/run/run_options.h"
#include "report/input_files.h"
#include "view/plot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct CompareOptions {
    const char *const *mechanisms; // of each variant
    const char *keep, *csv, *svg, *search_csv;
    uint32_t jobs;
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
    {.name = "keep", .type = OPTION_TEXT, TARGET(keep), .value = "FOLDER",
     .help = "where results are kept (default: a folder for each comparison, "
             DEFAULT_KEEP_FOLDER "/HASH)"},
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

// The words of `heddle run` that all variants share: every option but compare's own.
static bool add_run_words(CompareOptions *o, HdError *err)
{
    CommandLine *line = &o->run.line;
    bool ok = true;
    for (size_t i = 0; ok && i < line->given_count; i++) {
        const GivenOption *given = &line->given[i];
        if (given->table == 0) continue;
        const char *name = given->option->name, *text = given->text ? given->text : "";
        size_t size = strlen(name) + strlen(text) + sizeof "--=";
        char *word = hd_arena_new(&line->arena, size);
        if (word) snprintf(word, size, "--%s%s%s", name, given->text ? "=" : "", text);
        ok = word && text_list_add(&o->variants.run, word);
    }
    return (ok && text_list_add(&o->variants.run, o->run.target)) ||
           hd_fail_memory(err, "reading options");
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
    o->variants.jobs = o->jobs;
    o->variants.one_thread = !o->run.settings.simulation.threads;
    return add_run_words(o, err) && (!o->svg || plot_check(o->svg, err));
}

// Records what the runs are computed from, and whether the machine or --set name parameters that
// only shared objects have.
static bool gather_provenance(CompareOptions *o, HdError *err)
{
    HdError unknown;
    char object[SHARED_OBJECT_TEXT];
    o->variants.provenance = provenance_gather(&o->variants.run, &o->run, &unknown, err);
    if (!o->variants.provenance) return false;
    o->variants.share_names = *unknown.text;
    if (!o->variants.share_names) return true;
    for (const char *const *mechanisms = o->mechanisms; *mechanisms; mechanisms++) {
        const char *text = *mechanisms;
        if (next_shared_object(&text, object)) return true;
    }
    return hd_fail(err, "%s", unknown.text);
}

// Without --keep, comparisons of other inputs have other folders.
static bool choose_folder(CompareOptions *o, HdError *err)
{
    enum { SIZE = sizeof DEFAULT_KEEP_FOLDER + HASH_TEXT };
    char hash[HASH_TEXT], *folder;
    o->variants.folder = o->keep;
    if (o->keep) return true;
    if (!provenance_hash(o->variants.provenance, hash, err)) return false;
    if (!(folder = hd_arena_new(&o->run.line.arena, SIZE))) return hd_fail_memory(err, "comparing");
    snprintf(folder, SIZE, DEFAULT_KEEP_FOLDER "/%s", hash);
    o->variants.folder = folder;
    return true;
}

static bool open_folder(CompareOptions *o, HdError *err)
{
    if (!o->keep && mkdir(DEFAULT_KEEP_FOLDER, 0777) != 0 && errno != EEXIST)
        return hd_fail(err, DEFAULT_KEEP_FOLDER ": the folder cannot be made: %s", strerror(errno));
    return variants_open(&o->variants, err);
}

// If a file changed while the variants ran, later ones are not comparable with earlier ones.
static bool check_provenance(const CompareOptions *o, HdError *err)
{
    char changed[SHARED_OBJECT_TEXT + 64];
    HdError unknown;
    if (*signals_caught()) return true;
    json_t *now = provenance_gather(&o->variants.run, &o->run, &unknown, err);
    bool same = now && !provenance_differs(o->variants.provenance, now, changed, sizeof changed);
    json_decref(now);
    if (now && !same)
        hd_fail(err, "%s while the variants ran: remove the folder %s and compare again",
                *changed ? changed : "their inputs have changed", o->variants.folder);
    return same;
}

// Names the variants that failed.
static bool print_failed(const Variants *variants)
{
    bool failed = false;
    for (size_t i = 0; i < variants->count; i++) {
        const Variant *v = &variants->items[i];
        if (v->state != VARIANT_FAILED) continue;
        failed = true;
        fprintf(stderr, "heddle: %s failed: %s\n", v->mechanisms, v->why);
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
    bool ok = check_options(o, &err) && gather_provenance(o, &err) && choose_folder(o, &err) &&
              variants_check(&o->variants, &refused, &err);
    if (ok && refused) return EXIT_INPUT;
    ok = ok && open_folder(o, &err) && variants_run(&o->variants, &err) &&
         check_provenance(o, &err);
    return ok ? report(o) : cli_fail(&err);
}

static int cmd_compare(int argc, char **argv)
{
    int status;
    CompareOptions o = {.jobs = team_cpus()};
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
        "Results are kept, and the same command reuses complete ones: after an interruption it "
        "continues, and a further --mechanism runs alone. A variant whose shared object has "
        "changed is run again. All results of a folder share options, machine, graph and other "
        "files, and heddle itself. If one of them has changed, results go to a new folder; a "
        "folder that --keep names is refused. Several comparisons may use one folder at a time.\n"
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
