// Opens a graph: finds the reader or generator for a spec.
#include "base/fail.h"
#include "base/input.h"
#include "base/text.h"
#include "graph/graph_internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// A file ending and its reader: of the edges, or of the graph.
typedef struct Format {
    const char ending[12];
    EdgeReader *edges;
    GraphReader *graph;
} Format;

static GraphReader open_gr;

static const Format formats[] = {
    {".mtx", read_mtx, NULL},
    {".txt", read_edge_list, NULL},
    {".el", read_edges_with_ids, NULL},
    {".wel", read_edges_with_ids, NULL},
    {".edges", read_edge_list, NULL},
    {".edgelist", read_edge_list, NULL},
    {".csv", read_csv, NULL},
    {".tsv", read_csv, NULL},
    {".gr", NULL, open_gr},
    {".col", NULL, read_dimacs},
    {".clq", NULL, read_dimacs},
    {".graph", NULL, read_metis},
    {".sg", NULL, read_gap},
    {".wsg", NULL, read_gap_weighted},
    {".egr", NULL, read_ecl},
    {".adj", NULL, read_ligra},
    {".graphml", read_graphml, NULL},
    {".gml", read_gml, NULL},
    {".net", read_pajek, NULL},
    {".rodinia", read_rodinia, NULL},
    {".hdg", NULL, cache_read},
};

// How texts begin whose format their first bytes tell. Upper and lower case are equal.
static const struct {
    const char *start, *format;
} starts[] = {
    {"%%MatrixMarket", "mtx"},
    {"c ", "gr"},
    {"p sp ", "gr"},
    {"p edge ", "col"},
    {"p col ", "col"},
    {"AdjacencyGraph", "adj"},
    {"WeightedAdjacencyGraph", "adj"},
    {"<?xml", "graphml"},
    {"<graphml", "graphml"},
    {"graph [", "gml"},
    {"graph\n[", "gml"},
    {"Creator \"", "gml"},
    {"*Vertices", "net"},
    {"*Network", "net"},
    {"HDGRAPH", "hdg"},
};

// Names of formats that are not read, or have another name here, and the format that is nearest.
static const struct {
    const char *name, *format;
} others[] = {
    {"snap", "txt"},     {"ncol", "txt"},     {"lgl", "txt"},    {"mm", "mtx"},
    {"mat", "mtx"},      {"npz", "mtx"},      {"rb", "mtx"},     {"dimacs", "gr"},
    {"galois", "gr"},    {"metis", "graph"},  {"chaco", "graph"}, {"gap", "sg"},
    {"ecl", "egr"},      {"ligra", "adj"},    {"gbbs", "adj"},   {"pbbs", "adj"},
    {"adjlist", "adj"},  {"gexf", "graphml"}, {"xgmml", "graphml"}, {"xml", "graphml"},
    {"json", "graphml"}, {"dot", "gml"},      {"gv", "gml"},     {"pajek", "net"},
    {"paj", "net"},      {"dl", "net"},
};
// Of files that contain files, graphs among them.
static const char *const archives[] = {".tar", ".tgz", ".tbz2", ".txz", ".tzst", ".zip", ".7z"};
enum {
    FORMATS = sizeof formats / sizeof *formats,
    OTHERS = sizeof others / sizeof *others,
    ARCHIVES = sizeof archives / sizeof *archives,
    LONGEST_NAME = 32, // bytes of a name that is near to a format, and a zero
};
_Static_assert(FORMATS * (sizeof formats->ending + sizeof " or ") <= GRAPH_FORMAT_NAMES,
               "room for the names of all formats");
static const char *const packings[] = {".gz", ".zst", ".bz2", ".xz"};

bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && text_same_letters(text + length - end, ending, end);
}

// The length of the path without the ending of a compression format.
static size_t packed_length(const char *path)
{
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (ends_in(path, packings[i])) return strlen(path) - strlen(packings[i]);
    return strlen(path);
}

