// CPU reference: shortest paths by Dijkstra's algorithm.
#include "base/fail.h"
#include "base/memory.h"
#include "heddle/graph.h"

#include <stdlib.h>

// A binary heap of vertices, ordered by distance, with the position of each vertex.
typedef struct Heap {
    uint32_t *vertices; // `count` entries
    uint32_t *place;    // index of each vertex in `vertices`
    const int64_t *distances;
    uint32_t count;
} Heap;

static void heap_put(Heap *heap, uint32_t at, uint32_t vertex)
{
    heap->vertices[at] = vertex;
    heap->place[vertex] = at;
}

// Moves `vertex`, which is nearer than the entry at `at`, up to its position.
static void heap_rise(Heap *heap, uint32_t at, uint32_t vertex)
{
    while (at) {
        uint32_t above = (at - 1) / 2;
        if (heap->distances[heap->vertices[above]] <= heap->distances[vertex]) break;
        heap_put(heap, at, heap->vertices[above]);
        at = above;
    }
    heap_put(heap, at, vertex);
}

static uint32_t heap_take(Heap *heap)
{
    uint32_t nearest = heap->vertices[0], last = heap->vertices[--heap->count], at = 0;
    while (2 * (uint64_t)at + 1 < heap->count) {
        uint32_t below = 2 * at + 1;
        if (below + 1 < heap->count && heap->distances[heap->vertices[below + 1]] <
                                           heap->distances[heap->vertices[below]])
            below++;
        if (heap->distances[heap->vertices[below]] >= heap->distances[last]) break;
        heap_put(heap, at, heap->vertices[below]);
        at = below;
    }
    if (heap->count) heap_put(heap, at, last);
    return nearest;
}

static bool search(const HdGraph *graph, const int32_t *weights, uint32_t source,
                   int64_t *distances, Heap *heap, HdError *err)
{
    distances[source] = 0;
    heap_rise(heap, heap->count++, source);
    while (heap->count) {
        uint32_t v = heap_take(heap);
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t u = graph->column[i];
            if (weights[i] < 0)
                return hd_fail(err,
                               "%s: the edge from vertex %u to %u has weight %d: expected "
                               "weights of at least 0",
                               graph->name, v, u, weights[i]);
            int64_t distance = distances[v] + weights[i];
            bool known = distances[u] >= 0;
            if (known && distances[u] <= distance) continue;
            distances[u] = distance;
            heap_rise(heap, known ? heap->place[u] : heap->count++, u);
        }
    }
    return true;
}

bool hd_sssp_distances(const HdGraph *graph, const int32_t *weights, uint32_t source,
                       int64_t *distances, HdError *err)
{
    if (source >= graph->vertices)
        return hd_fail(err, "source %u is not a vertex of graph %s: expected 0 to %u", source,
                       graph->name, graph->vertices - 1);
    for (uint32_t v = 0; v < graph->vertices; v++) distances[v] = -1;
    Heap heap = {
        .vertices = hd_new(graph->vertices, sizeof *heap.vertices),
        .place = hd_new(graph->vertices, sizeof *heap.place),
        .distances = distances,
    };
    bool ok = heap.vertices && heap.place
                  ? search(graph, weights, source, distances, &heap, err)
                  : hd_fail_memory(err, "searching a graph");
    free(heap.vertices);
    free(heap.place);
    return ok;
}
