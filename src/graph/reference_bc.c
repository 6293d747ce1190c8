// CPU reference: Brandes' algorithm from one source.
#include "heddle/graph.h"

void hd_brandes(const HdGraph *graph, uint32_t source, HdBrandes *b)
{
    // Levels and numbers of shortest paths; `order` is the queue.
    for (uint32_t v = 0; v < graph->vertices; v++) {
        b->level[v] = -1;
        b->paths[v] = b->dependency[v] = 0;
    }
    b->level[source] = 0;
    b->paths[source] = 1;
    b->order[0] = source;
    b->reached = 1;
    for (uint32_t i = 0; i < b->reached; i++) {
        uint32_t v = b->order[i];
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            uint32_t u = graph->column[e];
            if (b->level[u] < 0) {
                b->level[u] = b->level[v] + 1;
                b->order[b->reached++] = u;
            }
            if (b->level[u] == b->level[v] + 1) b->paths[u] += b->paths[v];
        }
    }
    // Dependencies, from the farthest vertices back to the source.
    for (uint32_t i = b->reached; i > 0; i--) {
        uint32_t v = b->order[i - 1];
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            uint32_t u = graph->column[e];
            if (b->level[u] == b->level[v] + 1)
                b->dependency[v] += b->paths[v] / b->paths[u] * (1 + b->dependency[u]);
        }
    }
}
