// --source: the vertex where a search starts.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_SOURCE_H
#define HEDDLE_CLI_GRAPH_GRAPH_SOURCE_H

#include "base/option.h"
#include "heddle/graph.h"

typedef struct GraphSource {
    bool given;      // else vertex 0
    bool largest;    // the vertex of the greatest degree
    const char *name; // of a vertex in the file, or NULL
    uint32_t vertex;  // if neither
} GraphSource;

// `parse` of an option whose target is a GraphSource: VERTEX, `largest`, or a name.
bool graph_source_parse(const Option *option, void *values, const OptionInput *input);

// Finds the vertex. Of several with the greatest out-degree, the lowest one. A number is not
// checked. false and err: no vertex has the name. If the source was given, a note says which id or
// name it has in the file, if that has its own.
bool graph_source_find(const GraphSource *source, const HdGraph *graph, uint32_t *vertex,
                       HdError *err);

#endif
