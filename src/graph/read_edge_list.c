// Reads lists with one edge per line, 64-bit ids and comments: SNAP's, GAP's, KONECT's and
// networkx's edge lists, and tables with named columns. The ids of vertices are numbers or names.
#include "base/text.h"
#include "graph/list_columns.h"
#include "graph/number_ids.h"
#include "graph/vertex_names.h"

#include <stdio.h>
#include <string.h>

// The numbers of vertices and edges that the first line may be.
typedef struct ListSizes {
    uint64_t line; // 0: it is not
    uint64_t vertices, edges;
    bool certain; // the first line is no edge
} ListSizes;

// The header of KONECT: "% sym weighted".
typedef struct Konect {
    uint64_t line; // 0: there is none
    bool bipartite, unweighted;
} Konect;

typedef struct EdgeListReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    const HdListReading *reading;
    EdgeList *list; // receives weights during reading, edges after all ids are known
    VertexNames names; // of the vertices, if by_name
    VertexNames second_names; // of those of the second column, if it has names of its own
    IdPair *pairs;     // if by_name, indices of names
    size_t count, pairs_capacity;
    ListColumns columns;
    ListSizes sizes;
    Konect konect;
    bool sizes_known; // a comment has them: "# Nodes: 3 Edges: 2", as SNAP and Heddle write it
    bool table;       // a column may be empty
    bool keep_ids;    // the id is the number of the vertex
    bool by_name;     // the ids are names
    bool named;       // the first line has names of columns
    bool either;      // the first line has names of columns or of vertices: the second decides
    bool type_known;  // the column of types was read at least once
} EdgeListReader;

#define FROM_ID "a vertex id (a 64-bit number, not negative)"
#define TO_ID "the id of the edge's second vertex (a 64-bit number, not negative)"
#define FROM_NAME "the name of the edge's first vertex"
#define TO_NAME "the name of the edge's second vertex"
#define WEIGHT "a weight (a 32-bit integer or a finite 32-bit float)"

// ---- an edge: most fields are digits, which need no look for quotation marks ----

static inline bool read_id(Scanner *s, const char *expected, uint64_t *id)
{
    char separator = s->separator;
    bool quoted;
    if (separator == ' ') scan_blanks(s);
    if (scan_is_digit(*s->p)) return scan_unsigned(s, expected, id);
    return list_begin_field(s, expected, &quoted) && scan_unsigned(s, expected, id) &&
           (!quoted || list_end_field(s, expected, separator));
}

// Reads the name of a vertex. *index becomes the index of the name.
static bool read_name(Scanner *s, VertexNames *names, const char *expected, uint64_t *index)
{
    const char *name;
    size_t length;
    uint32_t found;
    if (list_at_line_end(s)) return scan_fail_expected(s, expected);
    if (!list_read_text(s, &name, &length)) return false;
    if (length == 0) return scan_fail(s, "the field is empty: expected %s", expected);
    length = list_unescape(s, name, length);
    if (!vertex_names_find(names, name, length, s->line, &found)) return false;
    *index = found;
    return true;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && text_same_letters(text, word, length);
}

// Reads whether the edge is directed: all have to be so, or none. A column of other words is not
// read.
static bool read_type(EdgeListReader *r)
{
    Scanner *s = &r->scan;
    const char *text;
    size_t length;
    if (!list_read_text(s, &text, &length)) return false;
    bool undirected = is_word(text, length, "undirected");
    bool known = undirected || is_word(text, length, "directed");
    if (!r->type_known) {
        r->type_known = true;
        r->list->mirrored = undirected;
        if (!known) r->columns.type = 0;
        graph_note(r->build, s->file, r->columns.line, !known ? "columns that are not read: 'type'"
                   : undirected ? "the column 'type': each edge goes both ways"
                                : "the column 'type': edges are directed");
        return true;
    }
    if (known && undirected == r->list->mirrored) return true;
    s->p = text;
    return scan_fail_expected(s, r->list->mirrored ? "'undirected', as the first edge has"
                                                   : "'directed', as the first edge has");
}

