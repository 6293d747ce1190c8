// Internal to the graph layer: what the reader of lists of edges knows while it reads the lines and
// then numbers the vertices.
#ifndef HEDDLE_GRAPH_EDGE_LIST_READER_H
#define HEDDLE_GRAPH_EDGE_LIST_READER_H

#include "graph/list_columns.h"
#include "graph/number_ids.h"
#include "graph/vertex_names.h"

// The numbers of vertices and edges that the first line may be.
typedef struct ListSizes {
    uint64_t line; // 0: it is not
    uint64_t vertices, edges;
    bool certain; // the first line is no edge
} ListSizes;

// The header of KONECT: "% sym weighted".
typedef struct Konect {
    uint64_t line; // 0: there is none
    bool bipartite, unweighted;
} Konect;

typedef struct EdgeListReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    const HdListReading *reading;
    EdgeList *list; // receives weights during reading, edges after all ids are known
    VertexNames names; // of the vertices, if by_name
    VertexNames second_names; // of those of the second column, if it has names of its own
    IdPair *pairs;     // if by_name, indices of names
    size_t count, pairs_capacity;
    ListColumns columns;
    ListSizes sizes;
    Konect konect;
    bool sizes_known; // a comment has them: "# Nodes: 3 Edges: 2", as SNAP and Heddle write it
    bool table;       // a column may be empty
    bool keep_ids;    // the id is the number of the vertex
    bool by_name;     // the ids are names
    bool named;       // the first line has names of columns
    bool either;      // the first line has names of columns or of vertices: the second decides
    bool decided;     // the second line decided for names of columns
    bool type_known;  // the column of types was read at least once
} EdgeListReader;

// Whether the second vertex's column has ids of its own.
static inline bool list_has_sides(const EdgeListReader *r)
{
    return r->reading->bipartite || r->konect.bipartite;
}

// After the last line: decides whether the first one has the sizes, and fills the list with edges
// between numbered vertices. Notes say what was assumed.
bool list_number_vertices(EdgeListReader *r);

#endif