static const Format *format_named(const char *name)
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

static const Format *format_by_ending(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (has_ending(path, formats[i].ending)) return &formats[i];
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// KONECT names the lists of edges in its archives "out.NAME".
static const char konect_start[] = "out.";

static bool is_konect(const char *path)
{
    return strncmp(base_name(path), konect_start, sizeof konect_start - 1) == 0 &&
           !format_by_ending(path);
}

static const Format *format_of(const char *path, const HdGraphOptions *options)
{
    if (options && options->format) return format_named(options->format);
    return is_konect(path) ? format_named("txt") : format_by_ending(path);
}

static bool is_list(const Format *format)
{
    return format && (format->edges == read_edge_list || format->edges == read_edges_with_ids ||
                      format->edges == read_csv);
}

const char *graph_format(const char *name, bool *list)
{
    const Format *format = format_named(name);
    *list = is_list(format);
    return format ? format->ending + 1 : NULL;
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
    char lower[LONGEST_NAME] = "";
    for (size_t i = 0; word[i] && i + 1 < sizeof lower; i++) lower[i] = text_lower(word[i]);
    for (int i = 0; i < FORMATS; i++) names[i] = formats[i].ending + 1;
    for (int i = 0; i < OTHERS; i++) names[FORMATS + i] = others[i].name;
    const char *near = hd_nearest(lower, names, FORMATS + OTHERS);
    for (int i = 0; near && i < OTHERS; i++)
        if (strcmp(near, others[i].name) == 0) return others[i].format;
    return near;
}

// Names the graph after the file, without folder, compression and format ending.
static void name_after_path(HdGraph *graph, const char *path)
{
    const char *base = base_name(path);
    if (is_konect(path)) base += sizeof konect_start - 1;
    char name[HD_GRAPH_NAME];
    snprintf(name, sizeof name, "%.*s", (int)packed_length(base), base);
    char *dot = strrchr(name, '.');
    if (dot && dot > name) *dot = 0;
    graph_set_name(graph, name);
}

static HdGraph *read_edges(EdgeReader *read, Input *in, GraphBuild *build)
{
    EdgeList list = {0};
    HdGraph *graph = read(in, &list, build) ? graph_from_list(&list, build) : NULL;
    if (graph) {
        graph->ids = list.ids;
        list.ids = NULL;
    }
    edge_list_free(&list, build);
    return graph;
}

// .gr is DIMACS text or Galois binary. A Galois file begins with a version below 256 in 8 bytes, so
// seven of them are zero.
static HdGraph *open_gr(Input *in, GraphBuild *build)
{
    char start[8];
    size_t got = input_peek(in, start, sizeof start, build->err);
    if (got == INPUT_ERROR) return NULL;
    return (memchr(start, 0, got) ? read_galois : read_dimacs)(in, build);
}

static HdGraph *fail_format(const char *name, HdError *err)
{
    char names[GRAPH_FORMAT_NAMES], word[LONGEST_NAME];
    const char *base = base_name(name);
    const char *end = base + packed_length(base), *near = NULL;
    for (int i = 0; i < ARCHIVES; i++) {
        if (!has_ending(name, archives[i])) continue;
        hd_fail(err, "%s: an archive of files: expected a graph (unpack it first)", name);
        return NULL;
    }
    const char *dot = memrchr(base, '.', (size_t)(end - base));
    if (dot) {
        snprintf(word, sizeof word, "%.*s", (int)(end - dot - 1), dot + 1);
        near = nearest_format(word);
    }
    graph_format_names(names, true);
    hd_fail(err, "%s: unknown graph format: expected a file named %s, each also with .gz, .zst, "
                 ".bz2 or .xz, or --format%s%s", name, names,
            near ? "; the nearest format is ." : "", near ? near : "");
    return NULL;
}

static HdGraph *fail_missing(const char *spec, HdError *err)
{
    const char *near = nearest_generator(spec);
    char names[256];
    generator_names(names, sizeof names);
    if (strchr(spec, ':'))
        hd_fail(err, "%s: no such file, and no such generator: expected one of %s%s%s%s", spec,
                names, near ? "; did you mean '" : "", near ? near : "", near ? ":'?" : "");
    else
        hd_fail(err, "%s: no such file", spec);
    return NULL;
}

// Rodinia's graphs begin with a line of one number, then "0 DEGREE". The number has at most 10
// digits, so INPUT_PEEK bytes show both.
static bool is_rodinia(const char *text)
{
    const char *p = text;
    while (text_is_digit(*p)) p++;
    if (p == text) return false;
    if (*p == '\r') p++;
    return p[0] == '\n' && p[1] == '0' && p[2] == ' ' && text_is_digit(p[3]);
}

// The format of a file whose first bytes tell it, or NULL. Sets *failed if they cannot be read.
static const Format *format_by_start(Input *in, bool *failed, HdError *err)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'}; // a byte order mark
    enum { SHOWN = INPUT_PEEK - sizeof mark };
    char bytes[INPUT_PEEK + 1], *text = bytes;
    size_t got = input_peek(in, bytes, INPUT_PEEK, err);
    *failed = got == INPUT_ERROR;
    if (*failed) return NULL;
    bytes[got] = 0;
    if (got >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0) text += sizeof mark;
    if (is_rodinia(text)) return format_named("rodinia");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t length = strlen(starts[i].start);
        if (text_same_letters(text, starts[i].start, length < SHOWN ? length : SHOWN))
            return format_named(starts[i].format);
    }
    return NULL;
}

