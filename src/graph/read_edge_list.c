// Reads edge lists with one edge per line, 64-bit ids and comments: SNAP's format with blanks
// between fields, and .csv with commas and an optional line of column names.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <stdio.h>
#include <string.h>

typedef struct IdPair {
    uint64_t from, to;
} IdPair;

typedef struct EdgeListReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    EdgeList *list; // receives weights during reading, edges after all ids are known
    IdPair *pairs;
    size_t count, pairs_capacity;
    char separator;       // of fields; ' ': blanks. A text with another may begin with names
    const char *forms[2]; // the form of a line, without and with a weight
    char int_wanted[80]; // describes an integer weight in messages
} EdgeListReader;

// Skips the separator before `expected`, if the format has one.
static bool skip_separator(Scanner *s, const char *expected)
{
    if (s->separator == ' ') return true;
    if (scan_at_line_end(s) || *s->p != s->separator) return scan_fail_expected(s, expected);
    s->p++;
    return true;
}

static bool read_ids(Scanner *s, IdPair *pair)
{
    return scan_unsigned(s, "a vertex id (a 64-bit number, not negative)", &pair->from) &&
           skip_separator(s, "the comma before the edge's second vertex") &&
           scan_unsigned(s, "the id of the edge's second vertex (a 64-bit number, not negative)",
                         &pair->to);
}

// The first edge decides whether edges have weights, and whether weights are integers.
static void settle_weights(EdgeListReader *r)
{
    Scanner look = r->scan;
    IdPair pair;
    uint32_t bits;
    look.err = NULL;
    snprintf(r->int_wanted, sizeof r->int_wanted,
             "a 32-bit integer weight, as line %llu has one", (unsigned long long)look.line);
    r->list->weight_kind = HD_WEIGHTS_NONE;
    if (!read_ids(&look, &pair) || scan_at_line_end(&look) || !skip_separator(&look, "")) return;
    r->list->weight_kind = scan_int(&look, "", &bits) ? HD_WEIGHTS_INT : HD_WEIGHTS_REAL;
}

static bool read_weight(EdgeListReader *r)
{
    Scanner *s = &r->scan;
    EdgeList *list = r->list;
    uint32_t bits;
    if (list->weight_kind == HD_WEIGHTS_NONE) return scan_line_end(s, r->forms[0]);
    if (!skip_separator(s, "the comma before the weight")) return false;
    if (list->weight_kind == HD_WEIGHTS_INT) {
        if (!scan_int(s, r->int_wanted, &bits)) return false;
    } else if (!scan_real(s, "a finite 32-bit weight", &bits)) {
        return false;
    }
    if (!scan_line_end(s, r->forms[1])) return false;
    if (!BUDGET_RESERVE(&r->build->memory, list->weights, r->count, list->weights_capacity,
                        "the weights"))
        return false;
    list->weights[r->count] = bits;
    return true;
}

// Reads the edge at the current line.
static bool read_pair(EdgeListReader *r)
{
    IdPair pair;
    if (r->count == 0) settle_weights(r);
    if (!read_ids(&r->scan, &pair) || !read_weight(r) ||
        !BUDGET_RESERVE(&r->build->memory, r->pairs, r->count, r->pairs_capacity, "the edges"))
        return false;
    r->pairs[r->count++] = pair;
    return true;
}

// A first line that does not start with a number contains the names of columns, if `named`.
static bool read_pairs(EdgeListReader *r, bool named)
{
    Scanner *s = &r->scan;
    for (; scan_line(s, "#%"); named = false) {
        bool number = scan_is_digit(*s->p) || *s->p == '-' || *s->p == '+';
        if (!(named && !number ? scan_text(s) : read_pair(r))) return false;
    }
    if (r->count || r->source.failed) return !r->source.failed;
    return hd_fail_at(s->err, s->file, 0, 0, "the graph is empty: no edges");
}

// Numbers dense ids by a table over 0..max: table[id] becomes the vertex. Returns the number of
// vertices.
static uint64_t number_by_table(const EdgeListReader *r, uint32_t *table, uint64_t max)
{
    for (size_t i = 0; i < r->count; i++) table[r->pairs[i].from] = table[r->pairs[i].to] = 1;
    uint64_t vertices = 0;
    for (uint64_t id = 0; id <= max; id++)
        if (table[id]) table[id] = (uint32_t)vertices++;
    for (size_t i = 0; i < r->count; i++)
        r->list->edges[i] = (HdEdge){table[r->pairs[i].from], table[r->pairs[i].to]};
    return vertices;
}

