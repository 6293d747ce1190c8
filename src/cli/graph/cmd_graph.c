// `heddle graph`: what is known about a graph, conversion between formats, generation.
#include "base/fail.h"
#include "base/host_time.h"
#include "base/text.h"
#include "cli/common/messages.h"
#include "cli/common/plot.h"
#include "cli/graph/graph_info.h"
#include "cli/graph/graph_like.h"
#include "cli/graph/graph_options.h"
#include "cli/options/command_line.h"
#include "heddle/graph.h"
#include "report/progress.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
     .help = "info: also draw the degrees, by gnuplot"},
    {0},
};

static void show_progress(void *line, const char *what, uint64_t done, uint64_t total)
{
    progress_share(line, what, done, total);
}

static void show_note(void *line, const char *text)
{
    progress_clear(line);
    cli_note("%s", text);
}

static HdGraph *open_graph(const GraphCommand *command, HdError *err)
{
    ProgressLine line = {.last_shown = host_seconds()};
    HdGraphOptions options = command->changes;
    options.user = &line;
    options.note = show_note;
    if (isatty(STDERR_FILENO)) options.progress = show_progress;
    HdGraph *graph = hd_graph_open(command->words[1], &options, err);
    progress_clear(&line);
    return graph;
}

static int graph_info(const GraphCommand *command, HdError *err)
{
    if (command->svg && !plot_check(command->svg, err)) return cli_fail(err);
    HdGraph *graph = open_graph(command, err);
    GraphInfo info;
    if (!graph ||
        !graph_info_gather(graph, &command->changes, &command->source, &info, err) ||
        (command->svg && !graph_info_svg(&info, command->svg, err))) {
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
    HdGraph *graph = open_graph(command, err);
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

static int graph_like(const GraphCommand *command, HdError *err)
{
    (void)err;
    return graph_like_print(command->json) ? cli_flush()
                                           : cli_fail_with("the output could not be written");
}

// ---- actions ----

typedef struct Action {
    const char *name, *expected;
    int words; // with its own name
    int (*run)(const GraphCommand *command, HdError *err);
} Action;

static const Action actions[] = {
    {"info", "one argument: a graph", 2, graph_info},
    {"convert", "two arguments: a graph, and the file to write", 3, graph_write},
    {"gen", "two arguments: a graph, and the file to write", 3, graph_write},
    {"like", "no argument", 1, graph_like},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

// Does the action take these words and options?
static bool check_action(const GraphCommand *command, const Action *action, HdError *err)
{
    if (command->word_count != action->words)
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
        return cli_fail_with("nothing to do: expected info GRAPH, convert GRAPH OUT, gen SPEC OUT "
                             "or like (see heddle graph --help)");
    const Action *action = NULL;
    const char *name = command->words[0], *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(name, names[i]) == 0) action = &actions[i];
    }
    const char *near = action ? NULL : hd_nearest(name, names, ACTIONS);
    if (!action)
        return cli_fail_with("unknown action '%s': expected info, convert, gen or like%s%s%s (see "
                             "heddle graph --help)", name, HD_DID_YOU_MEAN(near));
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
                "graph like [--json]",
    .description =
        "  info     prints sizes, degrees, duplicates, components, breadth-first depth, a lower\n"
        "           bound of the diameter, memory, hash\n"
        "  convert  writes the graph again, in the format of OUT's ending\n"
        "  gen      generates a graph and writes it\n"
        "  like     lists the stand-ins for the graphs that the papers name\n"
        "\n"
        "GRAPH is a file or a SPEC. The ending of a file gives its format (docs/graphs.md):\n"
        "  .mtx                  Matrix Market: coordinate; pattern, integer or real; general or\n"
        "                        symmetric\n"
        "  .txt .edges .edgelist .ncol .csv .tsv\n"
        "                        a line \"from to [weight]\" per edge, also with commas,\n"
        "                        semicolons or tabs; the first line may have names of columns;\n"
        "                        vertices are numbered from 0 in ascending order of id\n"
        "  .el .wel              the same, but an id is the number of its vertex\n"
        "  .gr                   9th DIMACS challenge, or Galois binary\n"
        "  .col .clq             2nd DIMACS challenge (colouring, cliques); undirected\n"
        "  .graph                METIS, 10th DIMACS challenge\n"
        "  .sg .wsg              GAP benchmark suite, serialised\n"
        "  .egr                  ECL and Indigo, binary\n"
        "  .adj                  Ligra's AdjacencyGraph and WeightedAdjacencyGraph\n"
        "  .graphml .gml .net    GraphML, GML, Pajek\n"
        "  .rodinia              the text graphs of Rodinia's breadth-first search\n"
        "  .hdg                  Heddle's cache: read at the disk's speed\n"
        "each also compressed, with .gz, .zst, .bz2 or .xz after it. A file of another\n"
        "name is read as .txt if its first lines are those of a list of edges.\n"
        "SPECs; counts may be written 65536, 2^16 or 64Ki:\n"
        "  rmat:SCALE,EDGEFACTOR[,seed=N][,a=.57][,b=.19][,c=.19][,d=.05][,simple=0]\n"
        "      [,undirected=0][,shuffle=0]              R-MAT; kron: is the same\n"
        "  uniform:VERTICES,DEGREE[,seed=N]             both ends of each edge drawn uniformly\n"
        "  grid:WIDTHxHEIGHT[,delete=0][,seed=N]        a map of streets\n"
        "  er:VERTICES,EDGES or er:VERTICES,p=P         Erdos-Renyi\n"
        "  kout:VERTICES,LOW..HIGH[,directed=0]         every vertex chooses its neighbours\n"
        "  rgg:VERTICES,radius=R or rgg:VERTICES,degree=D   points, joined to near ones\n"
        "  delaunay:VERTICES[,delete=0]                 triangulated points\n"
        "  ba:VERTICES,EACH[,uniform=.5][,directed=0]   preferential attachment (or ,edges=EDGES)\n"
        "  ws:VERTICES,DEGREE[,p=0]                     small world\n"
        "  mesh:XxYxZ[,stencil=6|26][,unknowns=1]       box\n"
        "  road:VERTICES[,degree=2.5][,express=0]       street network (or ,edges=EDGES)\n"
        "  groups:VERTICES,EDGES[,size=2..50][,tail=2|3][,reach=1][,far=0]\n"
        "      [,ring=0]                                cliques that overlap\n"
        "  like:NAME[,scale=1]                          stand-in for a paper's graph\n"
        "each also takes ,seed=N; docs/graphs.md says more.\n"
        "OUT ends in .mtx, .txt, .csv (both lose vertices without edges), .gr (DIMACS), .graph, "
        ".sg, .wsg or .hdg, each optionally with .zst.",
    .tables = {graph_command_options, graph_options},
    .notes = "example:\n"
             "  heddle graph gen rmat:16,8 rmat16.hdg && heddle graph info rmat16.hdg",
    .run = cmd_graph,
};
