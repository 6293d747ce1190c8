// Reads GML (Himsolt: GML, a portable graph file format, 1997), .gml: keys, each with a value,
// which is a number, a string or a list in brackets. Heddle reads these keys:
//
//   graph [
//     directed 1                                0, or absent: undirected
//     node [ id 5 ]
//     edge [ source 5 target 7 weight 2.5 ]     or a number `value`, if there is no `weight`
//   ]
//
// All other keys are ignored. An edge without a weight has 1 where others have one. A line that
// begins with # is a comment.
#include "graph/graph_internal.h"
#include "graph/text_scanner.h"
#include "graph/vertex_names.h"

#include "base/fail.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// Some writers put the whole graph into one line.
#define LONGEST ((size_t)1 << 30)

typedef enum TokenKind {
    TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OPEN, TOKEN_CLOSE,
} TokenKind;

// A token; the text is valid until the next one is read, and empty for a string.
typedef struct Token {
    TokenKind kind;
    const char *text;
    size_t length;
} Token;

// The list in which the reader is. Lists in a list that matters to no graph only count.
typedef enum Place { PLACE_TOP, PLACE_GRAPH, PLACE_NODE, PLACE_EDGE, PLACE_OTHER } Place;

// The keys of a node or an edge.
typedef enum Field { FIELD_ID, FIELD_SOURCE, FIELD_TARGET, FIELD_WEIGHT, FIELD_VALUE } Field;
static const char *const field_names[] = {"id", "source", "target", "weight", "value"};

typedef struct GmlReader {
    ScanSource source;
    Scanner scan;
    GraphBuild *build;
    EdgeList *list;
    VertexNames names;
    Place place, other; // `other`: the list that contains the lists that only count
    uint64_t nested;    // open lists that only count
    uint64_t graph_line; // 0: none yet
    uint64_t item_line; // of the node or edge that is read
    unsigned found;     // its fields, a bit each
    uint64_t vertex[FIELD_TARGET + 1];
    EdgeWeight weight[FIELD_VALUE + 1];
    bool directed;
} GmlReader;

// ---- tokens ----

// Skips a string, which may go on in the next lines.
static bool skip_string(Scanner *s)
{
    uint64_t line = s->line;
    s->p++;
    while (*s->p != '"') {
        if (scan_is_line_end(s, s->p)) {
            if (!scan_any_line(s, ""))
                return scan_fail(s, "the file ends in the string that begins in line %llu",
                                 (unsigned long long)line);
            continue;
        }
        if (((unsigned char)*s->p < ' ' && *s->p != '\t') || *s->p == 0x7f)
            return scan_fail(s, "the control character \\x%02x: expected text",
                             (unsigned char)*s->p);
        s->p++;
    }
    s->p++;
    return true;
}

static bool is_token_end(const Scanner *s, const char *p)
{
    return scan_is_field_end(s, p) || *p == '[' || *p == ']' || *p == '"';
}

// Reads the next token.
static bool next_token(GmlReader *r, Token *token)
{
    Scanner *s = &r->scan;
    if ((!s->line_start || scan_at_line_end(s)) && !scan_line(s, "#")) {
        *token = (Token){.kind = TOKEN_END};
        return !r->source.failed;
    }
    *token = (Token){.kind = TOKEN_STRING, .text = s->p};
    if (*s->p == '"') return skip_string(s);
    if (*s->p == '[' || *s->p == ']') {
        token->kind = *s->p++ == '[' ? TOKEN_OPEN : TOKEN_CLOSE;
        token->length = 1;
        return true;
    }
    while (!is_token_end(s, s->p)) s->p++;
    token->length = (size_t)(s->p - token->text);
    char c = *token->text;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    token->kind = letter ? TOKEN_WORD : TOKEN_NUMBER;
    return true;
}

static bool is_word(const Token *token, const char *word)
{
    return token->kind == TOKEN_WORD && token->length == strlen(word) &&
           memcmp(token->text, word, token->length) == 0;
}

// Fails at a token that was read.
static bool fail_token(GmlReader *r, const Token *token, const char *expected)
{
    Scanner *s = &r->scan;
    if (token->kind == TOKEN_END) return scan_fail(s, "the file ends: expected %s", expected);
    if (token->kind == TOKEN_STRING) return scan_fail(s, "a string: expected %s", expected);
    s->p = token->text;
    return scan_fail_expected(s, expected);
}

