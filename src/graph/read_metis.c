// Reads the text format of METIS (Karypis, Kumar: METIS manual) and the 10th DIMACS challenge,
// .graph: a header "VERTICES EDGES [FMT [NCON]]", then a line per vertex with its neighbours, which
// count from 1; comments start with %. Both vertices list an edge; EDGES counts it once. FMT is up
// to three digits 0 or 1. First digit: a line starts with the vertex's size. Second digit: then
// follow NCON weights of the vertex. The reader skips both. Third digit: the edge's weight follows
// each neighbour.
#include "base/fail.h"
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <limits.h>

// A line lists all neighbours of a vertex.
#define LONGEST ((size_t)1 << 30)

// The line of a vertex. The lines of the vertices after it follow, up to the next such entry.
typedef struct VertexLine {
    uint32_t vertex;
    uint64_t line;
} VertexLine;

typedef struct MetisReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    uint64_t vertices, edges; // declared by the header
    uint64_t header_line;
    uint64_t passed;   // numbers to skip at the start of each line
    bool weighted;
    HdGraph *graph;    // its arrays grow with the lines
    ArrayRoom room;
    uint64_t count;    // neighbours read
    uint64_t loops;    // self loops among them
    VertexLine *lines; // vertices whose line is not the one after their predecessor's
    size_t lines_count, lines_capacity;
} MetisReader;

// Reads FMT, such as "11" or "011", as digits.
static bool metis_format(MetisReader *r)
{
    Scanner *s = &r->scan;
    const char *start = s->p, expected[] = "FMT, up to three digits 0 or 1";
    uint64_t flags;
    if (!scan_unsigned(s, expected, &flags)) return false;
    if (flags > 111 || flags % 10 > 1 || flags / 10 % 10 > 1) {
        s->p = start;
        scan_blanks(s);
        return scan_fail_expected(s, expected);
    }
    bool vertex_weights = flags / 10 % 10;
    uint64_t per_vertex = vertex_weights;
    r->weighted = flags % 10;
    if (!scan_at_line_end(s)) {
        if (!scan_unsigned(s, "NCON, the number of weights of a vertex", &per_vertex)) return false;
        if (per_vertex > 0 && !vertex_weights)
            return scan_fail(s, "NCON is given, but FMT's second digit says that vertices have no "
                                "weights");
        if (per_vertex == 0 && vertex_weights)
            return scan_fail(s, "NCON is 0, but FMT's second digit says that vertices have "
                                "weights");
    }
    r->passed = per_vertex + (flags >= 100);
    return true;
}

static bool metis_header(MetisReader *r)
{
    Scanner *s = &r->scan;
    if (!scan_line(s, "%"))
        return scan_fail(s, "the file ends before the header \"VERTICES EDGES [FMT [NCON]]\"");
    if (!scan_unsigned(s, "the number of vertices", &r->vertices) ||
        !scan_unsigned(s, "the number of edges", &r->edges) ||
        (!scan_at_line_end(s) && !metis_format(r)) ||
        !scan_line_end(s, "VERTICES EDGES [FMT [NCON]]"))
        return false;
    s->p = s->line_start;
    r->header_line = s->line;
    if (r->vertices == 0) return scan_fail(s, "the graph is empty: it has no vertices");
    if (r->vertices > UINT32_MAX)
        return scan_fail(s, "%llu vertices: expected at most %u, which have 32-bit numbers",
                         (unsigned long long)r->vertices, UINT32_MAX);
    if (r->edges > INT64_MAX / 2) // both directions are counted
        return scan_fail(s, "%llu edges: expected at most %lld", (unsigned long long)r->edges,
                         (long long)(INT64_MAX / 2));
    return true;
}

static bool metis_neighbour(MetisReader *r, uint32_t vertex)
{
    Scanner *s = &r->scan;
    uint64_t to;
    uint32_t weight = 0;
    if (r->count == 2 * r->edges)
        return scan_fail(s, "one neighbour too many: expected %llu edges (header, line %llu), each "
                            "listed by both its vertices",
                         (unsigned long long)r->edges, (unsigned long long)r->header_line);
    if (!scan_vertex(s, "the number of a neighbour", r->vertices, &to) ||
        (r->weighted && !scan_int(s, "the edge's weight, a 32-bit integer", &weight)))
        return false;
    HdGraph *graph = r->graph;
    MemoryBudget *memory = &r->build->memory;
    if (!BUDGET_RESERVE(memory, graph->column, r->count, r->room.columns, "the columns"))
        return false;
    graph->column[r->count] = (uint32_t)(to - 1);
    if (r->weighted) {
        if (!BUDGET_RESERVE(memory, graph->int_weights, r->count, r->room.weights,
                            "the weights"))
            return false;
        graph->int_weights[r->count] = (int32_t)weight;
    }
    r->loops += to - 1 == vertex;
    r->count++;
    return true;
}

