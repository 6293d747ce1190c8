// Reads the text format of the 9th DIMACS challenge (shortest paths, 2006), .gr: comments "c ...",
// the problem line "p sp VERTICES ARCS", then a line "a FROM TO WEIGHT" per directed edge.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

typedef struct DimacsReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    EdgeList *list;
    uint64_t vertices, arcs;
    uint64_t problem_line;
} DimacsReader;

static bool dimacs_problem(DimacsReader *r)
{
    Scanner *s = &r->scan;
    if (!scan_line(s, "c"))
        return scan_fail(s, "the file ends before the problem line \"p sp VERTICES ARCS\"");
    if (!scan_word(s, "p") || !scan_word(s, "sp"))
        return scan_fail_expected(s, "the start of the problem line \"p sp VERTICES ARCS\"");
    if (!scan_unsigned(s, "the number of vertices", &r->vertices) ||
        !scan_unsigned(s, "the number of arcs", &r->arcs) ||
        !scan_line_end(s, "p sp VERTICES ARCS"))
        return false;
    if (!scan_check_sizes(s, r->vertices, r->arcs)) return false;
    r->list->vertices = (uint32_t)r->vertices;
    r->list->weight_kind = HD_WEIGHTS_INT;
    r->problem_line = s->line;
    return true;
}

static bool dimacs_arc(DimacsReader *r)
{
    Scanner *s = &r->scan;
    uint64_t from, to;
    uint32_t weight;
    if (!scan_word(s, "a"))
        return scan_fail_expected(s, "the start of an arc \"a FROM TO WEIGHT\"");
    if (r->list->count == r->arcs)
        return scan_fail(s, "one arc too many: expected %llu (problem line, line %llu)",
                         (unsigned long long)r->arcs, (unsigned long long)r->problem_line);
    if (!scan_vertex(s, "the arc's first vertex", r->vertices, &from) ||
        !scan_vertex(s, "the arc's second vertex", r->vertices, &to) ||
        !scan_int(s, "a 32-bit integer weight", &weight) || !scan_line_end(s, "a FROM TO WEIGHT"))
        return false;
    HdEdge edge = {(uint32_t)(from - 1), (uint32_t)(to - 1)};
    return edge_list_add(r->list, edge, weight, r->build);
}

static bool dimacs_arcs(DimacsReader *r)
{
    Scanner *s = &r->scan;
    while (scan_line(s, "c"))
        if (!dimacs_arc(r)) return false;
    if (r->list->count == r->arcs && !r->source.failed) return true;
    return scan_fail(s, "the file ends after %llu arcs: expected %llu (problem line, line %llu)",
                     (unsigned long long)r->list->count, (unsigned long long)r->arcs,
                     (unsigned long long)r->problem_line);
}

bool read_dimacs(Input *in, EdgeList *list, GraphBuild *build)
{
    DimacsReader r = {.list = list, .build = build};
    r.scan = scan_start(&r.source, in, build, SCAN_LONGEST);
    bool ok = dimacs_problem(&r) && dimacs_arcs(&r);
    scan_free(&r.scan);
    return ok;
}