static bool read_number(EdgeListReader *r, Scanner *s, uint32_t *bits)
{
    EdgeWeight weight;
    if (!scan_weight(s, WEIGHT, &weight)) return false;
    edge_list_match_kinds(r->list, r->count, &weight);
    *bits = weight.bits;
    return true;
}

static bool read_weight(EdgeListReader *r, uint32_t *bits)
{
    Scanner *s = &r->scan;
    char separator = s->separator;
    bool quoted;
    if (scan_is_digit(*s->p)) return read_number(r, s, bits);
    return list_begin_field(s, WEIGHT, &quoted) && read_number(r, s, bits) &&
           (!quoted || list_end_field(s, WEIGHT, separator));
}

static bool read_dictionary(EdgeListReader *r, uint32_t *bits)
{
    Scanner *s = &r->scan, value;
    scan_blanks(s);
    if (*s->p != '{') return scan_fail_expected(s, "a dictionary such as {'weight': 5}");
    const char *start = s->p;
    if (!list_read_dictionary(s, &value)) return false;
    if (!r->columns.weight || (value.p && read_number(r, &value, bits))) return true;
    if (value.p) return false;
    s->p = start;
    return scan_fail(s, "the dictionary has no 'weight': expected one, as line %llu has",
                     (unsigned long long)r->columns.line);
}

// Describes a column for a message.
static const char *column_text(const ListColumns *c, uint32_t column)
{
    return column == c->from     ? "the edge's first vertex"
           : column == c->to     ? "the edge's second vertex"
           : column == c->weight ? "the weight"
                                 : "the next column";
}

static bool read_line_end(EdgeListReader *r)
{
    Scanner *s = &r->scan;
    char field[SCAN_FIELD];
    if (*s->p == '\n') return true;
    if (list_at_line_end(s)) return scan_text(s); // a comment
    const ListColumns *c = &r->columns;
    return scan_fail(s, "extra field '%s': expected %u columns, as line %llu has",
                     scan_field(s, field), c->count, (unsigned long long)c->line);
}

// Whether the second vertex's column has ids of its own.
static bool has_sides(const EdgeListReader *r)
{
    return r->reading->bipartite || r->konect.bipartite;
}

static VertexNames *second_names(EdgeListReader *r)
{
    return has_sides(r) ? &r->second_names : &r->names;
}

// After a failure to read an id: if it is a name, the message says how to read names.
static bool fail_name(EdgeListReader *r, const char *expected)
{
    Scanner *s = &r->scan;
    char field[SCAN_FIELD];
    bool quoted = s->p > s->line_start && s->p[-1] == '"', behind = quoted && s->separator != '"';
    if (r->keep_ids || behind || !list_is_word(*s)) return false;
    return scan_fail(s, "'%s': expected %s, or --format %s,names, which reads all ids as names",
                     scan_field(s, field), expected, r->build->format);
}

static inline bool read_from(EdgeListReader *r, IdPair *pair)
{
    if (r->by_name) return read_name(&r->scan, &r->names, FROM_NAME, &pair->from);
    return read_id(&r->scan, FROM_ID, &pair->from) || fail_name(r, FROM_ID);
}

static inline bool read_to(EdgeListReader *r, IdPair *pair)
{
    if (r->by_name) return read_name(&r->scan, second_names(r), TO_NAME, &pair->to);
    return read_id(&r->scan, TO_ID, &pair->to) || fail_name(r, TO_ID);
}

static bool read_fields(EdgeListReader *r, IdPair *pair, uint32_t *weight)
{
    Scanner *s = &r->scan;
    const ListColumns *c = &r->columns;
    for (uint32_t column = 1;; column++) {
        bool ok = column == c->from                  ? read_from(r, pair)
                  : column == c->to                  ? read_to(r, pair)
                  : column == c->type                ? read_type(r)
                  : c->dictionary && column == 3     ? read_dictionary(r, weight)
                  : column == c->weight              ? read_weight(r, weight)
                  : s->separator == ' ' && list_at_line_end(s)
                      ? scan_fail(s, "%u columns: expected %u, as line %llu has", column - 1,
                                  c->count, (unsigned long long)c->line)
                      : list_skip_field(s);
        if (!ok) return false;
        if (column == c->count) return read_line_end(r);
        if (s->separator != ' ' && *s->p == s->separator) s->p++;
        else if (!list_next_field(s, column_text(c, column + 1))) return false;
    }
}