// The ending of a list of edges says little: many files of other formats have one.
static const Format *choose_format(const char *name, Input *in, GraphBuild *build)
{
    const Format *named = format_of(name, build->options), *found;
    bool given = build->options && build->options->format, failed;
    if (given || (named && !is_list(named)))
        return named;
    found = format_by_start(in, &failed, build->err);
    if (!found && !failed && !named) fail_format(name, build->err);
    return found || failed ? found : named;
}

// Reads a graph whose file has this name, and frees the input.
static HdGraph *open_input(const char *name, Input *in, GraphBuild *build)
{
    HdGraph *graph = NULL;
    if (!in) return NULL;
    input_limit(in, &build->memory);
    const Format *format = choose_format(name, in, build);
    if (format) {
        build->format = format->ending + 1;
        graph = format->edges ? read_edges(format->edges, in, build) : format->graph(in, build);
    }
    input_close(in);
    if (graph && !*graph->name) name_after_path(graph, name); // a cache file contains the name
    return graph;
}

static HdGraph *change(HdGraph *graph, GraphBuild *build)
{
    if (!graph || !build->options || graph_apply_options(graph, build->options, build))
        return graph;
    build_drop(build, graph);
    return NULL;
}

HdGraph *graph_open_bytes(const char *name, const void *bytes, size_t size,
                          const HdGraphOptions *options, HdError *err)
{
    GraphBuild build = build_start(options, name, err);
    Input *in = input_open_bytes(name, bytes, size, err);
    return change(open_input(name, in, &build), &build);
}

HdGraph *hd_graph_open(const char *spec, const HdGraphOptions *options, HdError *err)
{
    bool generator = is_generator_spec(spec);
    if (generator && options && options->format) {
        hd_fail(err, "%s: --format %s: expected with a file, not with a generator", spec,
                options->format);
        return NULL;
    }
    struct stat st;
    if (!generator && !format_of(spec, options) && stat(spec, &st) != 0)
        return fail_missing(spec, err);
    GraphBuild build = build_start(options, spec, err);
    HdGraph *graph = generator ? generate(spec, &build)
                               : open_input(spec, input_open(spec, err), &build);
    if (generator && graph) graph_set_name(graph, spec);
    return change(graph, &build);
}
