// `heddle graph`: what is known about a graph, conversion between formats, generation.
#include "base/fail.h"
#include "base/text.h"
#include "cli/common/messages.h"
#include "cli/graph/graph_info.h"
#include "cli/graph/graph_lists.h"
#include "cli/graph/graph_options.h"
#include "cli/graph/open_graph.h"
#include "cli/options/command_line.h"
#include "heddle/graph.h"
#include "view/plot.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct GraphCommand {
    bool json;
    const char *svg; // where to draw the degrees, or NULL
    GraphSource source;     // of the search
    HdGraphOptions changes; // without progress
    char **words;           // the action and what it works on
    int word_count;
} GraphCommand;

#define TARGET(field) .target = offsetof(GraphCommand, field)

static const Option graph_command_options[] = {
    {.name = "json", .letter = 'j', .type = OPTION_FLAG, TARGET(json),
     .help = "info, like: print JSON"},
    {.name = "source", .letter = 'S', .type = OPTION_PARSED, .parse = graph_source_parse,
     TARGET(source), .value = "VERTEX|largest",
     .help = "info: search from this vertex, a number or the name that a list of edges gives it, "
             "or from the one of the greatest degree (default 0, or largest if no edge starts at "
             "0)"},
    {.name = "svg", .letter = 'g', .type = OPTION_OUTPUT, TARGET(svg), .value = "FILE",
     .help = "info: also draw the degrees, by gnuplot: SVG, PNG or PDF, by the name's ending"},
    {0},
};

static int graph_info(const GraphCommand *command, HdError *err)
{
    if (command->svg && !plot_check(command->svg, err)) return cli_fail(err);
    HdGraph *graph = open_graph_shown(command->words[1], &command->changes, err);
    GraphInfo info;
    if (!graph ||
        !graph_info_gather(graph, &command->changes, &command->source, &info, err) ||
        (command->svg && !graph_info_draw(&info, command->svg, err))) {
        hd_graph_free(graph);
        return cli_fail(err);
    }
    bool ok = true;
    if (command->json) {
        json_t *json = graph_info_json(&info);
        ok = json && json_dumpf(json, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
        json_decref(json);
    } else {
        graph_info_print(&info);
    }
    hd_graph_free(graph);
    return ok ? cli_flush() : cli_fail_with("the output could not be written");
}

// Both `convert` and `gen`: open, write, say what was written.
static int graph_write(const GraphCommand *command, HdError *err)
{
    const char *out = command->words[2];
    if (!hd_graph_can_write(out, err)) return cli_fail(err);
    HdGraph *graph = open_graph_shown(command->words[1], &command->changes, err);
    if (!graph || !hd_graph_write(graph, out, err)) {
        hd_graph_free(graph);
        return cli_fail(err);
    }
    char shown[4096];
    fprintf(stderr, "%s: %u vertices, %llu edges, hash %016llx\n",
            text_escape(shown, sizeof shown, out, ""), graph->vertices,
            (unsigned long long)graph->edges, (unsigned long long)graph->hash);
    hd_graph_free(graph);
    return EXIT_GOOD;
}

static int graph_formats(const GraphCommand *command, HdError *err)
{
    (void)command, (void)err;
    graph_formats_print();
    return cli_flush();
}

static int graph_generators(const GraphCommand *command, HdError *err)
{
    (void)command, (void)err;
    graph_generators_print();
    return cli_flush();
}

static int graph_like(const GraphCommand *command, HdError *err)
{
    const HdGraphLike *like = NULL;
    if (command->word_count > 1 && !(like = hd_graph_like_find(command->words[1], err)))
        return cli_fail(err);
    return graph_likes_print(like, command->json)
               ? cli_flush() : cli_fail_with("the output could not be written");
}

// ---- actions ----

typedef struct Action {
    const char *name, *expected;
    int words, most; // with its own name: at least, at most
    int (*run)(const GraphCommand *command, HdError *err);
} Action;

static const Action actions[] = {
    {"info", "one argument: a graph", 2, 2, graph_info},
    {"convert", "two arguments: a graph, and the file to write", 3, 3, graph_write},
    {"gen", "two arguments: a graph, and the file to write", 3, 3, graph_write},
    {"formats", "no argument", 1, 1, graph_formats},
    {"generators", "no argument", 1, 1, graph_generators},
    {"like", "no argument, or one stand-in's name", 1, 2, graph_like},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

// Does the action take these words and options?
static bool check_action(const GraphCommand *command, const Action *action, HdError *err)
{
    if (command->word_count < action->words || command->word_count > action->most)
        return hd_fail(err, "%s: expected %s (see heddle graph --help)", action->name,
                       action->expected);
    bool info = action->run == graph_info, like = action->run == graph_like;
    if ((command->source.given || command->svg) && !info)
        return hd_fail(err, "%s: expected with info, not with %s",
                       command->source.given ? "--source" : "--svg", action->name);
    if (command->json && !info && !like)
        return hd_fail(err, "--json: expected with info or like, not with %s", action->name);
    if (strcmp(action->name, "gen") == 0 && !strchr(command->words[1], ':'))
        return hd_fail(err, "gen '%s': expected a spec such as rmat:16,8 (see heddle graph --help)",
                       command->words[1]);
    return true;
}

static int graph_action(const CommandLine *line, void *options)
{
    HdError err = {0};
    GraphCommand *command = options;
    command->words = line->arguments;
    command->word_count = line->argument_count;
    if (!command->word_count)
        return cli_fail_with("nothing to do: expected info GRAPH, convert GRAPH OUT, gen SPEC "
                             "OUT, formats, generators or like (see heddle graph --help)");
    const Action *action = NULL;
    const char *name = command->words[0], *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(name, names[i]) == 0) action = &actions[i];
    }
    const char *near = action ? NULL : hd_nearest(name, names, ACTIONS);
    if (!action)
        return cli_fail_with("unknown action '%s': expected info, convert, gen, formats, "
                             "generators or like%s%s%s (see heddle graph --help)", name,
                             HD_DID_YOU_MEAN(near));
    return check_action(command, action, &err) ? action->run(command, &err) : cli_fail(&err);
}

