// Internal to the graph layer: from the ids of a list of edges to the numbers of vertices.
#ifndef HEDDLE_GRAPH_NUMBER_IDS_H
#define HEDDLE_GRAPH_NUMBER_IDS_H

#include "graph/graph_internal.h"

typedef struct IdPair {
    uint64_t from, to;
} IdPair;

typedef struct IdRange {
    uint64_t min, max;
} IdRange;

// The ids of `count` pairs, at least one.
IdRange id_range(const IdPair *pairs, size_t count);

// Makes the ids of the second column greater than those of the first, and sets the list's `second`.
bool separate_sides(IdPair *pairs, size_t count, EdgeList *list, GraphBuild *build);
// The ids of a list whose vertices have no others: their numbers.
bool number_by_itself(EdgeList *list, GraphBuild *build);

// Numbers the vertices from 0 in ascending order of their ids, without gaps, and fills the edges of
// the list. Also its ids, unless each id is the number of its vertex.
bool number_ascending(const IdPair *pairs, size_t count, EdgeList *list, GraphBuild *build);
// Fills the edges of a list whose number of vertices is set: the vertex of an id is the id less
// `first`, which must be a vertex.
bool number_from(const IdPair *pairs, size_t count, uint64_t first, EdgeList *list,
                 GraphBuild *build);

#endif
