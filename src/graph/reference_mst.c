// CPU reference: a minimum spanning forest by Kruskal's algorithm, and symmetric edge weights.
#include "base/fail.h"
#include "base/memory.h"
#include "graph/graph_internal.h"

#include <stdlib.h>

typedef struct Candidate {
    int32_t weight;
    uint32_t from, to;
} Candidate;

static int by_weight(const void *left, const void *right)
{
    const Candidate *a = left, *b = right;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

// The root of v's tree, by path halving.
static uint32_t tree_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

bool hd_spanning_forest(const HdGraph *graph, const int32_t *weights, HdForest *forest,
                        HdError *err)
{
    Candidate *candidates = hd_new(graph->edges, sizeof *candidates);
    uint32_t *parent = hd_new(graph->vertices, sizeof *parent);
    *forest = (HdForest){.trees = graph->vertices};
    if (!candidates || !parent) {
        free(candidates);
        free(parent);
        return hd_fail_memory(err, "spanning a graph");
    }
    for (uint32_t v = 0; v < graph->vertices; v++) {
        parent[v] = v;
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            candidates[i] = (Candidate){weights[i], v, graph->column[i]};
    }
    qsort(candidates, graph->edges, sizeof *candidates, by_weight);
    for (uint64_t i = 0; i < graph->edges; i++) {
        uint32_t a = tree_of(parent, candidates[i].from), b = tree_of(parent, candidates[i].to);
        if (a == b) continue;
        parent[a] = b;
        forest->weight += candidates[i].weight;
        forest->edges++;
        forest->trees--;
    }
    free(candidates);
    free(parent);
    return true;
}

static void lower(int32_t *least, int32_t weight)
{
    if (weight < *least) *least = weight;
}

bool hd_graph_pair_weights(const HdGraph *graph, const int32_t *weights, int32_t *least,
                           HdError *err)
{
    GraphBuild build = build_unlimited(err);
    Transpose in = {0};
    int32_t *by_other = hd_new(graph->vertices, sizeof *by_other);
    if (!by_other) return hd_fail_memory(err, "comparing weights");
    if (!transpose_make(graph, true, &in, &build)) {
        free(by_other);
        return false;
    }
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            by_other[graph->column[i]] = INT32_MAX;
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            lower(&by_other[graph->column[i]], weights[i]);
        for (uint64_t i = in.row[v]; i < in.row[v + 1]; i++)
            lower(&by_other[in.tail[i]], weights[in.edge[i]]);
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            least[i] = by_other[graph->column[i]];
    }
    transpose_free(&in, &build);
    free(by_other);
    return true;
}
