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

// The first element of an XML text, behind its declarations and comments; else the text.
static const char *xml_root(const char *text)
{
    const char *p = text;
    while (p && (strncmp(p, "<?", 2) == 0 || strncmp(p, "<!", 2) == 0)) {
        p = strncmp(p, "<!--", 4) == 0 ? strstr(p, "-->") : strchr(p, '>');
        if (p) p += strcspn(p, ">") + 1, p += strspn(p, " \t\r\n");
    }
    return p && *p ? p : text;
}

// The format of the problem line "p WORD NUMBER NUMBER" behind comments "c TEXT"; or NULL.
static const char *dimacs_format(const char *text)
{
    while (text[0] == 'c' && (text_is_blank(text[1]) || !text[1]))
        text = skip_blanks(text + strcspn(text, "\n"));
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

// GML: "graph [", behind lines of other keys if the first is Creator.
static bool is_gml(const char *text)
{
    for (bool creator = begins(text, "Creator \"");;) {
        const char *p = skip_word(text, "graph");
        if (p > text && *p == '[' && (text_is_blank(p[1]) || !p[1])) return true;
        text = strchr(text, '\n');
        if (!creator || !text) return false;
        text = skip_blanks(text);
    }
}

// The text behind DOT's comments, which are those of C and C++.
static const char *skip_comments(const char *text)
{
    const char *end = text;
    while (end && (strncmp(text, "//", 2) == 0 || strncmp(text, "/*", 2) == 0)) {
        end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
        if (end) text = skip_blanks(end + (text[1] == '/' ? 1 : 2));
    }
    return text;
}

// Whether a brace begins a dictionary, which networkx writes behind an edge: "{}", "{'weight': 3}",
// "{"weight": 3}".
static bool is_dictionary(const char *brace)
{
    if (brace[1] == '}' || brace[1] == '\'') return true;
    const char *p = skip_columns(brace + 1);
    if (*p != '"') return false;
    p += 1 + strcspn(p + 1, "\"\n");
    return *p == '"' && *skip_columns(p + 1) == ':';
}

// "strict digraph NAME {", but not the edge "graph NAME {}" of networkx.
static bool is_dot(const char *text)
{
    text = skip_comments(skip_blanks(text));
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
    const char *format = is_dot(text) ? "dot" : dimacs_format(text);
    *unread = format ? unread_by_ending(format) : unread_by_start(xml_root(text), text, size);
    if (*unread) return NULL;
    if (format) return format;
    if (is_rodinia(text)) return "rodinia";
    if (is_gml(text)) return "gml";
    if (strncmp(text, "HDGRAPH\n", 8) == 0) return "hdg";
    for (int i = 0; i < STARTS; i++)
        if (begins(text, starts[i].start)) return starts[i].format;
    return NULL;
}
