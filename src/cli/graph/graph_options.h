// The options with which a graph is opened, of every command that opens one.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H
#define HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H

#include "base/option.h"
#include "heddle/graph.h"

// Targets are in HdGraphOptions.
extern const Option graph_options[];

// Says which id the file has for the vertex that --source named, if it has ids of its own.
void graph_source_note(const HdGraph *graph, uint32_t source);

#endif
