// --source: the vertex where a search starts.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_SOURCE_H
#define HEDDLE_CLI_GRAPH_GRAPH_SOURCE_H

#include "base/option.h"
#include "heddle/graph.h"

typedef struct GraphSource {
    bool given;      // else vertex 0
    bool largest;    // the vertex of the greatest degree
    uint32_t vertex; // if not `largest`
} GraphSource;

// `parse` of an option whose target is a GraphSource: VERTEX, or `largest`.
bool graph_source_parse(const Option *option, void *values, const OptionInput *input);

// The vertex. Of several with the greatest out-degree, the lowest one. A number is not checked.
uint32_t graph_source_vertex(const GraphSource *source, const HdGraph *graph);

// If the source was given, prints which id it has in the file, if that has ids of its own.
void graph_source_note(const GraphSource *source, const HdGraph *graph);

#endif
