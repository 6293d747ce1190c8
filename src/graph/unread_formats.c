// The formats that are not read: their endings and first bytes, and what to bring instead.
#include "base/text.h"
#include "graph/graph_internal.h"

#include <string.h>

enum { ENDINGS = 7, STARTS = 4 };

// The names are those of files, without the dot and in lower case. Upper and lower case of the
// first bytes are equal.
static const struct {
    const char *endings[ENDINGS], *starts[STARTS];
    UnreadFormat format;
} unread[] = {
    {{"gexf"}, {"<gexf"},
     {"GEXF", "GraphML, which Gephi exports and networkx writes by write_graphml"}},
    {{"json", "jsonl", "json5"}, {"{", "["},
     {"JSON", "GraphML or a list of edges, which networkx writes by write_graphml or "
              "write_edgelist"}},
    {{"dot", "gv"}, {NULL}, {"Graphviz's DOT", "GML, which Graphviz's gv2gml writes"}},
    {{"lgl"}, {NULL},
     {"LGL", "a list of edges, which igraph writes as its format edgelist or ncol"}},
    {{"adjlist", "multiline_adjlist"}, {NULL},
     {"networkx's adjacency list", "a list of edges, which networkx writes by write_edgelist"}},
    {{"gpickle", "pickle", "pkl"}, {"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"},
     {"Python's pickle", "a list of edges, which networkx writes by write_edgelist"}},
    {{"npz", "npy"}, {"\x93NUMPY"},
     {"NumPy's array", "Matrix Market, which SciPy writes by scipy.io.mmwrite"}},
    {{"mat"}, {"MATLAB 5.0 MAT"},
     {"MATLAB's MAT file", "Matrix Market, which SciPy writes by scipy.io.mmwrite"}},
    {{"h5", "hdf5", "h5ad"}, {"\x89HDF"},
     {"HDF5", "Matrix Market, which SciPy writes by scipy.io.mmwrite"}},
    {{"pt", "pth"}, {NULL},
     {"PyTorch's file", "a list of edges, which numpy.savetxt(file, edge_index.T, '%d') writes"}},
    {{"parquet"}, {"PAR1"},
     {"Apache Parquet", "CSV, which pandas writes by to_csv(file, index=False)"}},
    {{"feather", "arrow"}, {"ARROW1"},
     {"Apache Arrow", "CSV, which pandas writes by to_csv(file, index=False)"}},
    {{"xlsx", "xls", "ods"}, {NULL}, {"a spreadsheet", "CSV, which the spreadsheet exports"}},
    {{"g6", "s6", "d6", "graph6", "sparse6", "digraph6"},
     {">>graph6<<", ">>sparse6<<", ">>digraph6<<"},
     {"nauty's graph6", "a list of edges, which networkx writes by write_edgelist"}},
    {{"rb", "rua", "rsa", "pua", "psa", "hb"}, {NULL},
     {"Rutherford-Boeing", "Matrix Market, in which the SuiteSparse collection has each matrix"}},
    {{"gdf"}, {"nodedef>"}, {"GUESS's GDF", "GraphML, which Gephi exports"}},
    {{"sif", "xgmml"}, {"<graph "}, {"Cytoscape's SIF or XGMML", "GraphML, which Cytoscape "
                                                                  "exports"}},
    {{"dl"}, {NULL}, {"UCINET's DL", ".net, which Pajek writes"}},
    {{"gt"}, {"\xe2\x9b\xbe gt"}, {"graph-tool's format", "GraphML, which graph-tool saves"}},
    {{"nodes", "labels", "node_labels"}, {NULL},
     {"a table of vertices", "the file with the edges"}},
    {{"html", "htm"}, {"<!DOCTYPE html", "<html"},
     {"a page of the web", "the file for which the page has a link"}},
    {{NULL}, {"version https://git-lfs"},
     {"a pointer of Git LFS", "the file, which git lfs pull brings"}},
    {{"tar", "tgz", "tbz2", "txz", "tzst", "zip", "7z"}, {"PK\x03\x04", "7z\xbc\xaf"},
     {"an archive of files", "a graph (unpack it first)"}},
};
enum { UNREAD = sizeof unread / sizeof *unread };

const UnreadFormat *unread_by_ending(const char *ending)
{
    for (int i = 0; i < UNREAD; i++)
        for (int k = 0; k < ENDINGS && unread[i].endings[k]; k++)
            if (strcmp(ending, unread[i].endings[k]) == 0) return &unread[i].format;
    return NULL;
}

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t\r\n"); }

// The text behind the word and the blanks that follow, or `text`.
static const char *skip_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    if (!text_same_letters(text, word, length) || text_is_alphanumeric(text[length])) return text;
    return skip_blanks(text + length);
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

// "strict digraph NAME {", but not the edge "graph NAME {}" of networkx.
static bool is_dot(const char *text)
{
    text = skip_comments(text);
    const char *word = skip_word(text, "strict"), *p = skip_word(word, "digraph");
    if (p == word) p = skip_word(word, "graph");
    if (p == word) return false;
    if (*p == '"') p += 1 + strcspn(p + 1, "\"");
    while (*p && *p != '{' && !strchr(" \t\r\n", *p)) p++;
    p = skip_blanks(p);
    return *p == '{' && p[1] != '}' && p[1] != '\'';
}

const UnreadFormat *unread_by_start(const char *text)
{
    text = skip_blanks(text);
    if (is_dot(text)) return unread_by_ending("dot");
    for (int i = 0; i < UNREAD; i++)
        for (int k = 0; k < STARTS && unread[i].starts[k]; k++)
            if (text_same_letters(text, unread[i].starts[k], strlen(unread[i].starts[k])))
                return &unread[i].format;
    return NULL;
}
