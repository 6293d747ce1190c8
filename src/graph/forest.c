// CPU reference: a minimum spanning forest by Kruskal's algorithm.
#include "base/error.h"
#include "base/memory.h"
#include "heddle/graph.h"

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

// The vertex that stands for v's tree. Halves the way there for the next who asks.
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
