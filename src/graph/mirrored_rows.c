// Builds undirected graphs with ascending rows from rows or arcs in any order.
#include "graph/graph_internal.h"

#include <stdlib.h>

// Comparison for qsort.
static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

HdGraph *graph_from_rows(uint32_t vertices,
                         uint64_t (*row)(const void *source, uint32_t v, uint32_t *heads),
                         const void *source, const HdGraphOptions *options, HdError *err)
{
    enum { STEP = 1024 }; // vertices between two reports of progress
    HdGraph *graph = graph_new(vertices, err);
    if (!graph) return NULL;
    for (uint32_t v = 0; v < vertices; v++) {
        graph->row[v + 1] = graph->row[v] + row(source, v, NULL);
        if (v % STEP == 0) graph_progress(options, "generating", v / 2, vertices);
    }
    if (!graph_allocate_edges(graph, graph->row[vertices], HD_WEIGHTS_NONE, err)) {
        hd_graph_free(graph);
        return NULL;
    }
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t *heads = graph->column + graph->row[v];
        size_t degree = (size_t)row(source, v, heads);
        qsort(heads, degree, sizeof *heads, ascending);
        if (v % STEP == 0) graph_progress(options, "generating", ((uint64_t)vertices + v) / 2,
                                          vertices);
    }
    graph->directed = false;
    graph_finish(graph);
    return graph;
}

HdGraph *graph_sorted(HdGraph *graph, HdError *err)
{
    Transpose transpose;
    if (!transpose_make(graph, false, &transpose, err)) {
        hd_graph_free(graph);
        return NULL;
    }
    // Visiting the transposed graph in order of its vertices fills each row in ascending order.
    for (uint32_t head = 0; head < graph->vertices; head++)
        for (uint64_t i = transpose.row[head]; i < transpose.row[head + 1]; i++)
            graph->column[graph->row[transpose.tail[i]]++] = head;
    offsets_rewind(graph->row, graph->vertices);
    transpose_free(&transpose);
    graph_finish(graph);
    return graph;
}

HdGraph *graph_from_mirrored(uint32_t vertices, const ArcStream *stream,
                             const HdGraphOptions *options, HdError *err)
{
    HdGraph *graph = graph_from_stream(vertices, HD_WEIGHTS_NONE, stream, options, err);
    if (!graph) return NULL;
    graph->directed = false;
    return graph_sorted(graph, err);
}
