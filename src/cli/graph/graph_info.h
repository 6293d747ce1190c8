// `heddle graph info`: what can be said about a graph, as text, as JSON and as a figure.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_INFO_H
#define HEDDLE_CLI_GRAPH_GRAPH_INFO_H

#include "heddle/graph.h"

#include <jansson.h>

// All that `info` tells.
typedef struct GraphInfo {
    const HdGraph *graph;
    HdGraphStats stats;
    uint32_t source;
    HdBfs bfs;
    HdDiameter diameter;
    char options[HD_GRAPH_OPTIONS_TEXT]; // what was done to the graph
} GraphInfo;

// Measures. `source` is where to search from; NULL: vertex 0, or where no edge starts there, the
// one of greatest degree.
bool graph_info_gather(const HdGraph *graph, const HdGraphOptions *changes, const uint32_t *source,
                       GraphInfo *info, HdError *err);

void graph_info_print(const GraphInfo *info);
// NULL where memory is out.
json_t *graph_info_json(const GraphInfo *info);
// Draws the degrees.
bool graph_info_svg(const GraphInfo *info, const char *path, HdError *err);

#endif
