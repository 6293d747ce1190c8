// Core numbers by peeling in order of degree (Batagelj and Zaversnik, 2003), and triangles by
// marking neighbours.
#include "base/fail.h"
#include "base/memory.h"
#include "graph/graph_internal.h"

#include <stdlib.h>

// ---- core numbers ----

typedef struct Peeling {
    uint32_t *degree; // remaining neighbours; in the end, the core number
    uint32_t *order;  // vertices by `degree`
    uint32_t *place;  // index of each vertex in `order`
    uint64_t *start;  // by degree k: index in `order` of the first vertex of degree >= k
} Peeling;

// Sorts by degree; `most` is the greatest degree.
static void peeling_sort(Peeling *p, uint32_t vertices, uint32_t most)
{
    for (uint32_t v = 0; v < vertices; v++) p->start[p->degree[v] + 1]++;
    for (uint32_t d = 0; d <= most; d++) p->start[d + 1] += p->start[d];
    for (uint32_t v = 0; v < vertices; v++) {
        p->place[v] = (uint32_t)p->start[p->degree[v]]++;
        p->order[p->place[v]] = v;
    }
    for (uint32_t d = most + 1; d > 0; d--) p->start[d] = p->start[d - 1];
    p->start[0] = 0;
}

// Lowers u's degree by one: swaps u with the first vertex of its degree, and moves this boundary
// on.
static void peeling_lower(Peeling *p, uint32_t u)
{
    uint32_t first = p->order[p->start[p->degree[u]]], at = p->place[u];
    p->order[at] = first;
    p->place[first] = at;
    p->place[u] = (uint32_t)p->start[p->degree[u]]++;
    p->order[p->place[u]] = u;
    p->degree[u]--;
}

bool hd_core_numbers(const HdGraph *graph, uint32_t *cores, HdError *err)
{
    uint32_t n = graph->vertices, most = 0;
    for (uint32_t v = 0; v < n; v++) {
        cores[v] = 0;
        for (uint64_t i = graph->row[v]; i < graph->row[v + 1]; i++)
            cores[v] += graph->column[i] != v;
        if (cores[v] > most) most = cores[v];
    }
    Peeling p = {.degree = cores,
                 .order = hd_new(n, sizeof *p.order),
                 .place = hd_new(n, sizeof *p.place),
                 .start = hd_new((uint64_t)most + 2, sizeof *p.start)};
    bool ok = p.order && p.place && p.start;
    if (ok) {
        peeling_sort(&p, n, most);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = p.order[i];
            for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++)
                if (cores[graph->column[e]] > cores[v]) peeling_lower(&p, graph->column[e]);
        }
    }
    free(p.order);
    free(p.place);
    free(p.start);
    return ok || hd_fail_memory(err, "computing core numbers");
}

// ---- triangles ----

// Returns whether a precedes b: by degree, then by number.
static bool before(const HdGraph *graph, uint32_t a, uint32_t b)
{
    uint64_t x = graph->row[a + 1] - graph->row[a], y = graph->row[b + 1] - graph->row[b];
    return x < y || (x == y && a < b);
}

bool hd_count_triangles(const HdGraph *graph, uint64_t *triangles, HdError *err)
{
    uint32_t n = graph->vertices;
    // near[w] == u + 1 if w is a neighbour of u that follows u. seen[w] is the last pair that w
    // closed.
    uint32_t *near = hd_new(n, sizeof *near);
    uint64_t *seen = hd_new(n, sizeof *seen), pair = 0;
    *triangles = 0;
    for (uint32_t u = 0; near && seen && u < n; u++) {
        for (uint64_t i = graph->row[u]; i < graph->row[u + 1]; i++)
            if (before(graph, u, graph->column[i])) near[graph->column[i]] = u + 1;
        for (uint64_t i = graph->row[u]; i < graph->row[u + 1]; i++) {
            uint32_t v = graph->column[i];
            if (near[v] != u + 1) continue;
            near[v] = 0; // a duplicate edge counts once
            pair++;
            for (uint64_t j = graph->row[v]; j < graph->row[v + 1]; j++) {
                uint32_t w = graph->column[j];
                if (near[w] != u + 1 || seen[w] == pair) continue;
                seen[w] = pair;
                ++*triangles;
            }
        }
    }
    bool ok = near && seen;
    free(near);
    free(seen);
    return ok || hd_fail_memory(err, "counting triangles");
}
