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
    const char *ending;
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
    {".graph", NULL, read_metis},
    {".sg", NULL, read_gap},
    {".wsg", NULL, read_gap_weighted},
    {".hdg", NULL, cache_read},
};
enum { FORMATS = sizeof formats / sizeof *formats };
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

static const Format *format_by_ending(const char *path)
{
    size_t length = packed_length(path);
    for (size_t i = 0; i < FORMATS; i++) {
        const char *ending = formats[i].ending;
        size_t end = strlen(ending);
        if (length > end && text_same_letters(path + length - end, ending, end)) return &formats[i];
    }
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

const char *graph_format(const char *name, bool *list)
{
    const Format *format = format_named(name);
    *list = format && (format->edges == read_edge_list || format->edges == read_edges_with_ids ||
                       format->edges == read_csv);
    return format ? format->ending + 1 : NULL;
}

void graph_format_names(char *text, size_t size, const char *before)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < FORMATS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s",
                                 !i ? "" : i + 1 < FORMATS ? ", " : " or ", before,
                                 formats[i].ending + 1);
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
    return memchr(start, 0, got) ? read_galois(in, build) : read_edges(read_dimacs, in, build);
}

static HdGraph *fail_unknown(const char *spec, HdError *err)
{
    struct stat st;
    const char *near = nearest_generator(spec);
    char names[256];
    generator_names(names, sizeof names);
    if (stat(spec, &st) == 0) {
        graph_format_names(names, sizeof names, ".");
        hd_fail(err, "%s: unknown graph format: expected a file named %s, each also with .gz, "
                     ".zst, .bz2 or .xz, or --format", spec, names);
    } else if (strchr(spec, ':'))
        hd_fail(err, "%s: no such file, and no such generator: expected one of %s%s%s%s", spec,
                names, near ? "; did you mean '" : "", near ? near : "", near ? ":'?" : "");
    else
        hd_fail(err, "%s: no such file", spec);
    return NULL;
}

// Reads a graph whose file has this name, and frees the input.
static HdGraph *open_input(const char *name, Input *in, GraphBuild *build)
{
    const Format *format = format_of(name, build->options);
    if (!in) return NULL;
    input_limit(in, &build->memory);
    build->format = format->ending + 1;
    HdGraph *graph = format->edges ? read_edges(format->edges, in, build)
                                   : format->graph(in, build);
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
    if (!format_of(name, options)) return fail_unknown(name, err);
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
    if (!generator && !format_of(spec, options)) return fail_unknown(spec, err);
    GraphBuild build = build_start(options, spec, err);
    HdGraph *graph = generator ? generate(spec, &build)
                               : open_input(spec, input_open(spec, err), &build);
    if (generator && graph) graph_set_name(graph, spec);
    return change(graph, &build);
}
