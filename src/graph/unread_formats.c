// The formats that are not read: their endings and first bytes, and what to bring instead.
#include "base/text.h"
#include "graph/graph_internal.h"

#include <string.h>

enum { ENDINGS = 7, TEXTS = 3, MAGICS = 4 };

// Bytes at an offset of a file. They include one that no text has: names may begin with the rest.
typedef struct Magic {
    const char *bytes;
    size_t size, at;
} Magic;
#define MAGIC_AT(offset, text) {text, sizeof text - 1, offset}
#define MAGIC(text) MAGIC_AT(0, text)

// The endings are those of files, without the dot and in lower case. Upper and lower case of the
// first texts are equal.
static const struct {
    const char *endings[ENDINGS], *texts[TEXTS];
    Magic magics[MAGICS];
    UnreadFormat format;
} unread[] = {
    {{"gexf"}, {"<gexf"}, {},
     {"GEXF", "GraphML, which Gephi exports and networkx writes by write_graphml"}},
    {{"json", "jsonl", "json5"}, {"{", "["}, {},
     {"JSON", "GraphML or a list of edges, which networkx writes by write_graphml or "
              "write_edgelist"}},
    {{"dot", "gv"}, {}, {}, {"Graphviz's DOT", "GML, which Graphviz's gv2gml writes"}},
    {{"lgl"}, {}, {},
     {"LGL", "a list of edges, which igraph writes as its format edgelist or ncol"}},
    {{"adjlist", "multiline_adjlist"}, {}, {},
     {"networkx's adjacency list", "a list of edges, which networkx writes by write_edgelist"}},
    {{"gpickle", "pickle", "pkl"}, {},
     {MAGIC("\x80\x02"), MAGIC("\x80\x03"), MAGIC("\x80\x04"), MAGIC("\x80\x05")},
     {"Python's pickle", "a list of edges, which networkx writes by write_edgelist"}},
    {{"npz", "npy"}, {},
     {MAGIC("\x93NUMPY\x01"), MAGIC("\x93NUMPY\x02"), MAGIC("\x93NUMPY\x03")},
     {"NumPy's array", "Matrix Market, which SciPy writes by scipy.io.mmwrite"}},
    {{"mat"}, {}, {MAGIC_AT(124, "\0\1IM"), MAGIC_AT(124, "\1\0MI"), MAGIC_AT(124, "\0\2IM")},
     {"MATLAB's MAT file", "Matrix Market, which SciPy writes by scipy.io.mmwrite"}},
    {{"h5", "hdf5", "h5ad"}, {}, {MAGIC("\x89HDF\r\n\x1a\n")},
     {"HDF5", "Matrix Market, which SciPy writes by scipy.io.mmwrite"}},
    {{"pt", "pth"}, {}, {},
     {"PyTorch's file", "a list of edges, which numpy.savetxt(file, edge_index.T, '%d') writes"}},
    {{"parquet"}, {}, {MAGIC("PAR1\x15")},
     {"Apache Parquet", "CSV, which pandas writes by to_csv(file, index=False)"}},
    {{"feather", "arrow"}, {}, {MAGIC("ARROW1\0\0")},
     {"Apache Arrow", "CSV, which pandas writes by to_csv(file, index=False)"}},
    {{"xlsx", "xls", "ods"}, {}, {}, {"a spreadsheet", "CSV, which the spreadsheet exports"}},
    {{"g6", "s6", "d6", "graph6", "sparse6", "digraph6"},
     {">>graph6<<", ">>sparse6<<", ">>digraph6<<"}, {},
     {"nauty's graph6", "a list of edges, which networkx writes by write_edgelist"}},
    {{"rb", "rua", "rsa", "pua", "psa", "hb"}, {}, {},
     {"Rutherford-Boeing", "Matrix Market, in which the SuiteSparse collection has each matrix"}},
    {{"gdf"}, {"nodedef>"}, {}, {"GUESS's GDF", "GraphML, which Gephi exports"}},
    {{"sif", "xgmml"}, {"<graph "}, {},
     {"Cytoscape's SIF or XGMML", "GraphML, which Cytoscape exports"}},
    {{"dl"}, {}, {}, {"UCINET's DL", ".net, which Pajek writes"}},
    {{"gt"}, {}, {MAGIC("\xe2\x9b\xbe gt\x01")},
     {"graph-tool's format", "GraphML, which graph-tool saves"}},
    {{"max", "min", "asn"}, {}, {},
     {"DIMACS's format of flows and assignments", ".gr, whose problem line is \"p sp VERTICES "
                                                  "ARCS\""}},
    {{"cnf"}, {}, {},
     {"DIMACS's format of formulas", "a graph, such as .gr or .col of the DIMACS challenges"}},
    {{"nodes", "labels", "node_labels"}, {}, {},
     {"a table of vertices", "the file with the edges"}},
    {{"html", "htm"}, {"<!DOCTYPE html", "<html"}, {},
     {"a page of the web", "the file for which the page has a link"}},
    {{}, {"version https://git-lfs"}, {},
     {"a pointer of Git LFS", "the file, which git lfs pull brings"}},
    {{"tar", "tgz", "tbz2", "txz", "tzst", "zip", "7z"}, {},
     {MAGIC("PK\x03\x04"), MAGIC("7z\xbc\xaf\x27\x1c"), MAGIC_AT(256, "\0ustar")},
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

// Whether the text begins so, and a word does not go on.
static bool begins(const char *text, const char *start)
{
    size_t length = strlen(start);
    return text_same_letters(text, start, length) &&
           !(text_is_alphanumeric(start[length - 1]) && text_is_alphanumeric(text[length]));
}

const UnreadFormat *unread_by_start(const char *text, const char *bytes, size_t size)
{
    for (int i = 0; i < UNREAD; i++) {
        for (int k = 0; k < TEXTS && unread[i].texts[k]; k++)
            if (begins(text, unread[i].texts[k])) return &unread[i].format;
        for (int k = 0; k < MAGICS && unread[i].magics[k].size; k++) {
            const Magic *magic = &unread[i].magics[k];
            if (size >= magic->at + magic->size &&
                memcmp(bytes + magic->at, magic->bytes, magic->size) == 0)
                return &unread[i].format;
        }
    }
    return NULL;
}
