// Reads the text graphs of Rodinia's breadth-first search (bfs.cu of Rodinia 3.1). Lines, with
// blank lines between their kinds:
//
//   VERTICES
//   FIRST DEGREE     for each vertex: the number of its first edge, and of its edges
//   SOURCE           where the search starts: not used
//   EDGES
//   TO WEIGHT        for each edge
//
// Vertices and edges are numbered from 0. An undirected edge is listed at both of its ends.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

typedef struct RodiniaReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    EdgeList *list;
    uint32_t *degrees;
    size_t rows, capacity;
    uint64_t vertices, edges; // edges: of the degrees so far
} RodiniaReader;

// Reads the next line, which is one number.
static bool rodinia_number(RodiniaReader *r, const char *what, uint64_t *number)
{
    Scanner *s = &r->scan;
    if (!scan_line(s, "")) return scan_fail(s, "the file ends before %s", what);
    return scan_unsigned(s, what, number) && scan_line_end(s, what);
}

static bool rodinia_row(RodiniaReader *r)
{
    Scanner *s = &r->scan;
    uint64_t first, degree;
    if (!scan_line(s, ""))
        return scan_fail(s, "the file ends after %zu vertices: expected %llu", r->rows,
                         (unsigned long long)r->vertices);
    if (!scan_unsigned(s, "the number of the vertex's first edge", &first)) return false;
    if (first != r->edges) {
        s->p = s->line_start;
        return scan_fail(s, "the first edge of vertex %zu is %llu: expected %llu, behind the edges "
                            "of the vertices before it", r->rows, (unsigned long long)first,
                         (unsigned long long)r->edges);
    }
    if (!scan_unsigned(s, "the number of the vertex's edges", &degree) ||
        !scan_line_end(s, "FIRST DEGREE"))
        return false;
    if (degree > UINT32_MAX)
        return scan_fail(s, "vertex %zu has %llu edges: expected at most %u", r->rows,
                         (unsigned long long)degree, UINT32_MAX);
    if (!BUDGET_RESERVE(&r->build->memory, r->degrees, r->rows, r->capacity, "the degrees"))
        return false;
    r->degrees[r->rows++] = (uint32_t)degree;
    r->edges += degree;
    return true;
}

static bool rodinia_edge(RodiniaReader *r, uint32_t from)
{
    Scanner *s = &r->scan;
    uint64_t to;
    uint32_t weight;
    if (!scan_line(s, ""))
        return scan_fail(s, "the file ends after %zu edges: expected %llu", r->list->count,
                         (unsigned long long)r->edges);
    if (!scan_unsigned(s, "the vertex to which the edge leads", &to)) return false;
    if (to >= r->vertices) {
        s->p = s->line_start;
        return scan_fail(s, "vertex %llu is out of range: expected 0 to %llu",
                         (unsigned long long)to, (unsigned long long)r->vertices - 1);
    }
    return scan_int(s, "a 32-bit integer weight", &weight) && scan_line_end(s, "TO WEIGHT") &&
           edge_list_add(r->list, (HdEdge){from, (uint32_t)to}, weight, r->build);
}

static bool rodinia_graph(RodiniaReader *r)
{
    Scanner *s = &r->scan;
    uint64_t source, edges;
    // Each vertex has a line: none of them takes no byte.
    if (!rodinia_number(r, "the number of vertices", &r->vertices) ||
        !scan_check_sizes(s, r->vertices, r->vertices))
        return false;
    while (r->rows < r->vertices)
        if (!rodinia_row(r)) return false;
    if (!rodinia_number(r, "the source of the search", &source) ||
        !rodinia_number(r, "the number of edges", &edges))
        return false;
    if (edges != r->edges) {
        s->p = s->line_start;
        return scan_fail(s, "%llu edges: expected %llu, as the vertices have",
                         (unsigned long long)edges, (unsigned long long)r->edges);
    }
    for (uint32_t v = 0; v < r->vertices; v++)
        for (uint32_t i = 0; i < r->degrees[v]; i++)
            if (!rodinia_edge(r, v)) return false;
    if (scan_line(s, "")) return scan_fail(s, "a line too many: expected %llu edges",
                                           (unsigned long long)edges);
    return !r->source.failed;
}

bool read_rodinia(Input *in, EdgeList *list, GraphBuild *build)
{
    RodiniaReader r = {.build = build, .list = list};
    list->weight_kind = HD_WEIGHTS_INT;
    r.scan = scan_start(&r.source, in, build, SCAN_LONGEST);
    bool ok = rodinia_graph(&r);
    scan_free(&r.scan);
    build_free(build, r.degrees);
    list->vertices = (uint32_t)r.vertices;
    return ok;
}
