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
                         const void *source, double expected, GraphBuild *build)
{
    enum { STEP = 1024 }; // vertices between two reports of progress
    if (!build_check_graph(build, vertices, expected)) return NULL;
    HdGraph *graph = graph_new(vertices, build);
    if (!graph) return NULL;
    for (uint32_t v = 0; v < vertices; v++) {
        graph->row[v + 1] = graph->row[v] + row(source, v, NULL);
        if (v % STEP == 0) graph_progress(build, "generating", v / 2, vertices);
    }
    if (!graph_allocate_edges(graph, graph->row[vertices], HD_WEIGHTS_NONE, build)) {
        build_drop(build, graph);
        return NULL;
    }
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t *heads = graph->column + graph->row[v];
        size_t degree = (size_t)row(source, v, heads);
        qsort(heads, degree, sizeof *heads, ascending);
        if (v % STEP == 0) graph_progress(build, "generating", ((uint64_t)vertices + v) / 2,
                                          vertices);
    }
    graph->directed = false;
    graph_finish(graph);
    return graph;
}

HdGraph *graph_sorted(HdGraph *graph, GraphBuild *build)
{
    Transpose transpose;
    if (!transpose_make(graph, false, &transpose, build)) {
        build_drop(build, graph);
        return NULL;
    }
    // Visiting the transposed graph in order of its vertices fills each row in ascending order.
    for (uint32_t head = 0; head < graph->vertices; head++)
        for (uint64_t i = transpose.row[head]; i < transpose.row[head + 1]; i++)
            graph->column[graph->row[transpose.tail[i]]++] = head;
    offsets_rewind(graph->row, graph->vertices);
    transpose_free(&transpose, build);
    graph_finish(graph);
    return graph;
}

HdGraph *graph_from_mirrored(uint32_t vertices, const ArcStream *stream, GraphBuild *build)
{
    HdGraph *graph = graph_from_stream(vertices, HD_WEIGHTS_NONE, stream, build);
    if (!graph) return NULL;
    graph->directed = false;
    return graph_sorted(graph, build);
}