// Reads the edge at the current line.
static bool read_edge(EdgeListReader *r)
{
    IdPair pair;
    uint32_t weight = 0;
    MemoryBudget *memory = &r->build->memory;
    if (!read_fields(r, &pair, &weight) ||
        !BUDGET_RESERVE(memory, r->pairs, r->count, r->pairs_capacity, "the edges"))
        return false;
    if (r->columns.weight) {
        EdgeList *list = r->list;
        if (!BUDGET_RESERVE(memory, list->weights, r->count, list->weights_capacity,
                            "the weights"))
            return false;
        list->weights[r->count] = weight;
    }
    r->pairs[r->count++] = pair;
    return true;
}

// ---- the first lines ----

// A comment "% sym weighted" is KONECT's header, whose words say which edges there are and whether
// they have weights (Kunegis: KONECT, WWW 2013 Companion; the format's page of KONECT).
static bool read_percent_comment(EdgeListReader *r)
{
    static const char *const weights[] = {"unweighted", "positive", "posweighted", "signed",
                                          "multisigned", "weighted", "multiweighted", "dynamic",
                                          "multiposweighted"};
    Scanner *s = &r->scan, look = *s;
    if (r->konect.line) return scan_text(s);
    look.p++;
    bool sym = scan_word(&look, "sym"), asym = !sym && scan_word(&look, "asym");
    bool bip = !sym && !asym && scan_word(&look, "bip");
    for (size_t i = 0; (sym || asym || bip) && i < sizeof weights / sizeof *weights; i++) {
        if (!scan_word(&look, weights[i])) continue;
        r->konect = (Konect){.line = s->line, .bipartite = bip, .unweighted = i == 0};
        r->list->mirrored = !asym;
        graph_note(r->build, s->file, s->line, "KONECT's header: %s%s",
                   asym ? "directed edges" : "each edge goes both ways",
                   bip ? "; the vertices of the second column follow those of the first" : "");
        break;
    }
    return scan_text(s);
}

// Reads the comments before the first line. Sets *any: there is one.
static bool read_comments(EdgeListReader *r, bool *any)
{
    Scanner *s = &r->scan;
    while ((*any = scan_any_line(s, ""))) {
        Scanner look = *s;
        look.p++;
        if (*s->p == '#') {
            r->sizes_known |= scan_word(&look, "Nodes:");
            if (!scan_text(s)) return false;
        } else if (*s->p == '%') {
            if (!read_percent_comment(r)) return false;
        } else if (!scan_at_line_end(s)) {
            return true;
        }
    }
    return !r->source.failed;
}

static bool settle_columns(EdgeListReader *r)
{
    const HdListReading *reading = r->reading;
    if (!list_settle_columns(&r->scan, reading, !r->konect.unweighted, r->build, &r->columns))
        return false;
    r->list->weight_kind = r->columns.weight ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE;
    return true;
}

// Reads the current line as sizes: "VERTICES EDGES", or "VERTICES VERTICES EDGES" as the size line
// of a matrix.
static bool read_sizes(Scanner s, ListSizes *sizes)
{
    uint64_t numbers[4];
    int count = 0;
    s.err = NULL;
    while (count < 4 && read_id(&s, "", &numbers[count])) {
        count++;
        if (list_at_line_end(&s)) break;
        if (s.separator != ' ' && *s.p++ != s.separator) return false;
    }
    if (!list_at_line_end(&s) || count < 2 || count > 3 ||
        (count == 3 && numbers[0] != numbers[1]))
        return false;
    *sizes = (ListSizes){.line = s.line, .vertices = numbers[0], .edges = numbers[count - 1]};
    return true;
}

