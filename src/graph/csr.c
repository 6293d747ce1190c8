// Makes graphs: memory, names, the content hash, and the stable counting sort that builds the rows.
#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "graph/graph_internal.h"

#include <stdlib.h>
#include <string.h>

HdGraph *graph_new(uint32_t vertices, HdError *err)
{
    HdGraph *graph = hd_new(1, sizeof *graph);
    if (graph) graph->row = hd_new((size_t)vertices + 1, sizeof *graph->row);
    if (!graph || !graph->row) {
        hd_graph_free(graph);
        hd_fail(err, "out of memory for a graph of %u vertices", vertices);
        return NULL;
    }
    graph->vertices = vertices;
    graph->directed = true;
    return graph;
}

bool graph_allocate_edges(HdGraph *graph, uint64_t edges, HdWeightKind weights, HdError *err)
{
    graph->edges = edges;
    graph->weight_kind = weights;
    graph->column = hd_new(edges, sizeof *graph->column);
    bool ok = graph->column != NULL;
    if (ok && edges <= INT32_MAX) {
        graph->row32 = hd_new((size_t)graph->vertices + 1, sizeof *graph->row32);
        ok = graph->row32 != NULL;
    }
    if (weights == HD_WEIGHTS_INT) graph->int_weights = hd_new(edges, sizeof(int32_t));
    if (weights == HD_WEIGHTS_REAL) graph->real_weights = hd_new(edges, sizeof(float));
    if (ok && (weights == HD_WEIGHTS_NONE || graph_weights(graph))) return true;
    return hd_fail(err, "out of memory for a graph of %u vertices and %llu edges",
                   graph->vertices, (unsigned long long)edges);
}

void hd_graph_free(HdGraph *graph)
{
    if (!graph) return;
    free(graph->row);
    free(graph->row32);
    free(graph->column);
    free(graph->int_weights);
    free(graph->real_weights);
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

void graph_replace(HdGraph *graph, HdGraph *made)
{
    HdGraph old = *graph;
    *graph = *made;
    memcpy(graph->name, old.name, sizeof graph->name);
    graph->directed = old.directed;
    graph->dropped = old.dropped;
    *made = old;
    hd_graph_free(made);
}

void graph_progress(const HdGraphOptions *options, const char *what, uint64_t done, uint64_t total)
{
    if (options && options->progress) options->progress(options->user, what, done, total);
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

HdGraph *graph_from_stream(uint32_t vertices, HdWeightKind weights, const ArcStream *stream,
                           const HdGraphOptions *options, HdError *err)
{
    HdGraph *graph = graph_new(vertices, err);
    if (!graph) return NULL;
    Arc arcs[ARC_BATCH];
    uint64_t edges = 0, cursor = 0;
    bool ok = !stream->edges || graph_allocate_edges(graph, stream->edges, weights, err);
    for (size_t n; ok && (n = stream->next(stream->source, &cursor, arcs)) > 0; edges += n) {
        for (size_t i = 0; i < n; i++) graph->row[(size_t)arcs[i].from + 1]++;
        graph_progress(options, stream->what, cursor / 2, stream->last);
    }
    if (!ok || (!stream->edges && !graph_allocate_edges(graph, edges, weights, err))) {
        hd_graph_free(graph);
        return NULL;
    }
    counts_to_offsets(graph->row, vertices);
    char *weight_bits = graph_weights(graph);
    cursor = 0;
    for (size_t n; (n = stream->next(stream->source, &cursor, arcs)) > 0;) {
        for (size_t i = 0; i < n; i++) {
            uint64_t at = graph->row[arcs[i].from]++;
            graph->column[at] = arcs[i].to;
            if (weight_bits)
                memcpy(weight_bits + at * sizeof arcs[i].weight, &arcs[i].weight,
                       sizeof arcs[i].weight);
        }
        graph_progress(options, stream->what, (stream->last + cursor) / 2, stream->last);
    }
    offsets_rewind(graph->row, vertices);
    graph_finish(graph);
    return graph;
}

void edge_list_free(EdgeList *list)
{
    free(list->edges);
    free(list->weights);
    *list = (EdgeList){0};
}

bool edge_list_add(EdgeList *list, uint32_t from, uint32_t to, uint32_t weight)
{
    if (!hd_reserve(&list->edges, list->count, &list->edges_capacity, sizeof *list->edges))
        return false;
    if (list->weight_kind != HD_WEIGHTS_NONE) {
        if (!hd_reserve(&list->weights, list->count, &list->weights_capacity,
                        sizeof *list->weights))
            return false;
        list->weights[list->count] = weight;
    }
    list->edges[list->count++] = (HdEdge){from, to};
    return true;
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

HdGraph *graph_from_list(const EdgeList *list, const HdGraphOptions *options, HdError *err)
{
    ArcStream stream = {list_next, list, list->count, 0, "sorting edges"};
    HdGraph *graph = graph_from_stream(list->vertices, list->weight_kind, &stream, options, err);
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
    HdGraph *graph = graph_from_list(&list, NULL, err);
    if (graph) graph_set_name(graph, name);
    return graph;
}
