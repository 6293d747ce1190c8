// The options of a graph; hd_graph_option reads the values of changes.
#include "cli/graph/graph_options.h"

#include "device/simulation_settings.h"

static bool parse_change(const Option *option, void *values, const OptionInput *input)
{
    return hd_graph_option(&((GraphInput *)values)->changes, option->name, input->text, input->err);
}

#define CHANGE                                                                                     \
    .type = OPTION_PARSED, .parse = parse_change,                                                  \
    .group = "changes to the graph, made in this order (docs/graphs.md)",                          \
    .commands = OF_RUNS | OF_ADVISE | OF_GRAPH, .when = WHEN_WORKLOAD | WHEN_GRAPH

const Option graph_options[] = {
    {.name = "graph", .type = OPTION_TEXT, .target = offsetof(GraphInput, graph), .value = "GRAPH",
     .group = "workload", .commands = OF_RUNS | OF_DEMO | OF_ADVISE,
     .when = WHEN_WORKLOAD | WHEN_GRAPH,
     .help = "a file or a spec, see `heddle graph --help` (default rmat:16,8)"},
    {.name = "drop-loops", CHANGE, .help = "drop edges from a vertex to itself"},
    {.name = "drop-duplicates", CHANGE,
     .help = "of several edges from one vertex to another, keep the first"},
    {.name = "weights", CHANGE, .value = "LOW..HIGH[,seed=N]",
     .help = "draw integer weights; both directions of an edge get the same weight"},
    {.name = "symmetrize", CHANGE, .help = "add the missing reverse of each edge"},
    {.name = "largest-component", CHANGE, .help = "keep the largest (weakly) connected component"},
    {.name = "relabel", CHANGE, .value = "degree|bfs|random[,seed=N]",
     .help = "number the vertices by descending degree, in breadth-first order or at random"},
    {0},
};