static uint32_t position_of(const uint64_t *ids, uint64_t count, uint64_t id)
{
    uint64_t low = 0, high = count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (ids[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

// Sorts ids by one byte after another, from the lowest. Both arrays have `count` elements; returns
// the one that holds the result.
static uint64_t *sort_ids(uint64_t *ids, uint64_t *other, size_t count)
{
    enum { DIGIT = 8, DIGITS = 1 << DIGIT };
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++) start[(ids[i] >> shift) % DIGITS + 1]++;
        if (start[(ids[0] >> shift) % DIGITS + 1] == count) continue; // all have the same byte
        for (size_t d = 0; d < DIGITS; d++) start[d + 1] += start[d];
        for (size_t i = 0; i < count; i++) other[start[(ids[i] >> shift) % DIGITS]++] = ids[i];
        uint64_t *sorted = other;
        other = ids;
        ids = sorted;
    }
    return ids;
}

// Numbers sparse ids by sorting. `scratch` has room for both ends of each edge, twice.
static uint64_t number_by_sorting(const EdgeListReader *r, uint64_t *scratch)
{
    uint64_t *ids = scratch;
    for (size_t i = 0; i < r->count; i++) {
        ids[2 * i] = r->pairs[i].from;
        ids[2 * i + 1] = r->pairs[i].to;
    }
    ids = sort_ids(ids, ids + 2 * r->count, 2 * r->count);
    uint64_t vertices = 0;
    for (size_t i = 0; i < 2 * r->count; i++)
        if (i == 0 || ids[i] != ids[i - 1]) ids[vertices++] = ids[i];
    if (vertices > UINT32_MAX) return vertices;
    for (size_t i = 0; i < r->count; i++)
        r->list->edges[i] = (HdEdge){position_of(ids, vertices, r->pairs[i].from),
                                     position_of(ids, vertices, r->pairs[i].to)};
    return vertices;
}

static bool number_vertices(EdgeListReader *r)
{
    EdgeList *list = r->list;
    uint64_t max = 0, vertices;
    for (size_t i = 0; i < r->count; i++) {
        uint64_t larger = r->pairs[i].from > r->pairs[i].to ? r->pairs[i].from : r->pairs[i].to;
        if (larger > max) max = larger;
    }
    // Use a table unless it is much larger than the edges.
    bool dense = max < UINT32_MAX && max / 8 <= r->count;
    void *scratch = dense ? build_new(r->build, max + 1, sizeof(uint32_t), "the table of ids")
                          : build_new(r->build, r->count, 4 * sizeof(uint64_t), "the sorted ids");
    if (scratch) list->edges = build_new(r->build, r->count, sizeof *list->edges, "the edges");
    if (!list->edges) {
        build_free(r->build, scratch);
        return false;
    }
    list->count = list->edges_capacity = r->count;
    vertices = dense ? number_by_table(r, scratch, max) : number_by_sorting(r, scratch);
    build_free(r->build, scratch);
    if (vertices > UINT32_MAX)
        return hd_fail_at(r->scan.err, r->scan.file, 0, 0,
                          "%llu vertices: expected at most %u, which have 32-bit numbers",
                          (unsigned long long)vertices, UINT32_MAX);
    list->vertices = (uint32_t)vertices;
    return true;
}

static bool read_list(EdgeListReader *r, Input *in, EdgeList *list, GraphBuild *build)
{
    r->list = list;
    r->build = build;
    r->scan = scan_start(&r->source, in, build, SCAN_LONGEST);
    r->scan.separator = r->separator;
    bool ok = read_pairs(r, r->separator != ' ');
    scan_free(&r->scan);
    ok = ok && number_vertices(r);
    build_free(build, r->pairs);
    return ok;
}

bool read_edge_list(Input *in, EdgeList *list, GraphBuild *build)
{
    EdgeListReader r = {.forms = {"from to", "from to weight"}, .separator = ' '};
    return read_list(&r, in, list, build);
}

bool read_csv(Input *in, EdgeList *list, GraphBuild *build)
{
    EdgeListReader r = {.forms = {"from,to", "from,to,weight"}, .separator = ','};
    return read_list(&r, in, list, build);
}
