// Reads the words of a run, and hashes what they name.
#include "cli/study/run_inputs.h"

#include "base/file.h"
#include "base/hash.h"
#include "cli/common/commands.h"
#include "cli/graph/open_graph.h"
#include "cli/run/run_options.h"
#include "study/provenance.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

// A study names no file to write, and does not choose how its runs are made.
static const char *const not_in_studies[] = {"out", "store", "dump", "check", "backend",
                                             "seconds", "counts", "per-kernel", "quiet", "threads",
                                             NULL};

// Reads the words of a run as `heddle run` does. Free the options in any case.
static bool read_words(const StudyRun *run, const char *path, RunOptions *options, HdError *err)
{
    int status;
    char **words = hd_new(run->word_count + 2, sizeof *words);
    *options = (RunOptions){0};
    if (!words) return hd_fail_memory(err, "reading the words of a run");
    words[0] = (char *)"run";
    for (size_t i = 0; i < run->word_count; i++) words[i + 1] = (char *)run->words[i];
    bool ok = run_options_start(options, &command_run, NULL, (int)run->word_count + 1, words,
                                &status) ||
              hd_fail(err, "%s: the words of the run %s are wrong", path, run->name);
    free(words);
    for (size_t i = 0; ok && i < options->line.given_count; i++) {
        const char *name = options->line.given[i].option->name;
        if (hd_is_among(name, not_in_studies))
            ok = hd_fail(err, "%s: the run %s has --%s: expected no such option in a study, which "
                              "keeps results itself", path, run->name, name);
    }
    return ok;
}

json_t *run_inputs_gather(const char *path, const StudyRun *run, const Directories *machines,
                          json_t *hashes, HdError *err)
{
    RunOptions o;
    HdError unknown;
    json_t *computed_from = NULL;
    if (read_words(run, path, &o, err)) {
        RunInputs inputs = {.machine = o.settings.simulation.machine, .machines = machines,
                            .set = o.settings.simulation.set,
                            .kernels = o.raw ? o.target : o.ptx,
                            .graph = o.raw ? NULL : o.graph, .arguments = o.args};
        json_t *common = provenance_gather(&inputs, hashes, &unknown, err);
        if (common) computed_from = provenance_of(common, o.settings.simulation.mechanisms, err);
        json_decref(common);
    }
    run_options_free(&o);
    return computed_from;
}

// Reads the words of a run that has a graph.
static bool read_graph(const StudyRun *run, const char *path, RunOptions *o, HdError *err)
{
    if (!read_words(run, path, o, err)) return false;
    const Workload *workload = o->raw ? NULL : workload_find(o->target, err);
    if (!o->raw && !workload) return false;
    return (workload && workload->needs_graph) ||
           hd_fail(err, "%s: the run %s has no graph, whose degrees a record wants: expected a "
                        "`where` of the record for other runs", path, run->name);
}

char *run_inputs_graph(const char *path, const StudyRun *run, HdError *err)
{
    RunOptions o;
    char changes[HD_GRAPH_OPTIONS_TEXT], hash[HASH_TEXT] = "", *text = NULL;
    uint64_t number;
    struct stat st;
    bool ok = read_graph(run, path, &o, err);
    // A graph without a file is generated.
    if (ok && stat(o.graph, &st) == 0) {
        ok = file_hash(o.graph, &number, err);
        if (ok) hash_text(number, hash);
    }
    if (ok) {
        hd_graph_options_text(&o.graph_changes, changes);
        if (asprintf(&text, "%s%s%s%s%s", o.graph, *changes ? " " : "", changes, *hash ? " " : "",
                     hash) < 0) {
            text = NULL;
            hd_fail_memory(err, "reading the words of a run");
        }
    }
    run_options_free(&o);
    return text;
}

HdGraph *run_inputs_open_graph(const char *path, const StudyRun *run, HdError *err)
{
    RunOptions o;
    HdGraph *graph = read_graph(run, path, &o, err)
                         ? open_graph_shown(o.graph, &o.graph_changes, err)
                         : NULL;
    run_options_free(&o);
    return graph;
}
