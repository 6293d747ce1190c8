// `heddle compare`: one program with several mechanisms, side by side.
#include "base/memory.h"
#include "base/team.h"
#include "cli/common/commands.h"
#include "cli/compare/comparison.h"
#include "cli/compare/variant_metrics.h"
#include "cli/compare/provenance.h"
#include "cli/common/plot.h"
#include "cli/common/interrupt.h"
#include "cli/common/text.h"
#include "cli/compare/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: heddle compare WORKLOAD --mechanism LIST --mechanism LIST ... [options]\n"
    "\n"
    "Runs a workload with each of these mechanisms (`none`: the machine as it is), as many at a\n"
    "time as there are CPUs, and prints what they come to beside the first. One that fails is\n"
    "named (status 2), and the others are still compared; no ratios are given where it was the\n"
    "first.\n"
    "\n"
    "Results are kept, and the same command takes those that are there and whole: after an\n"
    "interruption it goes on where it was. A variant whose shared object has changed since is run\n"
    "again; where anything that all variants share has changed (options, machine, graph and other\n"
    "files, heddle itself), the folder is refused.\n"
    "\n"
    "  --mechanism LIST  as in heddle run; once for each variant ('a>b' needs the quotes: to a\n"
    "                    shell, > means a file)\n"
    "  --keep FOLDER     where results are kept (default " DEFAULT_KEEP_FOLDER ")\n"
    "  --jobs N          runs at a time (default: as many as CPUs), each on one thread\n"
    "  --csv FILE        write the table, and all else that the papers' figures are drawn from\n"
    "  --svg FILE        draw instructions per cycle, beside the first (needs gnuplot)\n"
    "\n"
    "All other options are those of heddle run, but for --out, --dump, --functional, --backend.\n"
    "--set and the machine file may name parameters of the variants' shared objects.\n"
    "\n"
    "example: heddle compare bfs --impl topology --graph rmat:14,8 --mechanism none\n"
    "             --mechanism streaming-bypass --mechanism streaming-bypass:levels=l1\n";

typedef struct CompareOptions {
    Variants variants;
    TextList mechanisms;
    const char *csv, *svg, *jobs;
    RunOptions run; // what variants.run says
} CompareOptions;

// The value of "--NAME value" or "--NAME=value" at argv[*at]; NULL: it is another option. *at goes
// on to the last word used.
static const char *value_of(const char *name, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    size_t length = strlen(name);
    if (strncmp(word, name, length)) return NULL;
    if (word[length] == '=') return word + length + 1;
    if (word[length]) return NULL;
    return *at + 1 < argc ? argv[++*at] : "";
}

static bool take_word(CompareOptions *o, int argc, char **argv, int *at, HdError *err)
{
    const struct {
        const char *name, **to;
    } texts[] = {{"--keep", &o->variants.folder}, {"--csv", &o->csv}, {"--svg", &o->svg},
                 {"--jobs", &o->jobs}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *value = value_of(texts[i].name, argc, argv, at);
        if (!value) continue;
        if (!*value) return hd_fail(err, "%s needs a value", texts[i].name);
        *texts[i].to = value;
        return true;
    }
    const char *mechanisms = value_of("--mechanism", argc, argv, at);
    bool ok = true;
    if (mechanisms && !*mechanisms) return hd_fail(err, "--mechanism needs a value");
    if (mechanisms) ok = text_list_add(&o->mechanisms, mechanisms);
    else ok = text_list_add(&o->variants.run, argv[*at]);
    return ok || hd_fail_memory(err, "reading the command line");
}

// What has no place in a comparison.
static bool check_run(const RunOptions *run, HdError *err)
{
    if (run->out) return hd_fail(err, "--out: results are kept in the folder that --keep names");
    if (run->dumps.count) return hd_fail(err, "--dump: all variants would write the same file");
    if (run->mechanisms || run->help)
        return hd_fail(err, "--%s must be written in full", run->help ? "help" : "mechanism");
    if (run->cuda)
        return hd_fail(err, "--backend cuda: a real GPU has no mechanisms to compare");
    return !run->functional ||
           hd_fail(err, "--functional computes without time, and compare is about time");
}

// Reads the words of `heddle run`, so that what is wrong for all variants is told at once.
static bool read_run(CompareOptions *o, HdError *err)
{
    const TextList *words = &o->variants.run;
    char **argv = hd_new(words->count + 2, sizeof *argv);
    if (!argv) return hd_fail_memory(err, "reading the command line");
    argv[0] = (char[]){"run"};
    memcpy(argv + 1, words->items, words->count * sizeof *argv);
    bool ok = run_options_parse(&o->run, (int)words->count + 1, argv, err);
    free(argv);
    o->variants.one_thread = !o->run.threads;
    return ok && check_run(&o->run, err);
}

