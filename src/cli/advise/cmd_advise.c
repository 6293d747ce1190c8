// `heddle advise`: which breadth-first search suits a graph on a machine.
#include "cli/advise/advice.h"
#include "cli/common/data_directories.h"
#include "cli/common/messages.h"
#include "cli/graph/graph_options.h"
#include "cli/graph/open_graph.h"
#include "cli/options/command_line.h"
#include "device/sim.h"
#include "device/simulation_settings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct AdviseOptions {
    const char *graph, *measured; // NULL: not given
    GraphSource source;
    bool json;
    HdGraphOptions changes;
    Settings settings; // its machine
} AdviseOptions;

#define TARGET(field) .target = offsetof(AdviseOptions, field)

static const Option advise_options[] = {
    {.name = "graph", .type = OPTION_TEXT, TARGET(graph), .value = "GRAPH",
     .help = "a file or a spec, see `heddle graph --help`"},
    {.name = "measured", .type = OPTION_TEXT, TARGET(measured), .value = "FILE",
     .help = "learn from this file instead of the machine's measurements (docs/advise.md gives its "
             "format)"},
    {.name = "source", .type = OPTION_PARSED, .parse = graph_source_parse, TARGET(source),
     .value = "VERTEX|largest",
     .help = "the vertex where the bound of the diameter starts, as in heddle graph info"},
    {.name = "json", .type = OPTION_FLAG, TARGET(json), .help = "print JSON"},
    {0},
};

// ---- measurements ----

static const char ending[] = ".csv";

static int is_table(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length >= sizeof ending && strcmp(entry->d_name + length - strlen(ending), ending) == 0;
}

// The message for a machine without measurements: lists the machines that have some.
static bool fail_unmeasured(const char *machine, const Directories *folders, HdError *err)
{
    char names[512] = "";
    size_t used = 0;
    for (const char *const *folder = folders->paths; *folder; folder++) {
        struct dirent **entries;
        int count = scandir(*folder, &entries, is_table, alphasort);
        for (int i = 0; i < count; i++) {
            if (used < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s",
                                         used ? ", " : "",
                                         (int)(strlen(entries[i]->d_name) - strlen(ending)),
                                         entries[i]->d_name);
            free(entries[i]);
        }
        if (count >= 0) free(entries);
    }
    return hd_fail(err, "there are no measurements of the machine %s, only of: %s. "
                        "bench/advise.sh %s measures it; --measured reads other measurements",
                   machine, *names ? names : "none", machine);
}

// Finds the measurements of the machine, and writes its name to `name` (size bytes).
static bool find_table(const char *machine, char *name, size_t size, char path[DIRECTORY_TEXT],
                       HdError *err)
{
    char notes[1024];
    Directories machines, folders;
    machine_directories(&machines);
    advise_directories(&folders);
    HdSimulation simulation = {.machine = machine, .directories = machines.paths};
    Config *config = sim_machine(&simulation, notes, sizeof notes, err);
    if (!config) return false;
    snprintf(name, size, "%s", config_name(config));
    config_free(config);
    for (const char *const *folder = folders.paths; *folder; folder++) {
        int length = snprintf(path, DIRECTORY_TEXT, "%s/%s%s", *folder, name, ending);
        if (length < DIRECTORY_TEXT && access(path, F_OK) == 0) return true;
    }
    return fail_unmeasured(name, &folders, err);
}

// ---- the command ----

static bool print(const Advice *advice, bool as_json, HdError *err)
{
    if (!as_json) {
        advice_print(advice);
        return true;
    }
    json_t *json = advice_json(advice);
    if (!json) return hd_fail_memory(err, "writing JSON");
    json_dumpf(json, stdout, JSON_INDENT(2)); // cli_flush reports failures
    putchar('\n');
    json_decref(json);
    return true;
}

// The measurements are read first: opening a graph can take long.
static bool advise(const AdviseOptions *o, HdError *err)
{
    char path[DIRECTORY_TEXT], machine[256];
    Advice advice = {.path = o->measured};
    if (!o->measured) {
        const char *name = o->settings.simulation.machine;
        if (!find_table(name, machine, sizeof machine, path, err)) return false;
        advice.machine = machine;
        advice.path = path;
    }
    AdviseTable *table = advise_read(advice.path, err);
    HdGraph *graph = table ? open_graph_shown(o->graph, &o->changes, err) : NULL;
    GraphInfo info;
    advice.info = &info;
    advice.table = table;
    bool ok = graph &&
              graph_info_gather(graph, &o->changes, &o->source, &info, err) &&
              advice_make(&advice, err) && print(&advice, o->json, err);
    hd_graph_free(graph);
    advise_free(table);
    return ok;
}

static int advise_on(const CommandLine *line, void *options)
{
    HdError err = {0};
    AdviseOptions *o = options;
    if (line->argument_count)
        return cli_fail_with("'%s': expected options only, the graph with --graph (see heddle "
                             "advise --help)", line->arguments[0]);
    if (!o->graph)
        return cli_fail_with("no graph: expected --graph (see heddle advise --help)");
    if (o->measured && command_line_has(line, "machine"))
        return cli_fail_with("--machine and --measured both set what to learn from: expected one "
                             "of them");
    return advise(o, &err) ? cli_flush() : cli_fail(&err);
}

static int cmd_advise(int argc, char **argv)
{
    AdviseOptions options = {.settings.simulation.machine = "fermi-gtx480"};
    void *const values[] = {&options, &options.changes, &options.settings};
    return command_line_run(&command_advise, advise_on, &options, values, argc, argv);
}

const Command command_advise = {
    .name = "advise",
    .summary = "say which breadth-first search suits a graph",
    .synopsis = "advise --graph GRAPH [options]",
    .description =
        "Says which of the breadth-first searches topology, warp and data suits a graph, from its "
        "mean degree and a lower bound of its diameter, after lakshminarayana2014 (Figure 64). "
        "Each call learns the thresholds from measurements on the machine, and prints with the "
        "advice how often the learned rule is right about graphs that it has not seen. "
        "Measurements are looked up by the machine's name in $HEDDLE_ADVISE, next to the program, "
        "and in the source tree.",
    .tables = {advise_options, graph_options, simulation_options},
    .bit = OF_ADVISE,
    .notes = "example:\n"
             "  heddle advise --graph like:great-britain,scale=.01",
    .run = cmd_advise,
};
