// The options that change a graph; hd_graph_option reads their values.
#include "cli/graph/graph_options.h"

#include "device/simulation_settings.h"

static bool parse_change(const Option *option, void *values, const OptionInput *input)
{
    return hd_graph_option(values, option->name, input->text, input->err);
}

#define CHANGE                                                                                     \
    .type = OPTION_PARSED, .parse = parse_change,                                                  \
    .group = "changes to the graph, made in this order (docs/graphs.md)",                          \
    .when = WHEN_WORKLOAD | WHEN_GRAPH

const Option graph_options[] = {
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
