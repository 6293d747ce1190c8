// Reads the networks of Pajek (Batagelj, Mrvar: Pajek manual), .net. A line with a star begins a
// section; comments start with %. Vertices count from 1:
//
//   *Vertices N [FIRST]  lines "VERTEX LABEL ...", each of which may be missing. FIRST: edges lead
//                        from the first vertices to the others (a two-mode network)
//   *Arcs, *Edges        lines "FROM TO [WEIGHT] ...": directed, undirected
//   *Arcslist, *Edgeslist  lines "FROM TO ..." of several edges
//   *Matrix              a line for each vertex, with the weight of the arc to each vertex; 0: none
//
// An edge without a weight has 1 where others have one.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include "base/fail.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

// A line of a list or of a matrix has all edges of a vertex.
#define LONGEST ((size_t)1 << 30)

typedef struct PajekReader PajekReader;
typedef bool PajekLine(PajekReader *r);

struct PajekReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    EdgeList *list;
    PajekLine *read_line; // of the section; NULL before the vertices
    bool undirected;      // edges of the section
    uint64_t vertices, first;
    uint64_t vertices_line;
    uint64_t matrix_rows;
};

static bool pajek_add(PajekReader *r, uint64_t from, uint64_t to, EdgeWeight weight)
{
    HdEdge edge = {(uint32_t)(from - 1), (uint32_t)(to - 1)};
    return edge_list_add_mixed(r->list, edge, r->undirected, weight, r->build);
}

static bool pajek_weight(PajekReader *r, EdgeWeight *weight)
{
    return scan_weight(&r->scan, "a weight: a 32-bit integer, or a finite number", weight);
}

// ---- the lines of each section ----

static bool pajek_vertex(PajekReader *r)
{
    uint64_t vertex;
    return scan_vertex(&r->scan, "the number of a vertex", r->vertices, &vertex) &&
           scan_text(&r->scan);
}

// Behind the weight, or in place of it, there may be attributes, which begin with a letter.
static bool pajek_edge(PajekReader *r)
{
    Scanner *s = &r->scan;
    uint64_t from, to;
    EdgeWeight weight = {0};
    if (!scan_vertex(s, "the number of the edge's first vertex", r->vertices, &from) ||
        !scan_vertex(s, "the number of the edge's second vertex", r->vertices, &to))
        return false;
    scan_blanks(s);
    bool number = scan_is_digit(*s->p) || (*s->p && strchr("+-.", *s->p));
    if (number && !pajek_weight(r, &weight)) return false;
    return scan_text(s) && pajek_add(r, from, to, weight);
}

static bool pajek_edges(PajekReader *r)
{
    Scanner *s = &r->scan;
    uint64_t from, to;
    if (!scan_vertex(s, "the number of the edges' first vertex", r->vertices, &from)) return false;
    while (!scan_at_line_end(s))
        if (!scan_vertex(s, "the number of an edge's second vertex", r->vertices, &to) ||
            !pajek_add(r, from, to, (EdgeWeight){0}))
            return false;
    return true;
}

static bool pajek_row(PajekReader *r)
{
    Scanner *s = &r->scan;
    uint64_t rows = r->first ? r->first : r->vertices, columns = r->vertices - r->first;
    if (r->matrix_rows == rows)
        return scan_fail(s, "one row too many: expected %llu", (unsigned long long)rows);
    r->matrix_rows++;
    for (uint64_t column = 1; column <= columns; column++) {
        EdgeWeight weight;
        float real = 0;
        scan_blanks(s);
        if (!pajek_weight(r, &weight)) return false;
        if (weight.kind == HD_WEIGHTS_REAL) memcpy(&real, &weight.bits, sizeof real);
        bool joined = weight.kind == HD_WEIGHTS_REAL ? real != 0 : weight.bits != 0;
        if (joined && !pajek_add(r, r->matrix_rows, r->first + column, weight)) return false;
    }
    return scan_line_end(s, "a number for each vertex");
}

