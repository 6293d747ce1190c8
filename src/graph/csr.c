// Makes graphs: memory, names, the content hash, and the stable counting sort that builds the rows.
#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "graph/graph_internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ----

GraphBuild build_start(const HdGraphOptions *options, const char *task, HdError *err)
{
    return (GraphBuild){.options = options, .err = err,
                        .memory = budget_start(options ? options->max_memory : 0, task, err)};
}

GraphBuild build_unlimited(HdError *err)
{
    return (GraphBuild){.memory = {.limit = UINT64_MAX, .task = "the graph", .err = err},
                        .err = err};
}

bool build_check_graph(GraphBuild *build, uint64_t vertices, double edges)
{
    uint64_t offset = edges <= INT32_MAX ? 8 + 4 : 8; // row, and row32 if it is made
    double bytes = (double)offset * ((double)vertices + 1) + 4 * edges;
    if (bytes > 0x1p100) bytes = 0x1p100; // fits the integer below
    return budget_check(&build->memory, (unsigned __int128)bytes,
                        "%s: %llu vertices and %.0f edges", build->memory.task,
                        (unsigned long long)vertices, edges);
}

HdGraph *graph_new_empty(uint32_t vertices, GraphBuild *build)
{
    HdGraph *graph = build_new(build, 1, sizeof *graph, "a graph");
    if (!graph) return NULL;
    graph->vertices = vertices;
    graph->directed = true;
    return graph;
}

HdGraph *graph_new(uint32_t vertices, GraphBuild *build)
{
    HdGraph *graph = graph_new_empty(vertices, build);
    if (!graph) return NULL;
    graph->row = build_new(build, (uint64_t)vertices + 1, sizeof *graph->row,
                            "the row offsets");
    if (graph->row) return graph;
    build_drop(build, graph);
    return NULL;
}

bool graph_add_row32(HdGraph *graph, GraphBuild *build)
{
    if (graph->edges > INT32_MAX) return true;
    graph->row32 = build_new(build, (uint64_t)graph->vertices + 1, sizeof *graph->row32,
                              "the row offsets of a device");
    return graph->row32 != NULL;
}

bool graph_end_growth(HdGraph *graph, ArrayRoom *room, uint64_t edges, bool weighted,
                      GraphBuild *build)
{
    MemoryBudget *memory = &build->memory;
    size_t most = edges ? edges : 1;
    graph->edges = edges;
    graph->weight_kind = weighted ? HD_WEIGHTS_INT : HD_WEIGHTS_NONE;
    return budget_resize(memory, &graph->row, &room->rows, (size_t)graph->vertices + 1,
                         sizeof *graph->row, "the row offsets") &&
           budget_resize(memory, &graph->column, &room->columns, most, sizeof *graph->column,
                         "the columns") &&
           (!weighted || budget_resize(memory, &graph->int_weights, &room->weights, most,
                                       sizeof *graph->int_weights, "the weights")) &&
           graph_add_row32(graph, build);
}

bool graph_allocate_edges(HdGraph *graph, uint64_t edges, HdWeightKind weights, GraphBuild *build)
{
    static const char weights_name[] = "the weights";
    graph->edges = edges;
    graph->weight_kind = weights;
    graph->column = build_new(build, edges, sizeof *graph->column, "the columns");
    if (!graph->column || !graph_add_row32(graph, build)) return false;
    if (weights == HD_WEIGHTS_INT)
        graph->int_weights = build_new(build, edges, sizeof(int32_t), weights_name);
    if (weights == HD_WEIGHTS_REAL)
        graph->real_weights = build_new(build, edges, sizeof(float), weights_name);
    return weights == HD_WEIGHTS_NONE || graph_weights(graph);
}

void build_drop(GraphBuild *build, HdGraph *graph)
{
    if (!graph) return;
    build_free(build, graph->row);
    build_free(build, graph->row32);
    build_free(build, graph->column);
    build_free(build, graph->int_weights);
    build_free(build, graph->real_weights);
    build_free(build, graph->ids);
    build_free(build, graph->names.text);
    build_free(build, graph->names.start);
    build_free(build, graph);
}

