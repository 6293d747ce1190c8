// CPU reference: breadth-first search.
#include "base/fail.h"
#include "base/memory.h"
#include "heddle/graph.h"

#include <stdlib.h>

bool hd_bfs_levels(const HdGraph *graph, uint32_t source, int32_t *levels, HdBfs *result,
                   HdError *err)
{
    if (source >= graph->vertices)
        return hd_fail(err, "source %u is not a vertex of graph %s: expected 0 to %u", source,
                       graph->name, graph->vertices - 1);
    if (graph->vertices > INT32_MAX)
        return hd_fail(err, "%s has %u vertices, a breadth-first search takes at most %d",
                       graph->name, graph->vertices, INT32_MAX);
    uint32_t *queue = hd_new(graph->vertices, sizeof *queue);
    if (!queue) return hd_fail_memory(err, "searching a graph");
    for (uint32_t v = 0; v < graph->vertices; v++) levels[v] = -1;
    uint32_t head = 0, tail = 0;
    levels[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t u = graph->column[i];
            if (levels[u] >= 0) continue;
            levels[u] = levels[v] + 1;
            queue[tail++] = u;
        }
    }
    *result = (HdBfs){.reached = tail, .depth = (uint32_t)levels[queue[tail - 1]]};
    free(queue);
    return true;
}
