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
    {".mtx", read_mtx, NULL},         {".txt", read_edge_list, NULL},
    {".el", read_edge_list, NULL},    {".edges", read_edge_list, NULL},
    {".csv", read_csv, NULL},         {".gr", NULL, open_gr},
    {".graph", NULL, read_metis},     {".sg", NULL, read_gap},
    {".wsg", NULL, read_gap_weighted}, {".hdg", NULL, cache_read},
};
static const char *const packings[] = {".gz", ".zst"};

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

static const Format *format_of(const char *path, const HdGraphOptions *options)
{
    const char *name = options ? options->format : NULL;
    size_t length = packed_length(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *ending = formats[i].ending;
        size_t end = strlen(ending);
        if (name ? strcmp(name, ending + 1) == 0
                 : length > end && text_same_letters(path + length - end, ending, end))
            return &formats[i];
    }
    return NULL;
}

const char *graph_format(const char *name)
{
    const Format *format = format_of("", &(HdGraphOptions){.format = name});
    return format ? format->ending + 1 : NULL;
}

// Names the graph after the file, without folder, compression and format ending.
static void name_after_path(HdGraph *graph, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
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
    if (stat(spec, &st) == 0)
        hd_fail(err, "%s: unknown graph format: expected a file named .mtx, .txt, .el, .edges, "
                     ".csv, .gr, .graph, .sg, .wsg or .hdg, each also with .gz or .zst, or "
                     "--format", spec);
    else if (strchr(spec, ':'))
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
