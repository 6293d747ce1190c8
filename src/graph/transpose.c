// Transposes graphs, and makes them symmetric.
#include "graph/graph_internal.h"

#include <string.h>

bool transpose_make(const HdGraph *graph, bool with_edges, Transpose *transpose,
                    GraphBuild *build)
{
    static const char what[] = "the edges in reverse";
    *transpose = (Transpose){0};
    transpose->row = build_new(build, (uint64_t)graph->vertices + 1, sizeof *transpose->row, what);
    bool ok = transpose->row;
    ok = ok && (transpose->tail = build_new(build, graph->edges, sizeof *transpose->tail, what));
    if (ok && with_edges)
        ok = (transpose->edge = build_new(build, graph->edges, sizeof *transpose->edge, what));
    if (!ok) {
        transpose_free(transpose, build);
        return false;
    }
    for (uint64_t i = 0; i < graph->edges; i++) transpose->row[(size_t)graph->column[i] + 1]++;
    counts_to_offsets(transpose->row, graph->vertices);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint64_t at = transpose->row[graph->column[i]]++;
            transpose->tail[at] = v;
            if (with_edges) transpose->edge[at] = i;
        }
    }
    offsets_rewind(transpose->row, graph->vertices);
    return true;
}

void transpose_free(Transpose *transpose, GraphBuild *build)
{
    build_free(build, transpose->row);
    build_free(build, transpose->tail);
    build_free(build, transpose->edge);
    *transpose = (Transpose){0};
}

HdGraph *hd_graph_reverse(const HdGraph *graph, HdError *err)
{
    bool weighted = graph->weight_kind != HD_WEIGHTS_NONE;
    GraphBuild build = build_unlimited(err);
    Transpose transpose = {0};
    if (!transpose_make(graph, weighted, &transpose, &build)) return NULL;
    HdGraph *out = graph_new(graph->vertices, &build);
    if (out && graph_allocate_edges(out, graph->edges, graph->weight_kind, &build)) {
        memcpy(out->row, transpose.row, ((size_t)graph->vertices + 1) * sizeof *out->row);
        memcpy(out->column, transpose.tail, graph->edges * sizeof *out->column);
        const char *from = graph_weights(graph);
        char *to = graph_weights(out);
        for (uint64_t i = 0; weighted && i < graph->edges; i++)
            memcpy(to + 4 * i, from + 4 * transpose.edge[i], 4);
        graph_set_name(out, graph->name);
        out->directed = graph->directed;
        graph_finish(out);
    } else {
        hd_graph_free(out);
        out = NULL;
    }
    transpose_free(&transpose, &build);
    return out;
}

// The last edge seen to a vertex, and its row + 1.
typedef struct Met {
    uint64_t edge;
    uint32_t row;
} Met;

bool graph_find_unmirrored(const HdGraph *graph, bool with_weights, bool *mirrored,
                           HdEdge *unmirrored, GraphBuild *build)
{
    Transpose transpose = {0};
    Met *met = build_new(build, graph->vertices, sizeof *met, "the search for reverse edges");
    const char *weights = with_weights ? graph_weights(graph) : NULL;
    *mirrored = true;
    if (!met) return false;
    if (!transpose_make(graph, true, &transpose, build)) {
        build_free(build, met);
        return false;
    }
    for (uint32_t v = 0; *mirrored && v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            met[graph->column[i]] = (Met){i, v + 1};
        for (uint64_t i = transpose.row[v]; *mirrored && i < transpose.row[v + 1]; i++) {
            *unmirrored = (HdEdge){transpose.tail[i], v};
            const Met *reverse = &met[transpose.tail[i]];
            *mirrored = reverse->row == v + 1 &&
                        (!weights || memcmp(weights + 4 * transpose.edge[i],
                                            weights + 4 * reverse->edge, 4) == 0);
        }
    }
    transpose_free(&transpose, build);
    build_free(build, met);
    return true;
}

// State of hd_graph_symmetrize. seen[u] is the last row + 1 in which u occurred: a membership test
// that needs no clearing between rows.
typedef struct Closure {
    const HdGraph *graph;
    Transpose transpose;
    uint32_t *seen;
} Closure;

// Writes v's symmetric row to `out` from edge `at`, or only counts if `out` is NULL. Returns the
// row's end.
static uint64_t closure_row(Closure *c, uint32_t v, HdGraph *out, uint64_t at)
{
    const HdGraph *graph = c->graph;
    const char *weights = graph_weights(graph);
    char *out_weights = out ? graph_weights(out) : NULL;
    for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++, at++) {
        c->seen[graph->column[i]] = v + 1;
        if (out) out->column[at] = graph->column[i];
        if (out && weights) memcpy(out_weights + at * 4, weights + i * 4, 4);
    }
    for (uint64_t i = c->transpose.row[v]; i < c->transpose.row[v + 1]; i++) {
        uint32_t tail = c->transpose.tail[i];
        if (c->seen[tail] == v + 1 || tail == v) continue;
        if (out) out->column[at] = tail;
        if (out && weights) memcpy(out_weights + at * 4, weights + c->transpose.edge[i] * 4, 4);
        at++;
    }
    return at;
}

static HdGraph *closure_make(Closure *c, GraphBuild *build)
{
    const HdGraph *graph = c->graph;
    uint64_t edges = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) edges = closure_row(c, v, NULL, edges);
    HdGraph *out = graph_new(graph->vertices, build);
    if (!out) return NULL;
    if (!graph_allocate_edges(out, edges, graph->weight_kind, build)) {
        build_drop(build, out);
        return NULL;
    }
    memset(c->seen, 0, (size_t)graph->vertices * sizeof *c->seen);
    for (uint32_t v = 0; v < graph->vertices; v++)
        out->row[v + 1] = closure_row(c, v, out, out->row[v]);
    graph_finish(out);
    return out;
}

bool graph_symmetrize(HdGraph *graph, GraphBuild *build)
{
    bool weighted = graph->weight_kind != HD_WEIGHTS_NONE;
    Closure closure = {.graph = graph};
    if (!transpose_make(graph, weighted, &closure.transpose, build)) return false;
    closure.seen = build_new(build, graph->vertices, sizeof *closure.seen, "the marks of edges");
    HdGraph *closed = closure.seen ? closure_make(&closure, build) : NULL;
    build_free(build, closure.seen);
    transpose_free(&closure.transpose, build);
    if (!closed) return false;
    graph_replace(graph, closed, build);
    graph->directed = false;
    return true;
}

bool hd_graph_symmetrize(HdGraph *graph, HdError *err)
{
    GraphBuild build = build_unlimited(err);
    return graph_symmetrize(graph, &build);
}
