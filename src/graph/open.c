// Opens a graph: finds the reader or generator for a spec.
#include "base/fail.h"
#include "base/input.h"
#include "base/text.h"
#include "graph/formats.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    START_BYTES = 4096, // bytes that tell a format, behind comments and blank lines
    START_MOST = 1 << 20, // bytes with them
};

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
        graph->second = list.second;
        graph->names = list.names;
        list.ids = NULL;
        list.names = (HdNames){0};
    }
    edge_list_free(&list, build);
    return graph;
}

// Copies the ending of the path, in lower case, without .gz and its like; "" without one.
static const char *lower_ending(const char *path, char ending[FORMAT_NAME])
{
    const char *base = base_name(path), *end = base + packed_length(base), *dot;
    size_t n = 0;
    dot = memrchr(base, '.', (size_t)(end - base));
    for (; dot && dot + n + 1 < end && n + 1 < FORMAT_NAME; n++)
        ending[n] = text_lower(dot[n + 1]);
    ending[n] = 0;
    return ending;
}

// What --format does with a file whose lines may be edges.
static const char *const list_advice[] = {
    [LIST_NONE] = "",
    [LIST_NUMBERS] = "; --format txt reads lines of numbers, as this file has, as edges",
    [LIST_NAMES] = "; --format txt reads lines of words, as this file has, as edges between names",
    [LIST_COMMENTS] = "; --format txt reads a list of edges behind comments, as this file has",
    [LIST_COLONS] = "; '::' between columns is not read (sed 's/::/,/g' makes commas)",
};

static bool fail_format(const char *name, ListStart lines, HdError *err)
{
    char names[GRAPH_FORMAT_NAMES], ending[FORMAT_NAME];
    const char *near = !lines && *lower_ending(name, ending) ? nearest_format(ending) : NULL;
    graph_format_names(names, true);
    return hd_fail(err, "%s: unknown graph format: expected a file named %s, each also with .gz, "
                        ".zst, .bz2 or .xz, or --format%s%s%s", name, names,
                   near ? "; the nearest format is ." : "", near ? near : "", list_advice[lines]);
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
        hd_fail(err, *spec ? "%s: no such file" : "'%s': expected a graph's file or a generator",
                spec);
    return NULL;
}

// The first bytes of a file, behind a byte order mark. A zero byte follows them.
typedef struct FileStart {
    const char *text;
    size_t size;
    bool whole; // the file ends with them
} FileStart;

// Takes START_BYTES behind the comments and blank lines at the start, if the file has as many and
// they are among the first START_MOST.
static bool read_start(Input *in, FileStart *start, HdError *err)
{
    static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};
    for (size_t size = START_BYTES, got;; size *= 2) {
        const char *bytes = input_peek(in, size, &got, err);
        if (!bytes) return false;
        bool marked = got >= sizeof byte_order_mark &&
                      memcmp(bytes, byte_order_mark, sizeof byte_order_mark) == 0;
        size_t mark = marked ? sizeof byte_order_mark : 0;
        *start = (FileStart){bytes + mark, got - mark, got < size};
        const char *content = skip_to_content(start->text);
        if (start->whole || size >= START_MOST || bytes + got - content >= START_BYTES) return true;
    }
}

// A file whose name tells no format that is read may be a list of edges: its first lines decide.
static const Format *format_of_lines(const char *name, const FileStart *start, GraphBuild *build)
{
    uint64_t line;
    uint32_t columns;
    char ending[FORMAT_NAME];
    ListStart lines = list_start(start->text, start->size, start->whole, &line, &columns);
    const UnreadFormat *unread = unread_by_ending(lower_ending(name, ending));
    if (unread) {
        hd_fail(build->err, "%s: %s is not read: expected %s%s", name, unread->name,
                unread->expected, lines == LIST_NUMBERS ? list_advice[lines] : "");
        return NULL;
    }
    if (lines != LIST_NUMBERS) {
        fail_format(name, lines, build->err);
        return NULL;
    }
    graph_note(build, name, line, "read as a list of edges, as --format txt does, because the name "
               "tells no format and the first lines have %u columns", columns);
    return format_named("txt");
}

// The ending of a list of edges says little: many files of other formats have one.
static const Format *choose_format(const char *name, Input *in, GraphBuild *build)
{
    const Format *named = format_of(name, build->options);
    const UnreadFormat *unread;
    FileStart start;
    bool given = build->options && build->options->format;
    if (given || (named && !format_is_list(named))) return named;
    if (!read_start(in, &start, build->err)) return NULL;
    const char *found = format_by_start(start.text, start.size, &unread);
    if (found) return format_named(found);
    if (unread) {
        hd_fail(build->err, "%s: %s is not read: expected %s", name, unread->name,
                unread->expected);
        return NULL;
    }
    return named ? named : format_of_lines(name, &start, build);
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