void hd_graph_free(HdGraph *graph)
{
    if (!graph) return;
    free(graph->row);
    free(graph->row32);
    free(graph->column);
    free(graph->int_weights);
    free(graph->real_weights);
    free(graph->ids);
    free(graph->names.text);
    free(graph->names.start);
    free(graph);
}

void *graph_weights(const HdGraph *graph)
{
    return graph->int_weights ? (void *)graph->int_weights : (void *)graph->real_weights;
}

void graph_set_name(HdGraph *graph, const char *name)
{
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof graph->name; n++)
        graph->name[n] = name[n] >= ' ' && name[n] <= '~' ? name[n] : '_';
    memset(graph->name + n, 0, sizeof graph->name - n);
}

void graph_finish(HdGraph *graph)
{
    size_t offsets = (size_t)graph->vertices + 1;
    if (graph->row32)
        for (size_t v = 0; v < offsets; v++) graph->row32[v] = (uint32_t)graph->row[v];
    uint64_t sizes[3] = {graph->vertices, graph->edges, graph->weight_kind};
    uint64_t h = hash_bytes(HASH_START, sizes, sizeof sizes);
    h = hash_bytes(h, graph->row, offsets * sizeof *graph->row);
    h = hash_bytes(h, graph->column, graph->edges * sizeof *graph->column);
    if (graph->weight_kind != HD_WEIGHTS_NONE)
        h = hash_bytes(h, graph_weights(graph), graph->edges * sizeof(int32_t));
    graph->hash = h;
}

void graph_replace(HdGraph *graph, HdGraph *made, GraphBuild *build)
{
    HdGraph old = *graph;
    *graph = *made;
    memcpy(graph->name, old.name, sizeof graph->name);
    graph->directed = old.directed;
    graph->dropped = old.dropped;
    graph->second = old.second;
    graph->names = old.names;
    old.names = (HdNames){0};
    if (!graph->ids) { // the vertices are the same
        graph->ids = old.ids;
        old.ids = NULL;
    }
    *made = old;
    build_drop(build, made);
}

void graph_progress(const GraphBuild *build, const char *what, uint64_t done, uint64_t total)
{
    const HdGraphOptions *options = build->options;
    if (options && options->progress) options->progress(options->user, what, done, total);
}

