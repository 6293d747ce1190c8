// Reads the text format of Ligra, GBBS and the Problem Based Benchmark Suite, .adj (Ligra's README,
// "Input Format for Ligra Applications", github.com/jshun/ligra): numbers between blanks or ends of
// lines:
//
//   AdjacencyGraph, or WeightedAdjacencyGraph
//   VERTICES EDGES
//   the first edge of each vertex
//   the head of each edge, counted from 0
//   weighted: the integer weight of each edge
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <string.h>

// Some writers put all numbers into one line.
#define LONGEST ((size_t)1 << 30)

typedef struct LigraReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    HdGraph *graph; // its arrays grow with the numbers
    uint64_t vertices, edges;
    bool weighted;
    ArrayRoom room;
} LigraReader;

// Moves to the next number. `what` number `index` of `count` is expected there.
static bool ligra_next(LigraReader *r, const char *what, uint64_t index, uint64_t count)
{
    Scanner *s = &r->scan;
    if (s->line_start && !scan_at_line_end(s)) return true;
    if (scan_line(s, "")) return true;
    return scan_fail(s, "the file ends after %llu %s: expected %llu", (unsigned long long)index,
                     what, (unsigned long long)count);
}

static bool ligra_header(LigraReader *r)
{
    static const char plain[] = "AdjacencyGraph", weighted[] = "WeightedAdjacencyGraph";
    Scanner *s = &r->scan;
    if (!scan_line(s, "")) return scan_fail(s, "the file ends before \"%s\"", plain);
    const char *start = s->p;
    while (!scan_is_field_end(s, s->p)) s->p++;
    size_t length = (size_t)(s->p - start);
    r->weighted = length == sizeof weighted - 1 && memcmp(start, weighted, length) == 0;
    if (!r->weighted && (length != sizeof plain - 1 || memcmp(start, plain, length) != 0)) {
        s->p = start;
        return scan_fail_expected(s, "AdjacencyGraph or WeightedAdjacencyGraph");
    }
    if (!ligra_next(r, "numbers of the header", 0, 2) ||
        !scan_unsigned(s, "the number of vertices", &r->vertices))
        return false;
    if (r->vertices == 0) return scan_fail(s, "the graph is empty: it has no vertices");
    if (r->vertices > UINT32_MAX)
        return scan_fail(s, "%llu vertices: expected at most %u, which have 32-bit numbers",
                         (unsigned long long)r->vertices, UINT32_MAX);
    return ligra_next(r, "numbers of the header", 1, 2) &&
           scan_unsigned(s, "the number of edges", &r->edges);
}

// The last row ends with the last edge, which the file does not say.
static bool ligra_rows(LigraReader *r)
{
    Scanner *s = &r->scan;
    uint64_t last = 0;
    for (uint64_t v = 0; v <= r->vertices; v++) {
        uint64_t offset = r->edges;
        if (v < r->vertices) {
            if (!ligra_next(r, "offsets", v, r->vertices)) return false;
            const char *start = s->p;
            if (!scan_unsigned(s, "the offset of a vertex", &offset)) return false;
            if (offset < last || offset > r->edges || (v == 0 && offset > 0)) {
                s->p = start;
                return scan_fail(s, "the offset of vertex %llu is %llu: expected %llu to %llu",
                                 (unsigned long long)v, (unsigned long long)offset,
                                 (unsigned long long)last,
                                 (unsigned long long)(v ? r->edges : 0));
            }
        }
        if (!BUDGET_RESERVE(&r->build->memory, r->graph->row, (size_t)v, r->room.rows,
                            "the row offsets"))
            return false;
        r->graph->row[v] = last = offset;
    }
    return true;
}

static bool ligra_columns(LigraReader *r)
{
    Scanner *s = &r->scan;
    for (uint64_t i = 0; i < r->edges; i++) {
        uint64_t head;
        if (!ligra_next(r, "edges", i, r->edges)) return false;
        const char *start = s->p;
        if (!scan_unsigned(s, "the vertex to which an edge leads", &head)) return false;
        if (head >= r->vertices) {
            s->p = start;
            return scan_fail(s, "vertex %llu is out of range: expected 0 to %llu",
                             (unsigned long long)head, (unsigned long long)(r->vertices - 1));
        }
        if (!BUDGET_RESERVE(&r->build->memory, r->graph->column, (size_t)i, r->room.columns,
                            "the columns"))
            return false;
        r->graph->column[i] = (uint32_t)head;
    }
    return true;
}

static bool ligra_weights(LigraReader *r)
{
    for (uint64_t i = 0; i < r->edges; i++) {
        uint32_t weight;
        if (!ligra_next(r, "weights", i, r->edges) ||
            !scan_int(&r->scan, "a 32-bit integer weight", &weight) ||
            !BUDGET_RESERVE(&r->build->memory, r->graph->int_weights, (size_t)i,
                            r->room.weights, "the weights"))
            return false;
        r->graph->int_weights[i] = (int32_t)weight;
    }
    return true;
}

static bool ligra_body(LigraReader *r)
{
    Scanner *s = &r->scan;
    if (!ligra_rows(r) || !ligra_columns(r) || (r->weighted && !ligra_weights(r))) return false;
    if (!scan_at_line_end(s) || scan_line(s, ""))
        return scan_fail(s, "a number too many: expected the end of the file after %llu edges%s",
                         (unsigned long long)r->edges, r->weighted ? " and their weights" : "");
    return !r->source.failed;
}

HdGraph *read_ligra(Input *in, GraphBuild *build)
{
    LigraReader r = {.build = build};
    r.scan = scan_start(&r.source, in, build, LONGEST);
    bool ok = ligra_header(&r) && (r.graph = graph_new_empty((uint32_t)r.vertices, build)) &&
              ligra_body(&r);
    scan_free(&r.scan);
    if (ok && graph_end_growth(r.graph, &r.room, r.edges, r.weighted, build)) {
        graph_finish(r.graph);
        return r.graph;
    }
    build_drop(build, r.graph);
    return NULL;
}