// ---- sections ----

static bool pajek_vertices(PajekReader *r)
{
    Scanner *s = &r->scan;
    if (r->vertices_line)
        return scan_fail(s, "a second network: expected one (line %llu)",
                         (unsigned long long)r->vertices_line);
    if (!scan_unsigned(s, "the number of vertices", &r->vertices)) return false;
    if (!scan_at_line_end(s) &&
        (!scan_unsigned(s, "the number of vertices of the first mode", &r->first) ||
         !scan_line_end(s, "*Vertices N [FIRST]")))
        return false;
    s->p = s->line_start;
    if (r->first > r->vertices)
        return scan_fail(s, "%llu vertices of the first mode: expected at most %llu",
                         (unsigned long long)r->first, (unsigned long long)r->vertices);
    if (r->first == r->vertices) r->first = 0;
    // The edges that follow are not known: each vertex may have one.
    if (!scan_check_sizes(s, r->vertices, r->vertices)) return false;
    r->vertices_line = s->line;
    r->list->vertices = (uint32_t)r->vertices;
    return true;
}

static bool pajek_section(PajekReader *r)
{
    static const struct {
        const char *name;
        PajekLine *line;
        bool undirected;
    } sections[] = {
        {"*Vertices", pajek_vertex, false}, {"*Arcs", pajek_edge, false},
        {"*Edges", pajek_edge, true},       {"*Arcslist", pajek_edges, false},
        {"*Edgeslist", pajek_edges, true},  {"*Matrix", pajek_row, false},
    };
    static const char network[] = "*Network";
    Scanner *s = &r->scan;
    const char *start = s->p;
    while (!scan_is_field_end(s, s->p) && *s->p != ':') s->p++;
    size_t length = (size_t)(s->p - start), i = 0, count = sizeof sections / sizeof *sections;
    bool named = length == strlen(network) && text_same_letters(start, network, length);
    if (named && !r->vertices_line) return scan_text(s);
    while (i < count && (strlen(sections[i].name) != length ||
                         !text_same_letters(start, sections[i].name, length)))
        i++;
    if (i == count || (i > 0 && !r->vertices_line)) {
        s->p = start;
        return scan_fail_expected(s, !r->vertices_line ? "*Vertices"
                                                       : "*Arcs, *Edges, *Arcslist, *Edgeslist or "
                                                         "*Matrix");
    }
    r->read_line = sections[i].line;
    r->undirected = sections[i].undirected;
    // The name of a relation may follow.
    return i == 0 ? pajek_vertices(r) : scan_text(s);
}

// Vertices without an edge take no byte of the file.
static bool pajek_check_edgeless(PajekReader *r)
{
    Scanner header = r->scan;
    header.line = r->vertices_line;
    header.p = header.line_start = ""; // for the message
    return scan_check_sizes(&header, r->vertices, r->list->count);
}

static bool pajek_lines(PajekReader *r)
{
    Scanner *s = &r->scan;
    while (scan_line(s, "%")) {
        bool section = *s->p == '*';
        if (!section && !r->read_line) return scan_fail_expected(s, "the section *Vertices");
        if (!(section ? pajek_section(r) : r->read_line(r))) return false;
    }
    if (r->source.failed) return false;
    if (!r->vertices_line) return scan_fail(s, "the file ends before the section *Vertices");
    uint64_t rows = r->first ? r->first : r->vertices;
    if (r->matrix_rows && r->matrix_rows < rows)
        return scan_fail(s, "the file ends after %llu rows of the matrix: expected %llu",
                         (unsigned long long)r->matrix_rows, (unsigned long long)rows);
    return pajek_check_edgeless(r);
}

bool read_pajek(Input *in, EdgeList *list, GraphBuild *build)
{
    PajekReader r = {.list = list, .build = build};
    r.scan = scan_start(&r.source, in, build, LONGEST);
    bool ok = pajek_lines(&r);
    scan_free(&r.scan);
    return ok;
}
