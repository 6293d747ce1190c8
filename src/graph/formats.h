// Internal to the graph layer: the table of formats of graph files, by ending and by name.
#ifndef HEDDLE_GRAPH_FORMATS_H
#define HEDDLE_GRAPH_FORMATS_H

#include "graph/graph_internal.h"

// A file ending, its reader (of the edges, or of the graph), and what its files hold. Formats of
// the same text are endings of one format.
typedef struct Format {
    const char ending[12];
    EdgeReader *edges;
    GraphReader *graph;
    const char *text;
} Format;

// The format of a name ("mtx"), or of a path's ending, compressed or not; NULL: none.
const Format *format_named(const char *name);
const Format *format_by_ending(const char *path);
// Whether its files are lists of edges, to which HdListReading applies.
bool format_is_list(const Format *format);

enum { FORMAT_NAME = 32 }; // bytes of a name that is near to a format, and a zero

// The path's last component, and the length of a path without the ending of a compression format.
const char *base_name(const char *path);
size_t packed_length(const char *path);

#endif