// Fails at the line of the node or edge that is read.
static bool fail_item(const GmlReader *r, const char *text)
{
    return hd_fail_at(r->build->err, r->scan.file,
                      r->item_line < INT_MAX ? (int)r->item_line : INT_MAX, 0, "%s", text);
}

// ---- nodes and edges ----

static bool read_vertex(GmlReader *r, const Token *value, uint64_t *vertex)
{
    const char *end = value->kind == TOKEN_NUMBER ? scan_digits(value->text, vertex) : NULL;
    return (end && end == value->text + value->length) ||
           fail_token(r, value, "a vertex id (a 64-bit number, not negative)");
}

// A key of a node or an edge.
static bool read_field(GmlReader *r, const Token *key, const Token *value)
{
    size_t field = r->place == PLACE_NODE ? FIELD_ID : FIELD_SOURCE;
    size_t last = r->place == PLACE_NODE ? FIELD_ID : FIELD_VALUE;
    while (field <= last && !is_word(key, field_names[field])) field++;
    if (field > last || (field == FIELD_VALUE && value->kind == TOKEN_STRING)) return true;
    if (r->found & 1u << field)
        return scan_fail(&r->scan, "a second key '%s': expected one", field_names[field]);
    r->found |= 1u << field;
    if (field <= FIELD_TARGET) return read_vertex(r, value, &r->vertex[field]);
    return (value->kind == TOKEN_NUMBER &&
            edge_weight_read(value->text, value->length, &r->weight[field])) ||
           fail_token(r, value, "a weight: a 32-bit integer, or a finite number");
}

static bool end_node(GmlReader *r)
{
    uint64_t earlier, id = r->vertex[FIELD_ID];
    char text[128];
    if (!r->found) return fail_item(r, "a node without an id: expected \"node [ id NUMBER ]\"");
    if (!vertex_names_declare(&r->names, &id, sizeof id, r->item_line, &earlier)) return false;
    if (!earlier) return true;
    snprintf(text, sizeof text, "vertex %llu is in line %llu already: expected each id once",
             (unsigned long long)id, (unsigned long long)earlier);
    return fail_item(r, text);
}

static bool end_edge(GmlReader *r)
{
    const unsigned ends = 1u << FIELD_SOURCE | 1u << FIELD_TARGET;
    HdEdge edge;
    if ((r->found & ends) != ends)
        return fail_item(r, "an edge without both ends: expected \"edge [ source ID target ID ]\"");
    const uint64_t *vertex = r->vertex;
    if (!vertex_names_find(&r->names, &vertex[FIELD_SOURCE], sizeof *vertex, r->item_line,
                           &edge.from) ||
        !vertex_names_find(&r->names, &vertex[FIELD_TARGET], sizeof *vertex, r->item_line,
                           &edge.to))
        return false;
    EdgeWeight none = {0};
    const EdgeWeight *weight = r->found & 1u << FIELD_WEIGHT  ? &r->weight[FIELD_WEIGHT]
                               : r->found & 1u << FIELD_VALUE ? &r->weight[FIELD_VALUE]
                                                              : &none;
    return edge_list_add_mixed(r->list, edge, false, *weight, r->build);
}

// ---- lists ----

static bool open_list(GmlReader *r, const Token *key)
{
    Place inner = PLACE_OTHER;
    if (r->place == PLACE_TOP && is_word(key, "graph")) inner = PLACE_GRAPH;
    if (r->place == PLACE_GRAPH && is_word(key, "node")) inner = PLACE_NODE;
    if (r->place == PLACE_GRAPH && is_word(key, "edge")) inner = PLACE_EDGE;
    if (inner == PLACE_GRAPH && r->graph_line)
        return scan_fail(&r->scan, "a second graph: expected one (line %llu)",
                         (unsigned long long)r->graph_line);
    if (inner == PLACE_GRAPH) r->graph_line = r->scan.line;
    if (inner == PLACE_OTHER) {
        if (r->nested++ == 0) r->other = r->place;
    } else {
        r->item_line = r->scan.line;
        r->found = 0;
    }
    r->place = inner;
    return true;
}

