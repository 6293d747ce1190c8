// The options of every command that opens a graph.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H
#define HEDDLE_CLI_GRAPH_GRAPH_OPTIONS_H

#include "base/option.h"
#include "heddle/graph.h"

typedef struct GraphInput {
    const char *graph;      // a file or a spec
    HdGraphOptions changes; // to the graph; without progress
} GraphInput;

// Targets are in GraphInput.
extern const Option graph_options[];

#endif