// Makes room for the row of a vertex, which has a line here.
static bool metis_row(MetisReader *r, uint32_t v)
{
    MemoryBudget *memory = &r->build->memory;
    const VertexLine *last = r->lines_count ? &r->lines[r->lines_count - 1] : NULL;
    if (!last || last->line + (v - last->vertex) != r->scan.line) {
        if (!BUDGET_RESERVE(memory, r->lines, r->lines_count, r->lines_capacity, "the lines"))
            return false;
        r->lines[r->lines_count++] = (VertexLine){v, r->scan.line};
    }
    return BUDGET_RESERVE(memory, r->graph->row, (size_t)v + 1, r->room.rows,
                          "the row offsets");
}

static bool metis_vertices(MetisReader *r)
{
    Scanner *s = &r->scan;
    uint64_t ignored;
    if (!BUDGET_RESERVE(&r->build->memory, r->graph->row, 0, r->room.rows, "the row offsets"))
        return false;
    r->graph->row[0] = 0;
    for (uint32_t v = 0; v < r->vertices; v++) {
        if (!scan_any_line(s, "%"))
            return scan_fail(s, "the file ends after the lines of %u vertices: expected %llu "
                                "(header, line %llu)", v, (unsigned long long)r->vertices,
                             (unsigned long long)r->header_line);
        if (!metis_row(r, v)) return false;
        for (uint64_t i = 0; i < r->passed; i++)
            if (!scan_unsigned(s, "the vertex's size or weight", &ignored)) return false;
        while (!scan_at_line_end(s))
            if (!metis_neighbour(r, v)) return false;
        r->graph->row[v + 1] = r->count;
    }
    if (scan_line(s, "%"))
        return scan_fail(s, "one line too many: expected %llu vertices (header, line %llu)",
                         (unsigned long long)r->vertices, (unsigned long long)r->header_line);
    if (r->source.failed) return false;
    // Some writers list a self loop once in its line, others twice.
    if (r->count == 2 * r->edges || r->count + r->loops == 2 * r->edges) return true;
    return scan_fail(s, "the lines list %llu neighbours: expected %llu edges (header, line %llu), "
                        "each listed by both its vertices", (unsigned long long)r->count,
                     (unsigned long long)r->edges, (unsigned long long)r->header_line);
}

// Fails at the line of a vertex, which was read long ago.
static bool metis_fail_at(const MetisReader *r, HdEdge edge, const char *what)
{
    size_t i = r->lines_count;
    while (r->lines[--i].vertex > edge.from) continue;
    uint64_t line = r->lines[i].line + (edge.from - r->lines[i].vertex);
    return hd_fail_at(r->build->err, r->scan.file, line < INT_MAX ? (int)line : INT_MAX, 1,
                      "vertex %u lists vertex %u%s", edge.from + 1, edge.to + 1, what);
}

// Checks that both vertices list each edge, with the same weight. With duplicate edges, the weights
// cannot be matched and are not compared.
static bool metis_check_mirrored(MetisReader *r)
{
    const HdGraph *graph = r->graph;
    uint64_t loops, duplicates = 0;
    HdEdge unmirrored;
    bool mirrored;
    if (!graph_find_unmirrored(graph, false, &mirrored, &unmirrored, r->build)) return false;
    if (!mirrored) return metis_fail_at(r, unmirrored, ", which does not list it");
    if (!r->weighted) return true;
    if (!graph_count_repeats(graph, &loops, &duplicates, r->build)) return false;
    if (duplicates) return true;
    if (!graph_find_unmirrored(graph, true, &mirrored, &unmirrored, r->build)) return false;
    return mirrored ||
           metis_fail_at(r, unmirrored, " with another weight than that lists it with");
}

HdGraph *read_metis(Input *in, GraphBuild *build)
{
    MetisReader r = {.build = build};
    r.scan = scan_start(&r.source, in, build, LONGEST);
    bool ok = metis_header(&r) && (r.graph = graph_new_empty((uint32_t)r.vertices, build)) &&
              metis_vertices(&r);
    scan_free(&r.scan);
    if (ok) r.graph->directed = false;
    ok = ok && graph_end_growth(r.graph, &r.room, r.count, r.weighted, build) &&
         metis_check_mirrored(&r);
    build_free(build, r.lines);
    if (ok) {
        graph_finish(r.graph);
        return r.graph;
    }
    build_drop(build, r.graph);
    return NULL;
}
