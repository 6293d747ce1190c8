// The formats of graph files: endings, names, readers, and what `heddle graph formats` says.
#include "graph/formats.h"

#include "base/fail.h"
#include "base/input.h"
#include "base/text.h"

#include <string.h>

// .gr is DIMACS text or Galois binary. A Galois file begins with a version below 256 in 8 bytes, so
// seven of them are zero.
static HdGraph *read_gr(Input *in, GraphBuild *build)
{
    size_t got;
    const char *start = input_peek(in, sizeof(uint64_t), &got, build->err);
    if (!start) return NULL;
    return (memchr(start, 0, got) ? read_galois : read_dimacs)(in, build);
}

static const char mtx_text[] =
    "Matrix Market: coordinate; pattern, integer or real; general or symmetric. A symmetric entry "
    "off the diagonal is an edge in each direction. Weights: the values.";
static const char list_text[] =
    "List of edges, as SNAP, KONECT, networkx, igraph, Gephi and tables have it: a line \"from to "
    "[weight]\" per edge, also with commas, semicolons or tabs; the first line may have names of "
    "columns. Ids are any 64-bit numbers, or names; vertices are numbered from 0 in ascending "
    "order of id. Weights: a column.";
static const char ids_text[] =
    "List of edges, as the GAP benchmark suite has it: an id is the number of its vertex. "
    "Weights: a column.";
static const char gr_text[] =
    "9th DIMACS challenge (road networks): 'p sp VERTICES ARCS', then a line 'a FROM TO WEIGHT' "
    "per directed edge, ids from 1; c starts comments. Or Galois, binary, versions 1 and 2, which "
    "the first bytes tell. Weights: the fourth field; Galois's edge data of 4 or 8 bytes, as "
    "signed integers, because the file does not say what they are.";
static const char col_text[] =
    "2nd DIMACS challenge (colouring and cliques), undirected: 'p edge VERTICES EDGES' or 'p col "
    "...', then a line 'e ONE OTHER' per edge, ids from 1; lines c, n, d, v and x are ignored. If "
    "the file lists both directions of every edge, each line is one direction. EDGES may be twice "
    "the number of lines. A .gr with such a problem line is read in the same way. No weights.";
static const char metis_text[] =
    "METIS and 10th DIMACS challenge: 'VERTICES EDGES [FMT [NCON]]', then a line per vertex with "
    "its neighbours, from 1; % starts comments. Vertex sizes and vertex weights are ignored. "
    "Weights: with the neighbours, where FMT says so.";
static const char gap_text[] =
    "GAP benchmark suite, serialised, binary: 32-bit ids. Weights: .wsg has 32-bit integers with "
    "the neighbours, .sg none.";
static const char ecl_text[] =
    "ECL and Indigo (Texas State University), binary: 32-bit counts, row offsets, columns. Columns "
    "behind the last row are no edges. Weights: integers, if the file goes on.";
static const char ligra_text[] =
    "Ligra, GBBS and PBBS, the text: AdjacencyGraph or WeightedAdjacencyGraph, the numbers of "
    "vertices and edges, the offset of each vertex, then the edges, ids from 0. Weights: integers "
    "behind the edges.";
static const char graphml_text[] =
    "GraphML: one graph; edgedefault and the directed of an edge say what is directed. Weights: "
    "the data of the keys of edges named weight or, if there is none, value, or their default. "
    "Nested graphs and hyperedges are errors, and so are declarations in the document type.";
static const char gml_text[] =
    "GML: one graph, 'directed 1' or undirected. Weights: an edge's weight, or else its value.";
static const char pajek_text[] =
    "Pajek: *Vertices, then *Arcs, *Edges, *Arcslist, *Edgeslist or *Matrix. All relations are "
    "read. Weights: the third column or the matrix.";
static const char rodinia_text[] =
    "The text graphs of Rodinia's breadth-first search, which are named .txt: the number of "
    "vertices; 'FIRST DEGREE' of each vertex; the source, which is not used; the number of edges; "
    "a line 'TO WEIGHT' per edge, ids from 0.";
static const char cache_text[] =
    "Heddle's cache: read at the disk's speed. Weights: as they were.";

