// Reads the text formats of the DIMACS challenges. Comments are lines "c ...". The problem line
// says which format it is:
//
//   9th challenge (shortest paths, 2006), .gr: "p sp VERTICES ARCS", then a line "a FROM TO WEIGHT"
//   for each directed edge.
//
//   2nd challenge (cliques and colouring, 1993; "Clique and Coloring Problems Graph Format",
//   archive.dimacs.rutgers.edu/pub/challenge/graph/doc/ccformat.tex), .col and .clq: "p edge
//   VERTICES EDGES", which many files write "p col", then a line "e ONE OTHER" for each undirected
//   edge. Lines n, d, v and x, of vertices and of geometry, are ignored.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <stdio.h>
#include <string.h>

// What distinguishes the two formats.
typedef struct DimacsKind {
    char line;        // the first character of an edge's line
    bool weighted;
    const char *ignored; // first characters of further lines
    const char *form, *problem, *edge, *edges; // for messages
} DimacsKind;

static const DimacsKind arcs_kind = {
    'a', true, "", "a FROM TO WEIGHT", "p sp VERTICES ARCS", "arc", "arcs",
};
static const DimacsKind colouring_kind = {
    'e', false, "ndvx", "e ONE OTHER", "p edge VERTICES EDGES", "edge", "edges",
};

typedef struct DimacsReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    const DimacsKind *kind;
    EdgeList list;
    uint64_t vertices, edges;
    uint64_t problem_line;
} DimacsReader;

static bool dimacs_problem(DimacsReader *r)
{
    Scanner *s = &r->scan;
    if (!scan_line(s, "c"))
        return scan_fail(s, "the file ends before the problem line \"p sp VERTICES ARCS\" or "
                            "\"p edge VERTICES EDGES\"");
    bool problem = scan_word(s, "p");
    if (problem && scan_word(s, "sp"))
        r->kind = &arcs_kind;
    else if (problem && (scan_word(s, "edge") || scan_word(s, "col")))
        r->kind = &colouring_kind;
    else
        return scan_fail_expected(s, "the start of the problem line \"p sp VERTICES ARCS\" or "
                                     "\"p edge VERTICES EDGES\"");
    if (!scan_unsigned(s, "the number of vertices", &r->vertices) ||
        !scan_unsigned(s, r->kind->weighted ? "the number of arcs" : "the number of edges",
                       &r->edges) ||
        !scan_line_end(s, r->kind->problem) || !scan_check_sizes(s, r->vertices, r->edges))
        return false;
    r->list.vertices = (uint32_t)r->vertices;
    r->list.weight_kind = r->kind->weighted ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE;
    r->problem_line = s->line;
    return true;
}

static bool dimacs_edge(DimacsReader *r)
{
    Scanner *s = &r->scan;
    const DimacsKind *kind = r->kind;
    uint64_t from, to;
    uint32_t weight = 0;
    const char word[] = {kind->line, 0};
    if (!scan_word(s, word)) {
        char expected[64];
        snprintf(expected, sizeof expected, "the start of an %s \"%s\"", kind->edge, kind->form);
        return scan_fail_expected(s, expected);
    }
    if (r->list.count == r->edges)
        return scan_fail(s, "one %s too many: expected %llu (problem line, line %llu)", kind->edge,
                         (unsigned long long)r->edges, (unsigned long long)r->problem_line);
    bool arc = kind->weighted;
    if (!scan_vertex(s, arc ? "the arc's first vertex" : "the edge's first vertex", r->vertices,
                     &from) ||
        !scan_vertex(s, arc ? "the arc's second vertex" : "the edge's second vertex", r->vertices,
                     &to) ||
        (arc && !scan_int(s, "a 32-bit integer weight", &weight)) || !scan_line_end(s, kind->form))
        return false;
    HdEdge edge = {(uint32_t)(from - 1), (uint32_t)(to - 1)};
    return edge_list_add(&r->list, edge, weight, r->build);
}

static bool dimacs_edges(DimacsReader *r)
{
    Scanner *s = &r->scan;
    while (scan_line(s, "c")) {
        bool ignored = *s->p && strchr(r->kind->ignored, *s->p);
        if (!(ignored ? scan_text(s) : dimacs_edge(r))) return false;
    }
    uint64_t count = r->list.count;
    if (r->source.failed) return false;
    // Many files count each undirected edge twice and list it once.
    if (count == r->edges || (!r->kind->weighted && 2 * count == r->edges)) return true;
    return scan_fail(s, "the file ends after %llu %s: expected %llu (problem line, line %llu)",
                     (unsigned long long)count, r->kind->edges, (unsigned long long)r->edges,
                     (unsigned long long)r->problem_line);
}

// Whether as many edges of the list lead to a higher vertex as to a lower one: then a list may hold
// both directions of each edge.
static bool is_balanced(const EdgeList *list)
{
    size_t up = 0, down = 0;
    for (size_t i = 0; i < list->count; i++) {
        up += list->edges[i].from < list->edges[i].to;
        down += list->edges[i].from > list->edges[i].to;
    }
    return up == down;
}

// Some files list each undirected edge once, others list both of its directions.
static HdGraph *undirected_graph(EdgeList *list, GraphBuild *build)
{
    if (is_balanced(list)) {
        HdEdge unmirrored;
        bool mirrored;
        HdGraph *graph = graph_from_list(list, build);
        bool found = graph && graph_find_unmirrored(graph, false, &mirrored, &unmirrored, build);
        if (found && mirrored) {
            graph->directed = false;
            return graph;
        }
        build_drop(build, graph);
        if (!found) return NULL;
    }
    list->mirrored = true;
    return graph_from_list(list, build);
}

HdGraph *read_dimacs(Input *in, GraphBuild *build)
{
    DimacsReader r = {.build = build};
    HdGraph *graph = NULL;
    r.scan = scan_start(&r.source, in, build, SCAN_LONGEST);
    bool ok = dimacs_problem(&r) && dimacs_edges(&r);
    scan_free(&r.scan);
    if (ok)
        graph = r.kind->weighted ? graph_from_list(&r.list, build)
                                 : undirected_graph(&r.list, build);
    edge_list_free(&r.list, build);
    return graph;
}