static bool read_first_edge(EdgeListReader *r)
{
    const HdListReading *reading = r->reading;
    HdFirstLine first = reading->first;
    if (first == HD_FIRST_SIZES) {
        if (!read_sizes(r->scan, &r->sizes))
            return scan_fail_expected(&r->scan, "the numbers of vertices and edges, "
                                                "which --format says are here");
        r->sizes.certain = true;
        return true;
    }
    if (first == HD_FIRST_ANY && !r->named && !r->konect.line && !r->sizes_known &&
        !reading->bipartite && !reading->names)
        read_sizes(r->scan, &r->sizes);
    // An edge has the columns that --format names.
    uint32_t count = r->sizes.line ? list_count_columns(r->scan) : 0;
    r->sizes.certain = count && (count < reading->from || count < reading->to ||
                                 count < reading->weight);
    if (r->sizes.certain) return true;
    if (!r->named && !settle_columns(r)) return false;
    r->by_name = reading->names ||
                 (!r->keep_ids && (list_is_name(r->scan, r->columns.from) ||
                                   (has_sides(r) && list_is_name(r->scan, r->columns.to))));
    return read_edge(r);
}

// If the second line has numbers, the names of the first are those of columns.
static bool settle_names(EdgeListReader *r)
{
    ListSizes numbers;
    if (!r->either || !read_sizes(r->scan, &numbers)) return true;
    const VertexName *from = &r->names.names[r->pairs[0].from];
    const VertexNames *second = second_names(r);
    const VertexName *to = &second->names[r->pairs[0].to];
    const char *const names[] = {r->names.bytes + from->at, second->bytes + to->at};
    const size_t lengths[] = {from->length, to->length};
    if (!list_name_two(r->scan, r->columns.line, names, lengths, r->reading, r->build))
        return false;
    vertex_names_free(&r->names);
    vertex_names_free(&r->second_names);
    r->by_name = r->either = false;
    r->named = true;
    r->count = 0;
    return true;
}

// The second line decides whether the first, of another shape, has the sizes.
static bool read_second_edge(EdgeListReader *r)
{
    ListSizes *sizes = &r->sizes;
    if (!settle_names(r)) return false;
    Scanner look = r->scan;
    look.err = NULL; // reading the edge reports a control character
    if (sizes->line && !sizes->certain && scan_text(&look) &&
        list_count_columns(r->scan) != r->columns.count) {
        sizes->certain = true;
        r->count = 0;
        r->columns.count = 0;
    }
    return (r->columns.count || settle_columns(r)) && read_edge(r);
}

static bool read_lines(EdgeListReader *r)
{
    Scanner *s = &r->scan;
    bool any;
    if (!read_comments(r, &any)) return false;
    if (any) s->separator = list_separator(s, r->table);
    FirstNames first = !any || !list_has_names(*s) || r->konect.line ? FIRST_OF_VERTICES
                       : r->keep_ids ? FIRST_OF_COLUMNS
                                     : list_first_names(*s, r->reading, r->table);
    r->either = first == FIRST_OF_EITHER;
    if (first == FIRST_OF_COLUMNS) {
        r->named = true;
        if (!list_read_names(s, r->reading, r->build, &r->columns)) return false;
        r->list->weight_kind = r->columns.weight ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE;
        any = scan_line(s, "#%");
    }
    if (any) {
        if (!read_first_edge(r)) return false;
        any = scan_line(s, "#%");
    }
    if (any) {
        if (!read_second_edge(r)) return false;
        any = scan_line(s, "#%");
    }
    for (; any; any = scan_line(s, "#%"))
        if (!read_edge(r)) return false;
    if (r->count || r->source.failed) return !r->source.failed;
    return hd_fail_at(s->err, s->file, 0, 0, "the graph is empty: no edges");
}

// ---- vertices ----

// Fails at the line of the sizes, after the last line.
static Scanner *at_sizes(EdgeListReader *r)
{
    r->scan.line = r->sizes.line;
    r->scan.line_start = r->scan.p;
    return &r->scan;
}

