// Which format the first bytes of a file tell. Texts whose first line may also be an edge between
// names need more than their first word.
#include "base/text.h"
#include "graph/graph_internal.h"

#include <string.h>

// How texts begin. Upper and lower case are equal. A newline: the line ends behind the word.
static const struct {
    const char *start, *format;
} starts[] = {
    {"%%MatrixMarket", "mtx"},
    {"AdjacencyGraph\n", "adj"},
    {"WeightedAdjacencyGraph\n", "adj"},
    {"<?xml", "graphml"},
    {"<graphml", "graphml"},
    {"*Vertices", "net"},
    {"*Network", "net"},
};

// The problems of the DIMACS challenges and the endings of their formats.
static const struct {
    const char *word, *format;
} problems[] = {
    {"sp", "gr"},   {"edge", "col"}, {"col", "col"},  {"max", "max"},
    {"min", "min"}, {"asn", "asn"},  {"cnf", "cnf"},  {"wcnf", "cnf"},
};
enum { STARTS = sizeof starts / sizeof *starts, PROBLEMS = sizeof problems / sizeof *problems };

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t\r\n"); }
static const char *skip_columns(const char *text) { return text + strspn(text, " \t"); }

// The text behind the word and the blanks that follow, or `text`.
static const char *skip_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    if (!text_same_letters(text, word, length) || text_is_alphanumeric(text[length])) return text;
    return skip_blanks(text + length);
}

static bool begins(const char *text, const char *start)
{
    size_t length = strcspn(start, "\n");
    if (!text_same_letters(text, start, length)) return false;
    text = skip_columns(text + length);
    return !start[length] || *text == '\n' || (*text == '\r' && text[1] == '\n');
}

// Rodinia's graphs begin with a line of one number, then "0 DEGREE".
static bool is_rodinia(const char *text)
{
    const char *p = text;
    while (text_is_digit(*p)) p++;
    if (p == text) return false;
    if (*p == '\r') p++;
    return p[0] == '\n' && p[1] == '0' && p[2] == ' ' && text_is_digit(p[3]);
}

// The text behind `end` and the blanks that follow; its end if there is none.
static const char *skip_behind(const char *text, const char *end)
{
    size_t length = strlen(end);
    const char *p = strchr(text, *end); // ASan's strstr reads all of the text
    while (p && strncmp(p, end, length) != 0) p = strchr(p + 1, *end);
    return p ? skip_blanks(p + length) : text + strlen(text);
}

// The first element of an XML text, behind its declarations and comments.
static const char *xml_root(const char *text)
{
    while (strncmp(text, "<?", 2) == 0 || strncmp(text, "<!", 2) == 0)
        text = skip_behind(text, strncmp(text, "<!--", 4) == 0 ? "-->" : ">");
    return text;
}

// The text behind DIMACS's comments, "c TEXT".
static const char *skip_dimacs_comments(const char *text)
{
    while (text[0] == 'c' && (text_is_blank(text[1]) || !text[1])) text = skip_behind(text, "\n");
    return text;
}

// The text behind the comments of lists, GML and Pajek, and of DOT, which are those of C and C++.
static const char *skip_comments(const char *text)
{
    for (;;) {
        if (*text == '#' || *text == '%' || strncmp(text, "//", 2) == 0)
            text = skip_behind(text, "\n");
        else if (strncmp(text, "/*", 2) == 0) text = skip_behind(text + 2, "*/");
        else return text;
    }
}

// The format of the problem line "p WORD NUMBER NUMBER" behind comments; or NULL.
static const char *dimacs_format(const char *text)
{
    text = skip_dimacs_comments(text);
    if (text[0] != 'p' || !strchr(" \t", text[1])) return NULL;
    const char *word = skip_columns(text + 1), *end = word + strcspn(word, " \t\r\n");
    const char *p = skip_columns(end);
    if (!text_is_digit(*p)) return NULL;
    p += strcspn(p, " \t\r\n");
    if (!text_is_digit(*skip_columns(p))) return NULL;
    size_t length = (size_t)(end - word);
    for (int i = 0; i < PROBLEMS; i++)
        if (strlen(problems[i].word) == length && memcmp(problems[i].word, word, length) == 0)
            return problems[i].format;
    return NULL;
}

