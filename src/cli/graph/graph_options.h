// The options of every command that opens a graph; hd_graph_option reads their values.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H
#define HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H

#include <getopt.h>

// Rows of a table for getopt_long, with the values first .. first + GRAPH_OPTIONS - 1 in the same
// order.
enum { GRAPH_OPTIONS = 6 };
#define GRAPH_LONG_OPTIONS(first)                                                                  \
    {"drop-loops", no_argument, NULL, (first)},                                                    \
    {"drop-duplicates", no_argument, NULL, (first) + 1},                                           \
    {"weights", required_argument, NULL, (first) + 2},                                             \
    {"symmetrize", no_argument, NULL, (first) + 3},                                                \
    {"largest-component", no_argument, NULL, (first) + 4},                                         \
    {"relabel", required_argument, NULL, (first) + 5}

#define GRAPH_OPTIONS_HELP                                                                         \
    "changes to the graph, made in this order (docs/graphs.md)\n"                                  \
    "  --drop-loops         leave out edges from a vertex to itself\n"                             \
    "  --drop-duplicates    leave out edges beyond the first between the same two vertices\n"      \
    "  --weights LOW..HIGH[,seed=N]\n"                                                             \
    "                       draw integer weights; both directions of an edge get the same\n"       \
    "  --symmetrize         give every edge its reverse where it has none\n"                       \
    "  --largest-component  keep the largest (weakly) connected component\n"                       \
    "  --relabel degree|bfs|random[,seed=N]\n"                                                     \
    "                       number the vertices by descending degree, in breadth-first order\n"    \
    "                       or at random\n"

#endif
