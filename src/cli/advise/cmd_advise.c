// `heddle advise`: which breadth-first search suits a graph on a machine.
#include "cli/common/commands.h"

#include "cli/advise/advice.h"
#include "cli/common/data_directories.h"
#include "cli/graph/graph_options.h"
#include "cli/common/text.h"
#include "device/sim.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: heddle advise --graph GRAPH [options]\n"
    "\n"
    "Says which of the breadth-first searches topology, warp and data suits a graph, from its\n"
    "mean degree and a lower bound of its diameter, after lakshminarayana2014 (Figure 64). Where\n"
    "the lines are drawn is learned, at every call, from measurements on the machine; how often\n"
    "what is learned is right about graphs that it has not seen is printed with the advice.\n"
    "\n"
    "  --graph GRAPH        a file or a spec, see heddle graph --help\n"
    "  --machine NAME|PATH  (default fermi-gtx480); measurements are looked up by its name in\n"
    "                       $HEDDLE_ADVISE, beside the program, and in the source tree\n"
    "  --measured FILE      learn from this file instead (docs/advise.md says how it reads)\n"
    "  --source VERTEX      where the bound of the diameter starts, as in heddle graph info\n"
    "  --json               print JSON\n"
    "  --help               print this\n"
    GRAPH_OPTIONS_HELP
    "\n"
    "example: heddle advise --graph like:great-britain,scale=.01\n";

enum {
    OPT_GRAPH = 256, OPT_MACHINE, OPT_MEASURED, OPT_SOURCE, OPT_JSON, OPT_CHANGE,
    OPT_CHANGE_END = OPT_CHANGE + GRAPH_OPTIONS,
};

static const struct option long_options[] = {
    {"graph", required_argument, NULL, OPT_GRAPH},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"measured", required_argument, NULL, OPT_MEASURED},
    {"source", required_argument, NULL, OPT_SOURCE},
    {"json", no_argument, NULL, OPT_JSON},
    GRAPH_LONG_OPTIONS(OPT_CHANGE),
    {"help", no_argument, NULL, 'h'},
    {0},
};

typedef struct AdviseOptions {
    const char *graph, *machine, *measured; // NULL: not given
    HdGraphOptions changes;
    bool has_source, json, help;
    uint32_t source;
} AdviseOptions;

static bool apply(AdviseOptions *o, int option, const char *value, HdError *err)
{
    uint64_t source;
    if (option >= OPT_CHANGE && option < OPT_CHANGE_END)
        return hd_graph_option(&o->changes, long_options[option - OPT_GRAPH].name, value, err);
    switch (option) {
    case OPT_GRAPH: o->graph = value; return true;
    case OPT_MACHINE: o->machine = value; return true;
    case OPT_MEASURED: o->measured = value; return true;
    case OPT_JSON: o->json = true; return true;
    case OPT_SOURCE:
        if (!parse_number(value, "--source", 0, UINT32_MAX, &source, err)) return false;
        o->source = (uint32_t)source;
        o->has_source = true;
        return true;
    default: o->help = true; return true;
    }
}

static bool parse(AdviseOptions *o, int argc, char **argv, HdError *err)
{
    *o = (AdviseOptions){0};
    optind = 0; // start over: another subcommand may have parsed before
    for (int c; (c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1;) {
        if (c == '?' || c == ':') return cli_bad_option(c, argv, long_options, "advise", err);
        if (!apply(o, c, optarg, err)) return false;
        if (o->help) return true;
    }
    if (optind < argc)
        return hd_fail(err, "'%s': advise takes options only; the graph is --graph's (see heddle "
                            "advise --help)", argv[optind]);
    if (!o->graph) return hd_fail(err, "say which graph with --graph (see heddle advise --help)");
    if (o->machine && o->measured)
        return hd_fail(err, "--machine and --measured both say what to learn from; give one");
    if (!o->machine) o->machine = "fermi-gtx480";
    return true;
}

// ---- measurements ----

static const char ending[] = ".csv";

static int is_table(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length >= sizeof ending && strcmp(entry->d_name + length - strlen(ending), ending) == 0;
}

// The message for a machine that nothing was measured on: says on which there was.
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
    return hd_fail(err, "nothing has been measured on the machine %s, only on: %s. "
                        "bench/advise.sh %s measures it; --measured takes other measurements",
                   machine, *names ? names : "none", machine);
}

// The path of what was measured on the machine, whose name it writes (to `name`, size bytes).
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
    json_dumpf(json, stdout, JSON_INDENT(2)); // cli_flush says what became of it
    putchar('\n');
    json_decref(json);
    return true;
}

// What is learned from comes first: a graph can take long.
static bool advise(const AdviseOptions *o, HdError *err)
{
    char path[DIRECTORY_TEXT], machine[256];
    Advice advice = {.path = o->measured};
    if (!o->measured) {
        if (!find_table(o->machine, machine, sizeof machine, path, err)) return false;
        advice.machine = machine;
        advice.path = path;
    }
    AdviseTable *table = advise_read(advice.path, err);
    HdGraph *graph = table ? hd_graph_open(o->graph, &o->changes, err) : NULL;
    GraphInfo info;
    advice.info = &info;
    advice.table = table;
    bool ok = graph &&
              graph_info_gather(graph, &o->changes, o->has_source ? &o->source : NULL, &info,
                                err) &&
              advice_make(&advice, err) && print(&advice, o->json, err);
    hd_graph_free(graph);
    advise_free(table);
    return ok;
}

int cmd_advise(int argc, char **argv)
{
    HdError err = {0};
    AdviseOptions options;
    if (!parse(&options, argc, argv, &err)) return cli_fail(&err);
    if (options.help)
        fputs(usage, stdout);
    else if (!advise(&options, &err))
        return cli_fail(&err);
    return cli_flush();
}