void graph_note(const GraphBuild *build, const char *file, uint64_t line, const char *format, ...)
{
    const HdGraphOptions *options = build->options;
    if (!options || !options->note) return;
    HdError note = {0}; // a place and a text, as of an error
    char text[HD_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    number_format_list(text, sizeof text, format, args);
    va_end(args);
    hd_fail_at(&note, file, line < INT_MAX ? (int)line : INT_MAX, 0, "%s", text);
    options->note(options->user, note.text);
}

void counts_to_offsets(uint64_t *counts, uint32_t vertices)
{
    for (size_t v = 0; v < vertices; v++) counts[v + 1] += counts[v];
}

void offsets_rewind(uint64_t *offsets, uint32_t vertices)
{
    memmove(offsets + 1, offsets, (size_t)vertices * sizeof *offsets);
    offsets[0] = 0;
}

// Puts arcs behind those of the same vertex, whose place is graph->row.
static void place_arcs(HdGraph *graph, const Arc *arcs, size_t count)
{
    char *weight_bits = graph_weights(graph);
    for (size_t i = 0; i < count; i++) {
        uint64_t at = graph->row[arcs[i].from]++;
        graph->column[at] = arcs[i].to;
        if (weight_bits)
            memcpy(weight_bits + at * sizeof arcs[i].weight, &arcs[i].weight,
                   sizeof arcs[i].weight);
    }
}

// Counts the arcs of all vertices, then makes the arcs again and places them. The first ones are
// kept, because making them takes longest in small graphs.
HdGraph *graph_from_stream(uint32_t vertices, HdWeightKind weights, const ArcStream *stream,
                           GraphBuild *build)
{
    enum { KEPT = 128 * ARC_BATCH };
    double expected = stream->edges ? (double)stream->edges : stream->expected;
    if (!build_check_graph(build, vertices, expected)) return NULL;
    HdGraph *graph = graph_new(vertices, build);
    if (!graph) return NULL;
    Arc own[ARC_BATCH], *kept = hd_new(KEPT, sizeof *kept); // NULL: none is kept
    size_t kept_count = 0, room = kept ? KEPT : 0;
    uint64_t edges = 0, cursor = 0, kept_end = 0,
             most = build->memory.limit / sizeof *graph->column;
    bool ok = !stream->edges || graph_allocate_edges(graph, stream->edges, weights, build);
    while (ok) {
        bool keeps = edges == kept_count && room - kept_count >= ARC_BATCH;
        Arc *batch = keeps ? kept + kept_count : own;
        size_t count = stream->next(stream->source, &cursor, batch);
        if (!count) break;
        for (size_t i = 0; i < count; i++) graph->row[(size_t)batch[i].from + 1]++;
        edges += count;
        if (keeps) {
            kept_count += count;
            kept_end = cursor;
        }
        graph_progress(build, stream->what, cursor / 2, stream->last);
        // More can be counted than there can be memory for.
        ok = edges <= most || build_check_graph(build, vertices, (double)edges);
    }
    if (!ok || (!stream->edges && !graph_allocate_edges(graph, edges, weights, build))) {
        free(kept);
        build_drop(build, graph);
        return NULL;
    }
    counts_to_offsets(graph->row, vertices);
    cursor = kept_end;
    const Arc *arcs = kept;
    size_t n = kept_count;
    do {
        place_arcs(graph, arcs, n);
        graph_progress(build, stream->what, (stream->last + cursor) / 2, stream->last);
        arcs = own;
        n = stream->next(stream->source, &cursor, own);
    } while (n);
    free(kept);
    offsets_rewind(graph->row, vertices);
    graph_finish(graph);
    return graph;
}

// The cursor counts edges of the list.
static size_t list_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const EdgeList *list = source;
    size_t n = 0;
    for (; *cursor < list->count && n + 2 <= ARC_BATCH; ++*cursor) {
        HdEdge e = list->edges[*cursor];
        uint32_t weight = list->weights ? list->weights[*cursor] : 0;
        arcs[n++] = (Arc){e.from, e.to, weight};
        if (list->mirrored && e.from != e.to) arcs[n++] = (Arc){e.to, e.from, weight};
    }
    return n;
}

HdGraph *graph_from_list(const EdgeList *list, GraphBuild *build)
{
    ArcStream stream = {.next = list_next, .source = list, .last = list->count,
                        .what = "sorting edges"};
    HdGraph *graph = graph_from_stream(list->vertices, list->weight_kind, &stream, build);
    if (graph) graph->directed = !list->mirrored;
    return graph;
}

HdGraph *hd_graph_build(const char *name, uint32_t vertices, const HdEdge *edges, uint64_t count,
                        HdError *err)
{
    if (vertices == 0) {
        hd_fail(err, "%s: a graph needs at least one vertex", name);
        return NULL;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (edges[i].from < vertices && edges[i].to < vertices) continue;
        hd_fail(err, "%s: edge %llu is %u->%u: expected vertices 0 to %u", name,
                (unsigned long long)i, edges[i].from, edges[i].to, vertices - 1);
        return NULL;
    }
    // The list borrows the caller's edges for reading and is not freed.
    EdgeList list = {.vertices = vertices, .edges = (HdEdge *)(uintptr_t)edges, .count = count};
    GraphBuild build = build_unlimited(err);
    HdGraph *graph = graph_from_list(&list, &build);
    if (graph) graph_set_name(graph, name);
    return graph;
}
