// Opens a graph: recognises what a name means, and hands it to the reader or generator.
#include "base/file.h"
#include "graph/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef bool TextReader(const char *path, const char *text, size_t size,
                        const HdGraphOptions *options, EdgeList *list, HdError *err);

typedef struct TextFormat {
    const char *ending;
    TextReader *read;
} TextFormat;

static const TextFormat text_formats[] = {
    {".mtx", read_mtx},           {".mtx.gz", read_mtx},
    {".txt", read_edge_list},     {".txt.gz", read_edge_list},
    {".el", read_edge_list},      {".el.gz", read_edge_list},
    {".edges", read_edge_list},   {".edges.gz", read_edge_list},
};

bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcasecmp(text + length - end, ending) == 0;
}

// The file's name without folder, compression and format.
static void name_after_path(HdGraph *graph, const char *path)
{
    const char *slash = strrchr(path, '/');
    char name[HD_GRAPH_NAME];
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    if (ends_in(name, ".gz")) name[strlen(name) - strlen(".gz")] = 0;
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
    free(text); // before the rows are built: both together would be the peak of memory
    HdGraph *graph = ok ? graph_from_list(&list, options, err) : NULL;
    edge_list_free(&list);
    if (graph) name_after_path(graph, path);
    return graph;
}

static HdGraph *fail_unknown(const char *spec, HdError *err)
{
    struct stat st;
    const char *near = nearest_generator(spec);
    char names[256];
    generator_names(names, sizeof names);
    if (stat(spec, &st) == 0)
        hd_fail(err, "%s: the format cannot be told from the name: a graph is .mtx, .txt, .el or "
                     ".edges (each also .gz), .hdg or .hdg.zst", spec);
    else if (strchr(spec, ':'))
        hd_fail(err, "%s: no such file, and no such generator%s%s%s: generators are %s",
                spec, near ? ", perhaps '" : "", near ? near : "", near ? ":' is meant" : "",
                names);
    else
        hd_fail(err, "%s: no such file", spec);
    return NULL;
}

static HdGraph *open_any(const char *spec, const HdGraphOptions *options, HdError *err)
{
    if (is_generator_spec(spec)) {
        HdGraph *graph = generate(spec, options, err);
        if (graph) graph_set_name(graph, spec);
        return graph;
    }
    for (size_t i = 0; i < sizeof text_formats / sizeof *text_formats; i++)
        if (ends_in(spec, text_formats[i].ending))
            return open_text(spec, text_formats[i].read, options, err);
    if (ends_in(spec, ".hdg")) return cache_read(spec, false, err);
    if (ends_in(spec, ".hdg.zst")) return cache_read(spec, true, err);
    return fail_unknown(spec, err);
}

HdGraph *hd_graph_open(const char *spec, const HdGraphOptions *options, HdError *err)
{
    HdGraph *graph = open_any(spec, options, err);
    if (!graph || !options || graph_apply_options(graph, options, err)) return graph;
    hd_graph_free(graph);
    return NULL;
}