static const Format formats[] = {
    {".mtx", read_mtx, NULL, mtx_text},
    {".txt", read_edge_list, NULL, list_text},
    {".el", read_edges_with_ids, NULL, ids_text},
    {".wel", read_edges_with_ids, NULL, ids_text},
    {".edges", read_edge_list, NULL, list_text},
    {".edgelist", read_edge_list, NULL, list_text},
    {".ncol", read_edge_list, NULL, list_text},
    {".csv", read_csv, NULL, list_text},
    {".tsv", read_csv, NULL, list_text},
    {".gr", NULL, read_gr, gr_text},
    {".col", NULL, read_dimacs, col_text},
    {".clq", NULL, read_dimacs, col_text},
    {".graph", NULL, read_metis, metis_text},
    {".sg", NULL, read_gap, gap_text},
    {".wsg", NULL, read_gap_weighted, gap_text},
    {".egr", NULL, read_ecl, ecl_text},
    {".adj", NULL, read_ligra, ligra_text},
    {".graphml", read_graphml, NULL, graphml_text},
    {".gml", read_gml, NULL, gml_text},
    {".net", read_pajek, NULL, pajek_text},
    {".rodinia", read_rodinia, NULL, rodinia_text},
    {".hdg", NULL, cache_read, cache_text},
};

// Other names of formats that are read.
static const struct {
    const char *name, *format;
} others[] = {
    {"snap", "txt"},  {"konect", "txt"}, {"mm", "mtx"},     {"dimacs", "gr"}, {"galois", "gr"},
    {"metis", "graph"}, {"chaco", "graph"}, {"gap", "sg"},  {"ecl", "egr"},   {"ligra", "adj"},
    {"gbbs", "adj"},  {"pbbs", "adj"},   {"xml", "graphml"}, {"pajek", "net"}, {"paj", "net"},
};
enum {
    FORMATS = sizeof formats / sizeof *formats,
    OTHERS = sizeof others / sizeof *others,
};
_Static_assert(FORMATS * (sizeof formats->ending + sizeof " or ") <= GRAPH_FORMAT_NAMES,
               "room for the names of all formats");
_Static_assert(FORMATS * (sizeof formats->ending + 1) <= HD_GRAPH_KIND_NAME,
               "room for the endings of a format");
static const char *const packings[] = {".gz", ".zst", ".bz2", ".xz"};

bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && text_same_letters(text + length - end, ending, end);
}

size_t packed_length(const char *path)
{
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (ends_in(path, packings[i])) return strlen(path) - strlen(packings[i]);
    return strlen(path);
}

const Format *format_named(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(name, formats[i].ending + 1) == 0) return &formats[i];
    return NULL;
}

// Whether the path ends so, but for the ending of a compression format.
static bool has_ending(const char *path, const char *ending)
{
    size_t length = packed_length(path), end = strlen(ending);
    return length > end && text_same_letters(path + length - end, ending, end);
}

const Format *format_by_ending(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (has_ending(path, formats[i].ending)) return &formats[i];
    return NULL;
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool format_is_list(const Format *format)
{
    return format && (format->edges == read_edge_list || format->edges == read_edges_with_ids ||
                      format->edges == read_csv);
}

const char *graph_format(const char *name, bool *list)
{
    const Format *format = format_named(name);
    *list = format_is_list(format);
    return format ? format->ending + 1 : NULL;
}

bool graph_keeps_ids(const char *name)
{
    return format_named(name)->edges == read_edges_with_ids;
}

void graph_format_names(char text[GRAPH_FORMAT_NAMES], bool endings)
{
    for (int i = 0; i < FORMATS; i++) {
        text = stpcpy(text, !i ? "" : i + 1 < FORMATS ? ", " : " or ");
        text = stpcpy(text, formats[i].ending + !endings);
    }
}

const char *nearest_format(const char *word)
{
    const char *names[FORMATS + OTHERS];
    char lower[FORMAT_NAME] = "";
    for (size_t i = 0; word[i] && i + 1 < sizeof lower; i++) lower[i] = text_lower(word[i]);
    for (int i = 0; i < FORMATS; i++) names[i] = formats[i].ending + 1;
    for (int i = 0; i < OTHERS; i++) names[FORMATS + i] = others[i].name;
    const char *near = hd_nearest(lower, names, FORMATS + OTHERS);
    for (int i = 0; near && i < OTHERS; i++)
        if (strcmp(near, others[i].name) == 0) return others[i].format;
    return near;
}

bool hd_graph_format(int index, HdGraphKind *kind)
{
    *kind = (HdGraphKind){0};
    char *end = kind->name;
    for (int i = 0, groups = 0; i < FORMATS && groups <= index; i++) {
        int first = 0;
        while (formats[first].text != formats[i].text) first++;
        if (first == i && groups++ == index) kind->text = formats[i].text;
    }
    for (int i = 0; kind->text && i < FORMATS; i++) {
        if (formats[i].text != kind->text) continue;
        if (end > kind->name) *end++ = ' ';
        end = stpcpy(end, formats[i].ending);
    }
    return kind->text;
}
