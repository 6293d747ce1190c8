// Reads the text format of the 9th DIMACS challenge (shortest paths, 2006), .gr: comments "c ...",
// the problem line "p sp VERTICES ARCS", then a line "a FROM TO WEIGHT" per directed edge.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <string.h>

typedef struct DimacsReader {
    Scanner scan;
    EdgeList *list;
    uint64_t vertices, arcs;
    uint64_t problem_line;
} DimacsReader;

// Skips `word` if it is the field at the current position.
static bool skip_word(Scanner *s, const char *word)
{
    scan_blanks(s);
    size_t length = strlen(word);
    if ((size_t)(s->end - s->p) < length || memcmp(s->p, word, length) != 0 ||
        !scan_is_field_end(s, s->p + length))
        return false;
    s->p += length;
    return true;
}

static bool dimacs_problem(DimacsReader *r)
{
    Scanner *s = &r->scan;
    if (!scan_line(s, "c"))
        return scan_fail(s, "the file ends before the problem line \"p sp VERTICES ARCS\"");
    if (!skip_word(s, "p") || !skip_word(s, "sp"))
        return scan_fail_expected(s, "the start of the problem line \"p sp VERTICES ARCS\"");
    if (!scan_unsigned(s, "the number of vertices", &r->vertices) ||
        !scan_unsigned(s, "the number of arcs", &r->arcs) ||
        !scan_line_end(s, "p sp VERTICES ARCS"))
        return false;
    s->p = s->line_start;
    if (r->vertices == 0) return scan_fail(s, "the graph is empty: it has no vertices");
    if (r->vertices > UINT32_MAX)
        return scan_fail(s, "%llu vertices: expected at most %u, which have 32-bit numbers",
                         (unsigned long long)r->vertices, UINT32_MAX);
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
    if (!skip_word(s, "a"))
        return scan_fail_expected(s, "the start of an arc \"a FROM TO WEIGHT\"");
    if (r->list->count == r->arcs)
        return scan_fail(s, "one arc too many: expected %llu (problem line, line %llu)",
                         (unsigned long long)r->arcs, (unsigned long long)r->problem_line);
    if (!scan_vertex(s, "the arc's first vertex", r->vertices, &from) ||
        !scan_vertex(s, "the arc's second vertex", r->vertices, &to) ||
        !scan_int(s, "a 32-bit integer weight", &weight) || !scan_line_end(s, "a FROM TO WEIGHT"))
        return false;
    return edge_list_add(r->list, (uint32_t)(from - 1), (uint32_t)(to - 1), weight) ||
           hd_fail_memory(s->err, "reading a graph");
}

bool read_dimacs(const char *path, const char *text, size_t size, const HdGraphOptions *options,
                 EdgeList *list, HdError *err)
{
    DimacsReader r = {.scan = scan_start(path, text, size, err), .list = list};
    if (!dimacs_problem(&r)) return false;
    while (scan_line(&r.scan, "c")) {
        if (!dimacs_arc(&r)) return false;
        if (list->count % 65536 == 0)
            graph_progress(options, "reading", (uint64_t)(r.scan.p - text), size);
    }
    if (list->count < r.arcs)
        return scan_fail(&r.scan, "the file ends after %llu arcs: expected %llu (problem line, "
                                  "line %llu)", (unsigned long long)list->count,
                         (unsigned long long)r.arcs, (unsigned long long)r.problem_line);
    return true;
}
