// Opens a graph for a command.
#ifndef HEDDLE_CLI_GRAPH_OPEN_GRAPH_H
#define HEDDLE_CLI_GRAPH_OPEN_GRAPH_H

#include "heddle/graph.h"

// Opens a graph as hd_graph_open does, with the changes; on a terminal shows the progress, and
// prints notes, on stderr.
HdGraph *open_graph_shown(const char *graph, const HdGraphOptions *changes, HdError *err);

#endif