// Whether the sizes are those of the edges that follow. Then the first line is no edge.
static bool settle_sizes(EdgeListReader *r)
{
    ListSizes *sizes = &r->sizes;
    if (!sizes->line) return true;
    size_t first = sizes->certain ? 0 : 1;
    size_t count = r->count - first;
    IdRange ids = id_range(r->pairs + first, count);
    bool given = r->reading->first == HD_FIRST_SIZES;
    bool fit = count && sizes->edges == count &&
               (ids.max < sizes->vertices || (ids.max == sizes->vertices && ids.min > 0));
    if (!fit && given)
        return scan_fail(at_sizes(r), "%llu vertices and %llu edges: expected %zu edges, as they "
                         "follow, with ids up to %llu", (unsigned long long)sizes->vertices,
                         (unsigned long long)sizes->edges, count, (unsigned long long)ids.max);
    if (!fit && sizes->certain) {
        at_sizes(r)->line = r->columns.line;
        return scan_fail(&r->scan, "%u columns: expected as many as in line %llu, unless line %llu "
                         "has the numbers of vertices and edges (%zu edges follow, with ids up to "
                         "%llu)", r->columns.count, (unsigned long long)sizes->line,
                         (unsigned long long)sizes->line, count, (unsigned long long)ids.max);
    }
    // A first edge that seems to announce many vertices is an edge.
    bool likely = sizes->vertices <= count + SCAN_EDGELESS && sizes->vertices <= UINT32_MAX;
    if (!fit || (!sizes->certain && !likely)) {
        *sizes = (ListSizes){0};
        return true;
    }
    memmove(r->pairs, r->pairs + first, count * sizeof *r->pairs);
    if (r->columns.weight)
        memmove(r->list->weights, r->list->weights + first, count * sizeof *r->list->weights);
    r->count = count;
    if (!given)
        graph_note(r->build, r->scan.file, sizes->line, "read as the numbers of vertices (%llu) "
                   "and edges (%llu), because they fit the lines that follow (--format "
                   "%s,first=edge reads an edge)", (unsigned long long)sizes->vertices,
                   (unsigned long long)sizes->edges, r->build->format);
    return true;
}

static bool number_kept(EdgeListReader *r)
{
    EdgeList *list = r->list;
    const MemoryBudget *memory = &r->build->memory;
    IdRange ids = id_range(r->pairs, r->count);
    if (r->sizes.line) {
        if (!scan_check_sizes(at_sizes(r), r->sizes.vertices, r->count)) return false;
        list->vertices = (uint32_t)r->sizes.vertices;
        return number_from(r->pairs, r->count, ids.max == list->vertices, list, r->build);
    }
    uint64_t most = UINT32_MAX - 1;
    if (!memory->given && r->count + SCAN_EDGELESS - 1 < most) most = r->count + SCAN_EDGELESS - 1;
    if (ids.max > most)
        return hd_fail_at(r->scan.err, r->scan.file, 0, 0,
                          "id %llu: expected at most %llu, because each number up to it is a "
                          "vertex in this format (--format txt numbers the ids without gaps)",
                          (unsigned long long)ids.max, (unsigned long long)most);
    if (!budget_check(memory, 12 * ((unsigned __int128)ids.max + 2), "%s: %llu vertices",
                      r->scan.file, (unsigned long long)ids.max + 1))
        return false;
    list->vertices = (uint32_t)ids.max + 1;
    return number_from(r->pairs, r->count, 0, list, r->build);
}

// Weights that look like times of day are probably no weights.
static void note_times(const EdgeListReader *r)
{
    enum { YEAR_2001 = 978307200 }; // in Unix's seconds
    const EdgeList *list = r->list;
    if (list->weight_kind != HD_WEIGHTS_INT || r->reading->weight || r->columns.weight != 3) return;
    for (size_t i = 0; i < r->count; i++)
        if ((int32_t)list->weights[i] < YEAR_2001) return;
    graph_note(r->build, r->scan.file, r->columns.line,
               "column 3 is read as the weight, though its numbers look like times in seconds "
               "(--format %s,weight=none does not read it)", r->build->format);
}

