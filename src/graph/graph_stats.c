// Measures a graph: degrees, loops, duplicates, reverses, components, memory.
#include "base/fail.h"
#include "base/bits.h"
#include "base/memory.h"
#include "graph/graph_internal.h"

#include <stdlib.h>

static void measure_degrees(const HdGraph *graph, const Transpose *transpose, HdGraphStats *stats)
{
    stats->degree_min = UINT64_MAX;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t degree = graph->row[v + 1] - graph->row[v];
        if (degree < stats->degree_min) stats->degree_min = degree;
        if (degree > stats->degree_max) {
            stats->degree_max = degree;
            stats->degree_max_vertex = v;
        }
        stats->degree_histogram[degree ? log2_floor(degree) + 1 : 0]++;
        if (!degree && transpose->row[v] == transpose->row[v + 1]) stats->isolated++;
    }
    stats->degree_mean = (double)graph->edges / graph->vertices;
}

// seen[u] == v + 1 means that u occurred in row v. Marks are unique per row, so `seen` needs no
// clearing.
static void measure_edges(const HdGraph *graph, const Transpose *transpose, uint32_t *seen,
                          HdGraphStats *stats)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t u = graph->column[i];
            if (u == v) stats->self_loops++;
            if (seen[u] == v + 1) stats->duplicates++;
            seen[u] = v + 1;
        }
        // Counts each edge u->v whose reverse is in v's row.
        for (uint64_t i = transpose->row[v]; i < transpose->row[v + 1]; i++)
            if (seen[transpose->tail[i]] == v + 1) stats->reciprocal++;
    }
}

bool hd_graph_measure(const HdGraph *graph, HdGraphStats *stats, HdError *err)
{
    *stats = (HdGraphStats){0};
    GraphBuild build = build_unlimited(err);
    Transpose transpose = {0};
    uint32_t *seen = hd_new(graph->vertices, sizeof *seen);
    uint32_t *sizes = hd_new(graph->vertices, sizeof *sizes);
    bool ok = seen && sizes;
    if (!ok) hd_fail_memory(err, "measuring a graph");
    ok = ok && transpose_make(graph, false, &transpose, &build);
    if (ok) {
        measure_degrees(graph, &transpose, stats);
        measure_edges(graph, &transpose, seen, stats);
        uint32_t *root = seen; // no longer needed for the edges
        hd_graph_components(graph, root);
        for (uint32_t v = 0; v < graph->vertices; v++) {
            if (root[v] == v) stats->components++;
            if (++sizes[root[v]] > stats->largest) stats->largest = sizes[root[v]];
        }
        uint64_t offsets = (uint64_t)graph->vertices + 1;
        uint64_t per_edge = graph->weight_kind == HD_WEIGHTS_NONE ? 4 : 8;
        stats->device_bytes = 4 * offsets + per_edge * graph->edges;
        stats->host_bytes = (graph->row32 ? 12 : 8) * offsets + per_edge * graph->edges;
    }
    transpose_free(&transpose, &build);
    free(seen);
    free(sizes);
    return ok;
}

bool hd_graph_degrees(const HdGraph *graph, uint64_t **vertices, uint64_t *most, HdError *err)
{
    *most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t degree = graph->row[v + 1] - graph->row[v];
        if (degree > *most) *most = degree;
    }
    *vertices = hd_new(*most + 1, sizeof **vertices);
    if (!*vertices) return hd_fail_memory(err, "counting the degrees of a graph");
    for (uint32_t v = 0; v < graph->vertices; v++)
        (*vertices)[graph->row[v + 1] - graph->row[v]]++;
    return true;
}
