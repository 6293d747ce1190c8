// Renumbers the vertices: the same graph with a different locality.
#include "base/random.h"
#include "graph/graph_internal.h"

#include <string.h>

enum { DRAWS_RELABEL = 0x52454c42 }; // stream number for random_draw

bool graph_renumber(HdGraph *graph, uint32_t vertices, const uint32_t *old_of_new,
                    const uint32_t *new_of_old, GraphBuild *build)
{
    HdGraph *out = graph_new(vertices, build);
    if (!out) return false;
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t old = old_of_new[v];
        out->row[v + 1] = out->row[v] + (graph->row[old + 1] - graph->row[old]);
    }
    if (graph->ids) out->ids = build_new(build, vertices, sizeof *out->ids, "the ids of vertices");
    if ((graph->ids && !out->ids) ||
        !graph_allocate_edges(out, out->row[vertices], graph->weight_kind, build)) {
        build_drop(build, out);
        return false;
    }
    for (uint32_t v = 0; out->ids && v < vertices; v++) out->ids[v] = graph->ids[old_of_new[v]];
    const char *weights = graph_weights(graph);
    char *out_weights = graph_weights(out);
    for (uint32_t v = 0; v < vertices; v++) {
        uint64_t from = graph->row[old_of_new[v]], count = out->row[v + 1] - out->row[v];
        for (uint64_t i = 0; i < count; i++)
            out->column[out->row[v] + i] = new_of_old[graph->column[from + i]];
        if (weights) memcpy(out_weights + 4 * out->row[v], weights + 4 * from, 4 * count);
    }
    graph_finish(out);
    graph_replace(graph, out, build);
    return true;
}

// A stable counting sort by descending degree.
static bool order_by_degree(const HdGraph *graph, uint32_t *order, GraphBuild *build)
{
    uint64_t most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t degree = graph->row[v + 1] - graph->row[v];
        if (degree > most) most = degree;
    }
    // start[k]: the number of vertices of degree > most - k, where the vertices of degree most - k
    // begin.
    uint64_t *start = build_new(build, most + 2, sizeof *start, "the counts of degrees");
    if (!start) return false;
    for (uint32_t v = 0; v < graph->vertices; v++)
        start[most - (graph->row[v + 1] - graph->row[v]) + 1]++;
    for (uint64_t k = 0; k < most; k++) start[k + 1] += start[k];
    for (uint32_t v = 0; v < graph->vertices; v++)
        order[start[most - (graph->row[v + 1] - graph->row[v])]++] = v;
    build_free(build, start);
    return true;
}

// Fisher-Yates shuffle.
static void order_at_random(uint32_t vertices, uint64_t seed, uint32_t *order)
{
    for (uint32_t v = 0; v < vertices; v++) order[v] = v;
    for (uint32_t left = vertices; left > 1; left--) {
        uint64_t bits = random_draw(seed, DRAWS_RELABEL, 0, left);
        uint32_t at = (uint32_t)((unsigned __int128)bits * left >> 64), last = order[left - 1];
        order[left - 1] = order[at];
        order[at] = last;
    }
}

// Breadth-first order; `order` is the queue. `met` must be all 0.
static void order_by_search(const HdGraph *graph, uint32_t *order, uint32_t *met)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t start = 0; start < graph->vertices; start++) {
        if (met[start]) continue;
        met[start] = 1;
        order[tail++] = start;
        for (; head < tail; head++) {
            uint32_t v = order[head];
            for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
                uint32_t u = graph->column[i];
                if (met[u]) continue;
                met[u] = 1;
                order[tail++] = u;
            }
        }
    }
}

bool graph_relabel(HdGraph *graph, HdRelabel how, uint64_t seed, GraphBuild *build)
{
    static const char what[] = "the new numbers of vertices";
    uint32_t *order = build_new(build, graph->vertices, sizeof *order, what);
    uint32_t *number =
        order ? build_new(build, graph->vertices, sizeof *number, what) : NULL;
    bool ok = number != NULL;
    if (ok && how == HD_RELABEL_DEGREE) ok = order_by_degree(graph, order, build);
    if (ok && how == HD_RELABEL_RANDOM) order_at_random(graph->vertices, seed, order);
    if (ok && how == HD_RELABEL_BFS) order_by_search(graph, order, number);
    for (uint32_t v = 0; ok && v < graph->vertices; v++) number[order[v]] = v;
    ok = ok && graph_renumber(graph, graph->vertices, order, number, build);
    build_free(build, order);
    build_free(build, number);
    return ok;
}
