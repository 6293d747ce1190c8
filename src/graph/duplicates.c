// Counts and drops self loops and duplicate edges.
#include "graph/graph_internal.h"

#include <string.h>

// seen[u] == v + 1 means that u occurred in row v. Marks are unique per row, so `seen` needs no
// clearing.
static bool is_repeat(uint32_t *seen, uint32_t v, uint32_t u)
{
    bool repeat = seen[u] == v + 1;
    seen[u] = v + 1;
    return repeat;
}

bool graph_count_repeats(const HdGraph *graph, uint64_t *self_loops, uint64_t *duplicates,
                         GraphBuild *build)
{
    uint32_t *seen = build_new(build, graph->vertices, sizeof *seen, "the marks of repeated edges");
    if (!seen) return false;
    *self_loops = *duplicates = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            *self_loops += graph->column[i] == v;
            *duplicates += is_repeat(seen, v, graph->column[i]);
        }
    }
    build_free(build, seen);
    return true;
}

bool hd_graph_count_repeats(const HdGraph *graph, uint64_t *self_loops, uint64_t *duplicates,
                            HdError *err)
{
    GraphBuild build = build_unlimited(err);
    return graph_count_repeats(graph, self_loops, duplicates, &build);
}

// Copies the remaining edges to `out`, or only counts them if `out` is NULL; returns their number.
// A duplicate self loop counts as a self loop.
static uint64_t copy_remaining(const HdGraph *graph, bool loops, bool duplicates, uint32_t *seen,
                          HdGraphDropped *dropped, HdGraph *out)
{
    const char *weights = graph_weights(graph);
    char *out_weights = out ? graph_weights(out) : NULL;
    uint64_t at = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t u = graph->column[i];
            if (loops && u == v) {
                dropped->self_loops++;
                continue;
            }
            if (duplicates && is_repeat(seen, v, u)) {
                dropped->duplicates++;
                continue;
            }
            if (out) out->column[at] = u;
            if (out_weights) memcpy(out_weights + 4 * at, weights + 4 * i, 4);
            at++;
        }
        if (out) out->row[v + 1] = at;
    }
    return at;
}

bool graph_drop_repeats(HdGraph *graph, bool loops, bool duplicates, GraphBuild *build)
{
    HdGraphDropped dropped = graph->dropped, again = {0};
    uint32_t *seen = build_new(build, graph->vertices, sizeof *seen,
                                "the marks of dropped edges");
    if (!seen) return false;
    uint64_t edges = copy_remaining(graph, loops, duplicates, seen, &dropped, NULL);
    bool ok = edges == graph->edges;
    if (!ok) {
        HdGraph *out = graph_new(graph->vertices, build);
        ok = out && graph_allocate_edges(out, edges, graph->weight_kind, build);
        if (ok) {
            memset(seen, 0, (size_t)graph->vertices * sizeof *seen);
            copy_remaining(graph, loops, duplicates, seen, &again, out);
            graph_finish(out);
            graph_replace(graph, out, build);
            graph->dropped = dropped;
        } else {
            build_drop(build, out);
        }
    }
    build_free(build, seen);
    return ok;
}
