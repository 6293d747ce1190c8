// Reads Matrix Market files as graphs: coordinate matrices of patterns, integers or reals, general
// or symmetric (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996).
#include "base/text.h"
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"

#include <stdio.h>
#include <string.h>

typedef struct MtxReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    EdgeList *list;
    uint64_t vertices, entries;
    uint64_t size_line;
    const char *entry_form; // the form of an entry's line, for messages
} MtxReader;

// A word of the header line. `why_not` is set if Heddle does not support it.
typedef struct MtxWord {
    const char *word, *why_not;
    int value;
} MtxWord;

static const MtxWord mtx_objects[] = {
    {"matrix", NULL, 0},
    {"vector", "a graph is read from a 'matrix'", 0},
    {0},
};
static const MtxWord mtx_formats[] = {
    {"coordinate", NULL, 0},
    {"array", "a dense matrix is no graph: write it as 'coordinate'", 0},
    {0},
};
static const MtxWord mtx_fields[] = {
    {"pattern", NULL, HD_WEIGHTS_NONE},
    {"integer", NULL, HD_WEIGHTS_INT},
    {"real", NULL, HD_WEIGHTS_REAL},
    {"double", NULL, HD_WEIGHTS_REAL},
    {"complex", "an edge's weight is one number: use 'pattern', 'integer' or 'real'", 0},
    {0},
};
static const MtxWord mtx_symmetries[] = {
    {"general", NULL, false},
    {"symmetric", NULL, true},
    {"skew-symmetric", "a weight that changes its sign with the direction has no meaning here: use "
                       "'general' or 'symmetric'", 0},
    {"hermitian", "use 'general' or 'symmetric'", 0},
    {0},
};

// Reads the next word of the header line as one of `words`.
static bool mtx_word(Scanner *s, const char *what, const MtxWord *words, int *value)
{
    scan_blanks(s);
    size_t length = 0;
    while (!scan_is_field_end(s, s->p + length)) length++;
    for (const MtxWord *w = words; length && w->word; w++) {
        if (strlen(w->word) != length || !text_same_letters(w->word, s->p, length)) continue;
        if (w->why_not) return scan_fail(s, "'%s' is not supported: %s", w->word, w->why_not);
        *value = w->value;
        s->p += length;
        return true;
    }
    char choice[128] = "", expected[192];
    for (const MtxWord *w = words; w->word; w++) {
        if (w->why_not) continue;
        if (*choice) strcat(choice, ", ");
        strcat(choice, w->word);
    }
    snprintf(expected, sizeof expected, "the %s (%s)", what, choice);
    return scan_fail_expected(s, expected);
}

static bool mtx_header(MtxReader *r)
{
    static const char banner[] = "%%MatrixMarket";
    Scanner *s = &r->scan;
    size_t length = sizeof banner - 1;
    if (!scan_line(s, "")) return scan_fail(s, "the file is empty");
    if ((size_t)(s->end - s->p) < length || !text_same_letters(s->p, banner, length) ||
        !scan_is_field_end(s, s->p + length))
        return scan_fail(s, "the header is missing: the first line of a Matrix Market file reads "
                            "\"%%%%MatrixMarket matrix coordinate pattern general\"");
    s->p += length;
    int unused, field, symmetric;
    if (!mtx_word(s, "object", mtx_objects, &unused) ||
        !mtx_word(s, "format", mtx_formats, &unused) ||
        !mtx_word(s, "field", mtx_fields, &field) ||
        !mtx_word(s, "symmetry", mtx_symmetries, &symmetric))
        return false;
    r->list->weight_kind = (HdWeightKind)field;
    r->list->mirrored = symmetric;
    r->entry_form = field == HD_WEIGHTS_NONE ? "row column" : "row column value";
    return scan_line_end(s, "%%MatrixMarket matrix coordinate FIELD SYMMETRY");
}

static bool mtx_size_line(MtxReader *r)
{
    Scanner *s = &r->scan;
    uint64_t rows, columns;
    if (!scan_line(s, "%"))
        return scan_fail(s, "the file ends before the size line \"rows columns entries\"");
    if (!scan_unsigned(s, "the number of rows", &rows) ||
        !scan_unsigned(s, "the number of columns", &columns) ||
        !scan_unsigned(s, "the number of entries", &r->entries) ||
        !scan_line_end(s, "rows columns entries"))
        return false;
    s->p = s->line_start;
    if (rows != columns)
        return scan_fail(s, "a matrix of %llu rows and %llu columns: expected a square matrix",
                         (unsigned long long)rows, (unsigned long long)columns);
    if (!scan_check_sizes(s, rows, r->entries)) return false;
    r->vertices = rows;
    r->list->vertices = (uint32_t)rows;
    r->size_line = s->line;
    return true;
}

static bool mtx_entry(MtxReader *r)
{
    Scanner *s = &r->scan;
    uint64_t row, column;
    uint32_t weight = 0;
    if (!scan_vertex(s, "a row number", r->vertices, &row) ||
        !scan_vertex(s, "a column number", r->vertices, &column))
        return false;
    switch (r->list->weight_kind) {
    case HD_WEIGHTS_NONE: break;
    case HD_WEIGHTS_INT:
        if (!scan_int(s, "a 32-bit integer value", &weight)) return false;
        break;
    case HD_WEIGHTS_REAL:
        if (!scan_real(s, "a finite 32-bit real value", &weight)) return false;
        break;
    }
    if (!scan_line_end(s, r->entry_form)) return false;
    HdEdge edge = {(uint32_t)(row - 1), (uint32_t)(column - 1)};
    return edge_list_add(r->list, edge, weight, r->build);
}

static bool mtx_entries(MtxReader *r)
{
    Scanner *s = &r->scan;
    while (scan_line(s, "%")) {
        if (r->list->count == r->entries)
            return scan_fail(s, "one entry too many: expected %llu (size line, line %llu)",
                             (unsigned long long)r->entries, (unsigned long long)r->size_line);
        if (!mtx_entry(r)) return false;
    }
    if (r->list->count == r->entries && !r->source.failed) return true;
    return scan_fail(s, "the file ends after %llu entries: expected %llu (size line, line %llu)",
                     (unsigned long long)r->list->count, (unsigned long long)r->entries,
                     (unsigned long long)r->size_line);
}

bool read_mtx(Input *in, EdgeList *list, GraphBuild *build)
{
    MtxReader r = {.list = list, .build = build};
    r.scan = scan_start(&r.source, in, build, SCAN_LONGEST);
    bool ok = mtx_header(&r) && mtx_size_line(&r) && mtx_entries(&r);
    scan_free(&r.scan);
    return ok;
}
