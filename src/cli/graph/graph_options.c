// The options with which a graph is opened; hd_graph_option reads the values of changes.
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

static const char opening[] = "opening a graph";
#define OPENING .group = opening, .when = WHEN_WORKLOAD | WHEN_GRAPH

const Option graph_options[] = {
    {.name = "format", OPENING, .type = OPTION_PARSED, .parse = parse_change,
     .value = "FORMAT[,KEY=VALUE]...",
     .help = "the format of a file whose name does not say it, such as a pipe: mtx, txt, el, csv, "
             "gr, col, graph, sg, wsg, egr, adj, graphml, gml, net, rodinia or hdg. In lists of "
             "edges also first=edge or first=sizes (what the first line is), from=N, to=N, "
             "weight=N or weight=none (numbers of columns), names (all ids are names) and "
             "bipartite (the ids of the second vertices are others than those of the first)"},
    {.name = "max-memory", .group = opening, .type = OPTION_SIZE, .value = "SIZE",
     .environment = true, .target = offsetof(HdGraphOptions, max_memory),
     .help = "memory of this host that reading or generating the graph may take in all, that "
             "compressed data or a pipe may give, and that the data of simulated kernels may take "
             "(default: HEDDLE_MAX_MEMORY, else what this host has left)"},
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