static bool read_words(CompareOptions *o, int argc, char **argv, HdError *err)
{
    o->variants.folder = DEFAULT_KEEP_FOLDER;
    for (int i = 1; i < argc; i++)
        if (!take_word(o, argc, argv, &i, err)) return false;
    uint64_t jobs = team_cpus();
    if (o->jobs && !parse_number(o->jobs, "--jobs", 1, 1024, &jobs, err)) return false;
    o->variants.jobs = (unsigned)jobs;
    if (!o->variants.run.count) return hd_fail(err, "say what to compare: heddle compare bfs ...");
    if (o->mechanisms.count < 2)
        return hd_fail(err, "say what to compare: --mechanism none --mechanism NAME");
    for (size_t i = 0; i < o->mechanisms.count; i++) {
        if (!check_utf8(o->mechanisms.items[i], err)) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(o->mechanisms.items[i], o->mechanisms.items[k]) == 0)
                return hd_fail(err, "--mechanism %s is given twice", o->mechanisms.items[i]);
    }
    return read_run(o, err) && (!o->csv || check_writable(o->csv, "--csv", err)) &&
           (!o->svg || plot_check(o->svg, err));
}

static bool has_shared_objects(const TextList *mechanisms)
{
    char object[SHARED_OBJECT_TEXT];
    for (size_t i = 0; i < mechanisms->count; i++) {
        const char *text = mechanisms->items[i];
        if (next_shared_object(&text, object)) return true;
    }
    return false;
}

// What the runs are made from, and whether machine and --set name parameters that only mechanisms
// of shared objects can have.
static bool gather_provenance(CompareOptions *o, HdError *err)
{
    HdError unknown;
    o->variants.provenance = provenance_gather(&o->variants.run, &o->run, &unknown, err);
    if (!o->variants.provenance) return false;
    o->variants.share_names = *unknown.text && !o->run.known;
    return !o->variants.share_names || has_shared_objects(&o->mechanisms) ||
           hd_fail(err, "%s", unknown.text);
}

// Files that changed while some ran have made others of those that came later.
static bool check_provenance(const CompareOptions *o, HdError *err)
{
    char changed[SHARED_OBJECT_TEXT + 64];
    HdError unknown;
    if (*signals_caught()) return true;
    json_t *now = provenance_gather(&o->variants.run, &o->run, &unknown, err);
    bool same = now && !provenance_differs(o->variants.provenance, now, changed, sizeof changed);
    json_decref(now);
    if (now && !same)
        hd_fail(err, "%s while the variants ran: remove the folder %s, and compare again",
                *changed ? changed : "what they are made from has changed", o->variants.folder);
    return same;
}

static bool make_variants(CompareOptions *o, HdError *err)
{
    o->variants.count = o->mechanisms.count;
    o->variants.items = hd_new(o->variants.count, sizeof *o->variants.items);
    if (!o->variants.items) return hd_fail_memory(err, "comparing");
    for (size_t i = 0; i < o->variants.count; i++)
        o->variants.items[i].mechanisms = o->mechanisms.items[i];
    return gather_provenance(o, err) && variants_open(&o->variants, err) &&
           variants_run(&o->variants, err) && check_provenance(o, err);
}

// What there is to show; the exit status.
static int report(const CompareOptions *o)
{
    HdError err;
    bool failed = false;
    if (*signals_caught()) {
        fprintf(stderr, "heddle: interrupted; the same command goes on with what is left\n");
        return SIGNAL_STATUS + *signals_caught();
    }
    comparison_print(&o->variants);
    fflush(stdout);
    for (size_t i = 0; i < o->variants.count; i++) {
        const Variant *v = &o->variants.items[i];
        if (v->state != VARIANT_FAILED) continue;
        failed = true;
        fprintf(stderr, "heddle: %s failed: %s\n", v->mechanisms, v->why);
    }
    if ((o->csv && !metrics_write_csv(&o->variants, o->csv, &err)) ||
        (o->svg && !comparison_svg(&o->variants, o->svg, &err)))
        return cli_fail(&err);
    int status = cli_flush();
    return failed ? EXIT_INPUT : status;
}

int cmd_compare(int argc, char **argv)
{
    HdError err;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            return cli_flush();
        }
    CompareOptions o = {0};
    int status = read_words(&o, argc, argv, &err) && make_variants(&o, &err) ? report(&o)
                                                                             : cli_fail(&err);
    variants_free(&o.variants);
    text_list_free(&o.mechanisms);
    run_options_free(&o.run);
    return status;
}
