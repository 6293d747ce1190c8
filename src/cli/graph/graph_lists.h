// What the graph command lists: formats, generators, and the stand-ins for papers' graphs.
#ifndef HEDDLE_CLI_GRAPH_GRAPH_LISTS_H
#define HEDDLE_CLI_GRAPH_GRAPH_LISTS_H

#include "heddle/graph.h"

// Prints the formats of files, or the generators.
void graph_formats_print(void);
void graph_generators_print(void);

// Prints the stand-ins as text or JSON: one, or all if `like` is NULL. false: they could not be
// written.
bool graph_likes_print(const HdGraphLike *like, bool json);

#endif