static bool close_list(GmlReader *r)
{
    switch (r->place) {
    case PLACE_TOP: return scan_fail(&r->scan, "a bracket too many: expected a key");
    case PLACE_GRAPH: r->place = PLACE_TOP; return true;
    case PLACE_NODE: r->place = PLACE_GRAPH; return end_node(r);
    case PLACE_EDGE: r->place = PLACE_GRAPH; return end_edge(r);
    case PLACE_OTHER:
        if (--r->nested == 0) r->place = r->other;
        return true;
    }
    return false;
}

// A key whose value is a number or a string.
static bool read_value(GmlReader *r, const Token *key, const Token *value)
{
    bool top = r->place == PLACE_TOP, graph = r->place == PLACE_GRAPH;
    if ((top && is_word(key, "graph")) ||
        (graph && (is_word(key, "node") || is_word(key, "edge"))))
        return fail_token(r, value, "a list in brackets");
    if (r->place == PLACE_NODE || r->place == PLACE_EDGE) return read_field(r, key, value);
    if (!graph || !is_word(key, "directed")) return true;
    bool flag = value->kind == TOKEN_NUMBER && value->length == 1 &&
                (*value->text == '0' || *value->text == '1');
    r->directed = flag && *value->text == '1';
    return flag || fail_token(r, value, "1 (directed) or 0");
}

// Some writers have these as values of keys that are ignored.
static bool is_no_number(const Token *token)
{
    return token->kind == TOKEN_WORD && token->length == 3 &&
           (text_same_letters(token->text, "nan", 3) || text_same_letters(token->text, "inf", 3));
}

// Reads all keys. A key's text must survive the next token, which may be in another line.
static bool gml_keys(GmlReader *r)
{
    enum { KEY = 16 }; // longer ones are ignored
    for (;;) {
        Token token;
        char text[KEY];
        if (!next_token(r, &token)) return false;
        if (token.kind == TOKEN_END) break;
        if (token.kind == TOKEN_CLOSE) {
            if (!close_list(r)) return false;
            continue;
        }
        if (token.kind != TOKEN_WORD) return fail_token(r, &token, "a key, such as node");
        Token key = {TOKEN_WORD, text, token.length < sizeof text ? token.length : 0};
        memcpy(text, token.text, key.length);
        if (!next_token(r, &token)) return false;
        bool scalar = token.kind == TOKEN_NUMBER || token.kind == TOKEN_STRING ||
                      is_no_number(&token);
        if (token.kind != TOKEN_OPEN && !scalar)
            return fail_token(r, &token, "the value of a key: a number, a string or a list");
        if (!(scalar ? read_value(r, &key, &token) : open_list(r, &key))) return false;
    }
    if (!r->graph_line) return scan_fail(&r->scan, "the file ends before \"graph [\"");
    return r->place == PLACE_TOP ||
           scan_fail(&r->scan, "the file ends in a list: expected ']' (the graph begins in line "
                               "%llu)", (unsigned long long)r->graph_line);
}

static bool gml_finish(GmlReader *r)
{
    const VertexName *missing = vertex_names_undeclared(&r->names);
    if (missing) {
        char text[96];
        uint64_t id;
        memcpy(&id, r->names.bytes + missing->at, sizeof id);
        r->item_line = missing->line;
        snprintf(text, sizeof text, "no node has the id %llu: expected the id of a node",
                 (unsigned long long)id);
        return fail_item(r, text);
    }
    if (!r->names.declared)
        return hd_fail_at(r->build->err, r->scan.file, 0, 0,
                          "the graph is empty: it has no vertices");
    vertex_names_number(&r->names, r->list);
    r->list->mirrored = !r->directed;
    return true;
}

bool read_gml(Input *in, EdgeList *list, GraphBuild *build)
{
    GmlReader r = {.list = list, .build = build};
    r.scan = scan_start(&r.source, in, build, LONGEST);
    r.names = (VertexNames){.build = build, .file = r.scan.file};
    bool ok = gml_keys(&r) && gml_finish(&r);
    scan_free(&r.scan);
    vertex_names_free(&r.names);
    return ok;
}
