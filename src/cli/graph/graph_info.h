// `heddle graph info`: the properties of a graph, as text, as JSON and as a figure.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_INFO_H
#define HEDDLE_CLI_GRAPH_GRAPH_INFO_H

#include "cli/graph/graph_source.h"

#include <jansson.h>

// All that `info` prints.
typedef struct GraphInfo {
    const HdGraph *graph;
    HdGraphStats stats;
    uint32_t source;
    HdBfs bfs;
    HdDiameter diameter;
    char options[HD_GRAPH_OPTIONS_TEXT]; // the changes to the graph
} GraphInfo;

// Measures the graph. `source` is the start of the search; if it is not given, vertex 0, or the
// vertex of the greatest degree if no edge starts at 0. A note says which id or name it has in the
// file.
bool graph_info_gather(const HdGraph *graph, const HdGraphOptions *changes,
                       const GraphSource *source, GraphInfo *info, HdError *err);

void graph_info_print(const GraphInfo *info);
// NULL: out of memory.
json_t *graph_info_json(const GraphInfo *info);
// Draws the number of vertices of each degree; the file as of view/plot.h.
bool graph_info_draw(const GraphInfo *info, const char *path, HdError *err);

#endif