static int cmd_graph(int argc, char **argv)
{
    GraphCommand command = {0};
    void *const values[] = {&command, &command.changes};
    return command_line_run(&command_graph, graph_action, &command, values, argc, argv);
}

const Command command_graph = {
    .name = "graph",
    .summary = "look at, convert and generate graphs",
    .synopsis = "graph info GRAPH [--json] [--source VERTEX] [--svg FILE] [changes]\n"
                "graph convert GRAPH OUT [changes]\n"
                "graph gen SPEC OUT [changes]\n"
                "graph formats\n"
                "graph generators\n"
                "graph like [NAME] [--json]",
    .description =
        "  info        prints sizes, degrees, duplicates, components, breadth-first depth, a\n"
        "              lower bound of the diameter, memory, hash\n"
        "  convert     writes the graph again, in the format of OUT's ending\n"
        "  gen         generates a graph and writes it\n"
        "  formats     lists the formats of files\n"
        "  generators  lists the SPECs of generated graphs, with their parameters\n"
        "  like        lists the stand-ins for the graphs that the papers name; NAME: one, with\n"
        "              the place of the original\n"
        "\n"
        "GRAPH is a file or a SPEC, such as rmat:16,8 or like:roadNet-CA,scale=.1. The ending of a "
        "file gives its format; a file of another name is read as a list of edges if its first "
        "lines are those of one. Each format is also read compressed, with .gz, .zst, .bz2 or .xz "
        "after it. Counts in a SPEC may be written 65536, 2^16 or 64Ki; the same SPEC gives the "
        "same graph on every host (seed=N: default 1).\n"
        "OUT ends in .mtx, .txt, .csv (both lose vertices without edges), .gr (DIMACS), .graph, "
        ".sg, .wsg or .hdg, each optionally with .zst.",
    .tables = {graph_command_options, graph_options},
    .notes = "example:\n"
             "  heddle graph gen rmat:16,8 rmat16.hdg && heddle graph info rmat16.hdg",
    .run = cmd_graph,
};
