// Reads lists with one edge per line, 64-bit ids and comments: SNAP's, GAP's, KONECT's and
// networkx's edge lists, and tables with named columns. The ids of vertices are numbers or names.
#include "base/text.h"
#include "graph/edge_list_reader.h"

#include <string.h>

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

static VertexNames *second_names(EdgeListReader *r)
{
    return list_has_sides(r) ? &r->second_names : &r->names;
}

// After a failure to read an id: if it is a name, the message says how to read names, unless the
// first line has to have sizes.
static bool fail_name(EdgeListReader *r, const char *expected)
{
    Scanner *s = &r->scan;
    char field[SCAN_FIELD];
    bool quoted = s->p > s->line_start && s->p[-1] == '"', behind = quoted && s->separator != '"';
    HdListReading reading = *r->reading;
    if (r->keep_ids || behind || reading.first == HD_FIRST_SIZES || !list_is_word(*s)) return false;
    if (r->decided) { // with names, two words in the first line are an edge otherwise
        reading.from = r->columns.from;
        reading.to = r->columns.to;
    }
    return scan_fail(s, "'%s': expected %s, or --format %s,names, which reads all ids as names",
                     scan_field(s, field), expected,
                     format_text(r->build->format, &reading).text);
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
                                   (list_has_sides(r) && list_is_name(r->scan, r->columns.to))));
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
    r->named = r->decided = true;
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

static bool read_list(EdgeListReader *r, Input *in, EdgeList *list, GraphBuild *build)
{
    static const HdListReading as_the_text_says = {0};
    r->list = list;
    r->build = build;
    r->reading = build->options ? &build->options->list : &as_the_text_says;
    r->scan = scan_start(&r->source, in, build, SCAN_LONGEST);
    r->names = r->second_names = (VertexNames){.build = build, .file = r->scan.file};
    bool ok = read_lines(r) && list_number_vertices(r);
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
