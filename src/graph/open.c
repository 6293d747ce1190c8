// Opens a graph: finds the reader or generator for a spec.
#include "base/fail.h"
#include "base/file.h"
#include "base/input.h"
#include "base/text.h"
#include "graph/graph_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A file ending and its reader: `text` or `whole`.
typedef struct Format {
    const char *ending;
    TextReader *text;
    GraphReader *whole;
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

static const Format *format_of(const char *path)
{
    size_t length = packed_length(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t end = strlen(formats[i].ending);
        if (length > end && text_same_letters(path + length - end, formats[i].ending, end))
            return &formats[i];
    }
    return NULL;
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

static HdGraph *open_text(const char *path, TextReader *read, const HdGraphOptions *options,
                          HdError *err)
{
    size_t size;
    char *text = file_read(path, &size, err);
    if (!text) return NULL;
    EdgeList list = {0};
    bool ok = read(path, text, size, options, &list, err);
    free(text); // before building the rows, to lower the peak memory
    HdGraph *graph = ok ? graph_from_list(&list, options, err) : NULL;
    edge_list_free(&list);
    return graph;
}

// .gr is DIMACS text or Galois binary. A Galois file begins with a version below 256 in 8 bytes, so
// seven of them are zero.
static HdGraph *open_gr(const char *path, const HdGraphOptions *options, HdError *err)
{
    char start[8];
    Input *in = input_open(path, err);
    size_t got = in ? input_read(in, start, sizeof start, err) : INPUT_ERROR;
    input_close(in);
    if (got == INPUT_ERROR) return NULL;
    if (memchr(start, 0, got)) return read_galois(path, options, err);
    return open_text(path, read_dimacs, options, err);
}

static HdGraph *fail_unknown(const char *spec, HdError *err)
{
    struct stat st;
    const char *near = nearest_generator(spec);
    char names[256];
    generator_names(names, sizeof names);
    if (stat(spec, &st) == 0)
        hd_fail(err, "%s: unknown graph format: expected a file named .mtx, .txt, .el, .edges, "
                     ".csv, .gr, .graph, .sg, .wsg or .hdg, each also with .gz or .zst",
                spec);
    else if (strchr(spec, ':'))
        hd_fail(err, "%s: no such file, and no such generator: expected one of %s%s%s%s", spec,
                names, near ? "; did you mean '" : "", near ? near : "", near ? ":'?" : "");
    else
        hd_fail(err, "%s: no such file", spec);
    return NULL;
}

HdGraph *hd_graph_open(const char *spec, const HdGraphOptions *options, HdError *err)
{
    const Format *format = format_of(spec);
    HdGraph *graph;
    if (is_generator_spec(spec)) {
        graph = generate(spec, options, err);
        if (graph) graph_set_name(graph, spec);
    } else if (!format) {
        return fail_unknown(spec, err);
    } else {
        graph = format->text ? open_text(spec, format->text, options, err)
                             : format->whole(spec, options, err);
        if (graph && !*graph->name) name_after_path(graph, spec); // a cache file contains the name
    }
    if (!graph || !options || graph_apply_options(graph, options, err)) return graph;
    hd_graph_free(graph);
    return NULL;
}