// Two to four lines of as many numbers may be an adjacency matrix too. Of two lines, the numbers
// say so: a diagonal of zeros, or nothing but zeros and ones.
static void note_matrix(const EdgeListReader *r)
{
    const IdPair *pairs = r->pairs;
    if (r->named || r->by_name || r->keep_ids || r->sizes.line || r->konect.line ||
        r->sizes_known || r->columns.dictionary || r->columns.count != r->count ||
        list_is_declared(r->reading))
        return;
    if (r->count == 2 && !(pairs[0].from == 0 && pairs[1].to == 0) &&
        id_range(pairs, 2).max > 1)
        return;
    graph_note(r->build, r->scan.file, r->columns.line, "%zu lines of %zu columns, which may be an "
               "adjacency matrix, are read as edges (--format %s,first=edge says so)", r->count,
               r->count, r->build->format);
}

static bool number_names(EdgeListReader *r)
{
    const VertexName *first = &r->names.names[0];
    graph_note(r->build, r->scan.file, first->line, "%sthe ids are names: vertices are numbered in "
               "the order of their first mention, from 0 for '%.*s'",
               r->either ? "read as an edge; " : "", (int)first->length,
               r->names.bytes + first->at);
    uint64_t vertices = r->names.count + r->second_names.count;
    if (vertices > UINT32_MAX)
        return hd_fail_at(r->scan.err, r->scan.file, 0, 0, "%llu vertices: expected at most %u, "
                          "which have 32-bit numbers", (unsigned long long)vertices, UINT32_MAX);
    r->list->vertices = (uint32_t)vertices;
    if (r->second_names.count)
        r->list->second = (HdSecondIds){.from = r->names.count, .last = vertices - 1};
    for (size_t i = 0; i < r->count; i++) r->pairs[i].to += r->list->second.from;
    return number_from(r->pairs, r->count, 0, r->list, r->build) &&
           vertex_names_keep(&r->names, &r->second_names, r->list);
}

static void note_sides(const EdgeListReader *r)
{
    const EdgeList *list = r->list;
    const ListColumns *c = &r->columns;
    uint32_t first = 0;
    while (first < list->vertices && list->ids[first] < list->second.from) first++;
    uint32_t end = list->vertices;
    while (list->ids[end - 1] > list->second.last) end--;
    char rest[64] = "";
    if (end < list->vertices)
        snprintf(rest, sizeof rest, "; from %u on, no edge says the column", end);
    graph_note(r->build, r->scan.file, c->line, "bipartite: the vertices of column %u are 0 to %u, "
               "those of column %u are %u to %u%s", c->from, first - 1, c->to, first, end - 1,
               rest);
}

static bool number_vertices(EdgeListReader *r)
{
    EdgeList *list = r->list;
    bool sides = has_sides(r);
    if ((sides && !r->by_name && !separate_sides(r->pairs, r->count, list, r->build)) ||
        !settle_sizes(r))
        return false;
    note_times(r);
    note_matrix(r);
    bool ok = r->by_name                      ? number_names(r)
              : r->keep_ids || r->sizes.line ? number_kept(r)
                                             : number_ascending(r->pairs, r->count, list, r->build);
    if (ok && (sides || r->by_name) && !list->ids) ok = number_by_itself(list, r->build);
    if (ok && r->reading->bipartite) note_sides(r);
    return ok;
}

static bool read_list(EdgeListReader *r, Input *in, EdgeList *list, GraphBuild *build)
{
    static const HdListReading as_the_text_says = {0};
    r->list = list;
    r->build = build;
    r->reading = build->options ? &build->options->list : &as_the_text_says;
    r->scan = scan_start(&r->source, in, build, SCAN_LONGEST);
    r->names = r->second_names = (VertexNames){.build = build, .file = r->scan.file};
    bool ok = read_lines(r) && number_vertices(r);
    vertex_names_free(&r->names);
    vertex_names_free(&r->second_names);
    scan_free(&r->scan);
    build_free(build, r->pairs);
    return ok;
}

bool read_edge_list(Input *in, EdgeList *list, GraphBuild *build)
{
    return read_list(&(EdgeListReader){0}, in, list, build);
}

bool read_edges_with_ids(Input *in, EdgeList *list, GraphBuild *build)
{
    return read_list(&(EdgeListReader){.keep_ids = true}, in, list, build);
}

bool read_csv(Input *in, EdgeList *list, GraphBuild *build)
{
    return read_list(&(EdgeListReader){.table = true}, in, list, build);
}