// Whether GML's keys begin, the first of which is Creator.
static bool is_creator(const char *text) { return begins(text, "Creator \""); }

// GML's "graph [", behind lines of other keys if the first is Creator; or NULL.
static const char *gml_graph(const char *text)
{
    for (bool creator = is_creator(text);;) {
        const char *p = skip_word(text, "graph");
        if (p > text && *p == '[' && (text_is_blank(p[1]) || !p[1])) return text;
        if (!creator || !*text) return NULL;
        text = skip_behind(text, "\n");
    }
}

// The text behind the quotation marks that begin it, or NULL if they do not end in the line.
static const char *skip_string(const char *text)
{
    char mark = *text++;
    for (; *text != mark; text++) {
        text += *text == '\\';
        if (!*text || *text == '\n') return NULL;
    }
    return text + 1;
}

// The text behind a value of a dictionary of Python or JSON, or NULL: a string, a number, a word of
// these languages, or anything in brackets.
static const char *skip_value(const char *text)
{
    static const char *const words[] = {"true", "false", "none", "null", "nan", "inf", "infinity"};
    int depth = 0;
    if (*text == '"' || *text == '\'') return skip_string(text);
    if (text_is_digit(*text) || strchr("+-.", *text))
        return *text ? text + strspn(text, "+-.0123456789eE") : NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (text_same_letters(text, words[i], length) && !text_is_alphanumeric(text[length]))
            return text + length;
    }
    if (!strchr("[({", *text)) return NULL;
    do {
        if (*text == '"' || *text == '\'') {
            text = skip_string(text);
            if (!text) return NULL;
            continue;
        }
        if (!*text || *text == '\n') return NULL;
        depth += (strchr("[({", *text) != NULL) - (strchr("])}", *text) != NULL);
        text++;
    } while (depth);
    return text;
}

// Whether a brace begins a dictionary, which networkx writes behind an edge: "{}", "{'weight': 3}",
// "{"weight": 3}". In DOT, a port may follow a name in quotation marks: "{"a":north -> "b"}".
static bool is_dictionary(const char *brace)
{
    if (brace[1] == '}' || brace[1] == '\'') return true;
    const char *p = brace;
    do {
        p = skip_columns(p + 1);
        if (*p != '"' && *p != '\'') return false;
        p = skip_string(p);
        p = p ? skip_columns(p) : "";
        if (*p != ':') return false;
        p = skip_value(skip_columns(p + 1));
        p = p ? skip_columns(p) : "";
    } while (*p == ',');
    return *p == '}';
}

// "strict digraph NAME {", but not the edge "graph NAME {}" of networkx.
static bool is_dot(const char *text)
{
    const char *word = skip_word(text, "strict"), *p = skip_word(word, "digraph");
    if (p == word) p = skip_word(word, "graph");
    if (p == word) return false;
    if (*p == '"') p += 1 + strcspn(p + 1, "\"");
    while (*p && *p != '{' && !strchr(" \t\r\n", *p)) p++;
    p = skip_blanks(p);
    return *p == '{' && !is_dictionary(p);
}

const char *format_by_start(const char *text, size_t size, const UnreadFormat **unread)
{
    const char *bytes = text;
    text = skip_blanks(text);
    const char *body = skip_comments(text), *root = xml_root(text);
    const char *format = is_dot(body) ? "dot" : dimacs_format(text);
    *unread = format ? unread_by_ending(format)
                     : unread_by_start(*root ? root : text, bytes, size);
    if (*unread) return NULL;
    if (format) return format;
    if (is_rodinia(text)) return "rodinia";
    if (gml_graph(body)) return "gml";
    if (strncmp(bytes, "HDGRAPH\n", 8) == 0) return "hdg";
    const char *const places[] = {text, body, root};
    for (int i = 0; i < STARTS; i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (begins(places[k], starts[i].start)) return starts[i].format;
    return NULL;
}

const char *skip_to_content(const char *text)
{
    text = skip_blanks(text);
    if (*text == '<') return xml_root(text);
    text = skip_comments(skip_dimacs_comments(text));
    const char *graph = is_creator(text) ? gml_graph(text) : text;
    return graph ? graph : text + strlen(text);
}
