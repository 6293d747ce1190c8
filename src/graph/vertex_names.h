// Internal to the graph layer: vertices that a file names in any order, by texts or by numbers. An
// edge may name a vertex before the file declares it. Vertices are numbered in the order of their
// declarations.
#ifndef HEDDLE_GRAPH_VERTEX_NAMES_H
#define HEDDLE_GRAPH_VERTEX_NAMES_H

#include "graph/graph_internal.h"

// A vertex that was named at least once.
typedef struct VertexName {
    uint64_t hash;
    uint64_t at;     // of its bytes in VertexNames.bytes
    uint64_t line;   // of its declaration, or of its first mention
    uint32_t length; // bytes
    uint32_t vertex; // VERTEX_UNDECLARED, or its number in the graph
} VertexName;
#define VERTEX_UNDECLARED UINT32_MAX

// Zero-initialise but for `build` and `file`; free with vertex_names_free.
typedef struct VertexNames {
    GraphBuild *build;
    const char *file; // for messages
    VertexName *names; // in the order of their first mention
    size_t count, capacity;
    char *bytes;
    size_t bytes_count, bytes_capacity;
    uint32_t *slots; // a hash table: the index of a name + 1, or 0
    size_t slot_count; // a power of two, more than twice `count`
    uint32_t declared;
} VertexNames;

// Names may be added again afterwards.
void vertex_names_free(VertexNames *names);

// Sets *index to the index of a name of `length` bytes, which is added if it is new.
bool vertex_names_find(VertexNames *names, const void *name, size_t length, uint64_t line,
                       uint32_t *index);
// Declares a vertex. *earlier becomes the line in which it was declared before, or 0.
bool vertex_names_declare(VertexNames *names, const void *name, size_t length, uint64_t line,
                          uint64_t *earlier);
// The first vertex that was named and not declared, or NULL.
const VertexName *vertex_names_undeclared(const VertexNames *names);
// Gives a list copies of these names and then of others, as its vertices are numbered: in the order
// of their first mention.
bool vertex_names_keep(const VertexNames *names, const VertexNames *others, EdgeList *list);
// Replaces the indices of names in the list's edges by the numbers of vertices, all of which are
// declared.
void vertex_names_number(const VertexNames *names, EdgeList *list);

#endif
