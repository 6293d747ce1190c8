// Bounds a graph's diameter from below by a double sweep (Magnien, Latapy, Habib 2009).
#include "base/fail.h"
#include "base/memory.h"
#include "heddle/graph.h"

#include <stdlib.h>

// Finds the vertex farthest from `from`; on a tie, the lowest.
static bool sweep(const HdGraph *graph, uint32_t from, int32_t *levels, HdDiameter *found,
                  HdError *err)
{
    HdBfs bfs;
    if (!hd_bfs_levels(graph, from, levels, &bfs, err)) return false;
    *found = (HdDiameter){.bound = bfs.depth, .from = from};
    while (levels[found->to] != (int32_t)bfs.depth) found->to++;
    return true;
}

bool hd_diameter_bound(const HdGraph *graph, uint32_t source, HdDiameter *diameter, HdError *err)
{
    HdDiameter back;
    int32_t *levels = hd_new(graph->vertices, sizeof *levels);
    if (!levels) return hd_fail_memory(err, "searching a graph");
    bool ok = sweep(graph, source, levels, diameter, err) &&
              sweep(graph, diameter->to, levels, &back, err);
    // In a directed graph the second search may reach less far, or nothing.
    if (ok && back.bound >= diameter->bound) *diameter = back;
    free(levels);
    return ok;
}
