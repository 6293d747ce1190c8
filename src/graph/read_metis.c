// Reads the text format of METIS (Karypis, Kumar: METIS manual) and the 10th DIMACS challenge,
// .graph: a header "VERTICES EDGES [FMT [NCON]]", then a line per vertex with its neighbours, which
// count from 1; comments start with %. Both vertices list an edge; EDGES counts it once. FMT is up
// to three digits 0 or 1. First digit: a line starts with the vertex's size. Second digit: then
// follow NCON weights of the vertex. The reader skips both. Third digit: the edge's weight follows
// each neighbour.
#include "base/fail.h"
#include "base/file.h"
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <stdlib.h>

typedef struct MetisReader {
    Scanner scan;
    uint64_t vertices, edges; // declared by the header
    uint64_t header_line;
    uint64_t passed;   // numbers to skip at the start of each line
    bool weighted;
    HdGraph *graph;
    uint64_t count;    // neighbours read
    uint64_t loops;    // self loops among them
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
    uint64_t size = (uint64_t)(s->end - s->p);
    s->p = s->line_start;
    r->header_line = s->line;
    if (r->vertices == 0) return scan_fail(s, "the graph is empty: it has no vertices");
    if (r->vertices > UINT32_MAX)
        return scan_fail(s, "%llu vertices: expected at most %u, which have 32-bit numbers",
                         (unsigned long long)r->vertices, UINT32_MAX);
    // Checked before memory is allocated: a line takes at least one byte, a neighbour two.
    if (r->vertices > size || r->edges > size)
        return scan_fail(s, "the header declares %llu vertices and %llu edges: expected at most "
                            "%llu of each, the number of bytes that follow",
                         (unsigned long long)r->vertices, (unsigned long long)r->edges,
                         (unsigned long long)size);
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
    r->graph->column[r->count] = (uint32_t)(to - 1);
    if (r->weighted) r->graph->int_weights[r->count] = (int32_t)weight;
    r->loops += to - 1 == vertex;
    r->count++;
    return true;
}

static bool metis_vertices(MetisReader *r, const HdGraphOptions *options)
{
    Scanner *s = &r->scan;
    const char *start = s->p;
    uint64_t ignored, size = (uint64_t)(s->end - start);
    for (uint32_t v = 0; v < r->vertices; v++) {
        if (!scan_any_line(s, "%"))
            return scan_fail(s, "the file ends after the lines of %u vertices: expected %llu "
                                "(header, line %llu)", v, (unsigned long long)r->vertices,
                             (unsigned long long)r->header_line);
        for (uint64_t i = 0; i < r->passed; i++)
            if (!scan_unsigned(s, "the vertex's size or weight", &ignored)) return false;
        while (!scan_at_line_end(s))
            if (!metis_neighbour(r, v)) return false;
        r->graph->row[v + 1] = r->count;
        if (v % 65536 == 0)
            graph_progress(options, "reading", (uint64_t)(s->p - start), size);
    }
    if (scan_line(s, "%"))
        return scan_fail(s, "one line too many: expected %llu vertices (header, line %llu)",
                         (unsigned long long)r->vertices, (unsigned long long)r->header_line);
    // Some writers list a self loop once in its line, others twice.
    if (r->count == 2 * r->edges || r->count + r->loops == 2 * r->edges) return true;
    return scan_fail(s, "the lines list %llu neighbours: expected %llu edges (header, line %llu), "
                        "each listed by both its vertices", (unsigned long long)r->count,
                     (unsigned long long)r->edges, (unsigned long long)r->header_line);
}

// Moves to the line of a vertex. `s` must be at the state before the first vertex line.
static void metis_go_to(Scanner *s, uint32_t vertex)
{
    scan_line(s, "%");
    for (uint32_t v = 0; v <= vertex; v++) scan_any_line(s, "%");
}

// Checks that both vertices list each edge, with the same weight. With duplicate edges, the weights
// cannot be matched and are not compared.
static bool metis_check_mirrored(const MetisReader *r, Scanner start, HdError *err)
{
    const HdGraph *graph = r->graph;
    uint64_t loops, duplicates = 0;
    HdEdge unmirrored;
    bool mirrored;
    if (!graph_find_unmirrored(graph, false, &mirrored, &unmirrored, err)) return false;
    if (!mirrored) {
        metis_go_to(&start, unmirrored.from);
        return scan_fail(&start, "vertex %u lists vertex %u, which does not list it",
                         unmirrored.from + 1, unmirrored.to + 1);
    }
    if (!r->weighted) return true;
    if (!hd_graph_count_repeats(graph, &loops, &duplicates, err)) return false;
    if (duplicates) return true;
    if (!graph_find_unmirrored(graph, true, &mirrored, &unmirrored, err)) return false;
    if (mirrored) return true;
    metis_go_to(&start, unmirrored.from);
    return scan_fail(&start, "vertex %u lists vertex %u with another weight than that lists it "
                             "with", unmirrored.from + 1, unmirrored.to + 1);
}

HdGraph *read_metis(const char *path, const HdGraphOptions *options, HdError *err)
{
    size_t size;
    char *text = file_read(path, &size, err);
    if (!text) return NULL;
    MetisReader r = {.scan = scan_start(path, text, size, err)};
    Scanner start = r.scan;
    bool ok = metis_header(&r) && (r.graph = graph_new((uint32_t)r.vertices, err)) &&
              graph_allocate_edges(r.graph, 2 * r.edges,
                                   r.weighted ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE, err) &&
              metis_vertices(&r, options);
    if (ok) {
        r.graph->edges = r.count;
        r.graph->directed = false;
        ok = metis_check_mirrored(&r, start, err);
    }
    free(text);
    if (ok) {
        graph_finish(r.graph);
        return r.graph;
    }
    hd_graph_free(r.graph);
    return NULL;
}
