// `heddle compare`: one program with several mechanisms, side by side.
#include "base/memory.h"
#include "base/team.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/figures.h"
#include "cli/plot.h"
#include "cli/signals.h"
#include "cli/text.h"
#include "cli/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: heddle compare WORKLOAD --mechanism LIST --mechanism LIST ... [options]\n"
    "\n"
    "Runs a workload with each of these mechanisms (`none`: the machine as it is), as many at a\n"
    "time as there are CPUs, and prints what they come to beside the first. Results are kept:\n"
    "after an interruption the same command goes on where it was. One that fails is named; the\n"
    "others are still compared.\n"
    "\n"
    "  --mechanism LIST  as in heddle run; once for each variant\n"
    "  --keep FOLDER     where results are kept (default heddle-compare)\n"
    "  --jobs N          runs at a time (default: as many as CPUs), each on one thread\n"
    "  --csv FILE        write the table, and all else that the papers' figures are drawn from\n"
    "  --svg FILE        draw instructions per cycle, beside the first (needs gnuplot)\n"
    "\n"
    "All other options are those of heddle run, but for --out.\n"
    "\n"
    "example: heddle compare bfs --impl topology --graph rmat:14,8 --mechanism none\n"
    "             --mechanism streaming-bypass --mechanism streaming-bypass:levels=l1\n";

typedef struct CompareOptions {
    Variants variants;
    TextList mechanisms;
    const char *csv, *svg, *jobs;
    bool threads_given;
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
    else if (strncmp(argv[*at], "--out", 5) == 0)
        return hd_fail(err, "--out: results are kept in the folder that --keep names");
    else ok = text_list_add(&o->variants.run, argv[*at]);
    o->threads_given |= strncmp(argv[*at], "--threads", 9) == 0;
    return ok || hd_fail_memory(err, "reading the command line");
}

static bool read_words(CompareOptions *o, int argc, char **argv, HdError *err)
{
    o->variants.folder = "heddle-compare";
    for (int i = 1; i < argc; i++)
        if (!take_word(o, argc, argv, &i, err)) return false;
    uint64_t jobs = team_cpus();
    if (o->jobs && !parse_number(o->jobs, "--jobs", 1, 1024, &jobs, err)) return false;
    o->variants.jobs = (unsigned)jobs;
    if (!o->variants.run.count) return hd_fail(err, "say what to compare: heddle compare bfs ...");
    if (o->mechanisms.count < 2)
        return hd_fail(err, "say what to compare: --mechanism none --mechanism NAME");
    for (size_t i = 0; i < o->mechanisms.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(o->mechanisms.items[i], o->mechanisms.items[k]) == 0)
                return hd_fail(err, "--mechanism %s is given twice", o->mechanisms.items[i]);
    if ((o->csv && !check_writable(o->csv, "--csv", err)) || (o->svg && !plot_check(o->svg, err)))
        return false;
    if (o->threads_given) return true;
    return (text_list_add(&o->variants.run, "--threads") && text_list_add(&o->variants.run, "1")) ||
           hd_fail_memory(err, "reading the command line");
}

static bool make_variants(CompareOptions *o, HdError *err)
{
    o->variants.count = o->mechanisms.count;
    o->variants.items = hd_new(o->variants.count, sizeof *o->variants.items);
    if (!o->variants.items) return hd_fail_memory(err, "comparing");
    for (size_t i = 0; i < o->variants.count; i++)
        o->variants.items[i].mechanisms = o->mechanisms.items[i];
    return variants_open(&o->variants, err) && variants_run(&o->variants, err);
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
    for (size_t i = 0; i < o->variants.count; i++) {
        const Variant *v = &o->variants.items[i];
        if (v->state != VARIANT_FAILED) continue;
        failed = true;
        fprintf(stderr, "heddle: %s failed: %s\n", v->mechanisms, v->why);
    }
    if ((o->csv && !figures_csv(&o->variants, o->csv, &err)) ||
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
    return status;
}
