// Weakly connected components, and the graph of the largest one.
#include "graph/graph_internal.h"

// The root of v's tree, by path halving (Tarjan, van Leeuwen 1984).
static uint32_t component_root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

void hd_graph_components(const HdGraph *graph, uint32_t *root)
{
    for (uint32_t v = 0; v < graph->vertices; v++) root[v] = v;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t a = component_root(root, v), b = component_root(root, graph->column[i]);
            if (a < b)
                root[b] = a;
            else
                root[a] = b;
        }
    }
    for (uint32_t v = 0; v < graph->vertices; v++) root[v] = component_root(root, v);
}

bool graph_keep_largest(HdGraph *graph, GraphBuild *build)
{
    static const char what[] = "the components";
    uint32_t *root = build_new(build, graph->vertices, sizeof *root, what);
    uint32_t *number =
        root ? build_new(build, graph->vertices, sizeof *number, what) : NULL;
    bool ok = number != NULL;
    if (ok) {
        hd_graph_components(graph, root);
        uint32_t largest = 0, count = 0;
        for (uint32_t v = 0; v < graph->vertices; v++) number[root[v]]++; // so far, the sizes
        for (uint32_t v = 1; v < graph->vertices; v++)
            if (number[v] > number[largest]) largest = v;
        // The list of kept vertices overwrites `root`, at or before the entry being read.
        for (uint32_t v = 0; v < graph->vertices; v++) {
            if (root[v] != largest) continue;
            number[v] = count;
            root[count++] = v;
        }
        uint32_t dropped = graph->vertices - count;
        ok = dropped == 0 || graph_renumber(graph, count, root, number, build);
        if (ok) graph->dropped.vertices += dropped;
    }
    build_free(build, root);
    build_free(build, number);
    return ok;
}
