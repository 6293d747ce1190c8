// CPU reference: PageRank by power iteration. A vertex without out-edges distributes its rank over
// all vertices.
#include "heddle/graph.h"

void hd_pagerank_step(const HdGraph *graph, double damping, double base, const double *rank,
                      double *next)
{
    uint32_t n = graph->vertices;
    double dangling = 0;
    for (uint32_t v = 0; v < n; v++) next[v] = 0;
    for (uint32_t v = 0; v < n; v++) {
        uint64_t degree = graph->row[v + 1] - graph->row[v];
        if (!degree) dangling += rank[v];
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            next[graph->column[i]] += rank[v] / (double)degree;
    }
    for (uint32_t v = 0; v < n; v++) next[v] = base / n + damping * (next[v] + dangling / n);
}
