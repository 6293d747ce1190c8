// The options with which a graph is opened, of every command that opens one.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H
#define HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H

#include "base/option.h"
#include "heddle/graph.h"

// Targets are in HdGraphOptions.
extern const Option graph_options[];

#endif
