// Numbers the vertices of a list of edges: by a table of ids or by sorting them, or as they are.
#include "graph/number_ids.h"

#include <string.h>

IdRange id_range(const IdPair *pairs, size_t count)
{
    IdRange range = {UINT64_MAX, 0};
    for (size_t i = 0; i < count; i++) {
        uint64_t from = pairs[i].from, to = pairs[i].to;
        uint64_t low = from < to ? from : to, high = from < to ? to : from;
        if (low < range.min) range.min = low;
        if (high > range.max) range.max = high;
    }
    return range;
}

static bool new_ids(uint64_t vertices, EdgeList *list, GraphBuild *build)
{
    list->ids = build_new(build, vertices, sizeof *list->ids, "the ids of vertices");
    return list->ids != NULL;
}

bool separate_sides(IdPair *pairs, size_t count, EdgeList *list, GraphBuild *build)
{
    uint64_t left = 0, least = UINT64_MAX, most = 0, plus;
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].from > left) left = pairs[i].from;
        if (pairs[i].to < least) least = pairs[i].to;
        if (pairs[i].to > most) most = pairs[i].to;
    }
    if (__builtin_add_overflow(left, least == 0, &plus) ||
        __builtin_add_overflow(most, plus, &most))
        return hd_fail(build->err, "%s: ids up to %llu on the first side of a bipartite graph: "
                                   "expected less, because those of the second side follow",
                       build->memory.task, (unsigned long long)left);
    for (size_t i = 0; i < count; i++) pairs[i].to += plus;
    list->second = (HdSecondIds){left + 1, plus, most};
    return true;
}

bool number_by_itself(EdgeList *list, GraphBuild *build)
{
    if (!new_ids(list->vertices, list, build)) return false;
    for (uint32_t v = 0; v < list->vertices; v++) list->ids[v] = v;
    return true;
}

bool number_from(const IdPair *pairs, size_t count, uint64_t first, EdgeList *list,
                 GraphBuild *build)
{
    list->edges = build_new(build, count, sizeof *list->edges, "the edges");
    if (!list->edges || (first && !new_ids(list->vertices, list, build))) return false;
    for (uint32_t v = 0; first && v < list->vertices; v++) list->ids[v] = v + first;
    for (size_t i = 0; i < count; i++)
        list->edges[i] = (HdEdge){(uint32_t)(pairs[i].from - first),
                                  (uint32_t)(pairs[i].to - first)};
    list->count = list->edges_capacity = count;
    return true;
}

// Numbers dense ids by a table over 0..max: table[id] becomes the vertex.
static bool number_by_table(const IdPair *pairs, size_t count, uint32_t *table, uint64_t max,
                            EdgeList *list, GraphBuild *build)
{
    uint64_t vertices = 0;
    for (size_t i = 0; i < count; i++) table[pairs[i].from] = table[pairs[i].to] = 1;
    for (uint64_t id = 0; id <= max; id++) vertices += table[id];
    list->vertices = (uint32_t)vertices;
    if (vertices <= max && !new_ids(vertices, list, build)) return false;
    uint32_t vertex = 0;
    for (uint64_t id = 0; id <= max; id++) {
        if (!table[id]) continue;
        if (list->ids) list->ids[vertex] = id;
        table[id] = vertex++;
    }
    for (size_t i = 0; i < count; i++)
        list->edges[i] = (HdEdge){table[pairs[i].from], table[pairs[i].to]};
    return true;
}

static uint32_t position_of(const uint64_t *ids, uint64_t count, uint64_t id)
{
    uint64_t low = 0, high = count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (ids[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

// Sorts ids by one byte after another, from the lowest. Both arrays have `count` elements; returns
// the one that holds the result.
static uint64_t *sort_ids(uint64_t *ids, uint64_t *other, size_t count)
{
    enum { DIGIT = 8, DIGITS = 1 << DIGIT };
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++) start[(ids[i] >> shift) % DIGITS + 1]++;
        if (start[(ids[0] >> shift) % DIGITS + 1] == count) continue; // all have the same byte
        for (size_t d = 0; d < DIGITS; d++) start[d + 1] += start[d];
        for (size_t i = 0; i < count; i++) other[start[(ids[i] >> shift) % DIGITS]++] = ids[i];
        uint64_t *sorted = other;
        other = ids;
        ids = sorted;
    }
    return ids;
}

// Numbers sparse ids by sorting. `scratch` has room for both ends of each edge, twice.
static bool number_by_sorting(const IdPair *pairs, size_t count, uint64_t *scratch, EdgeList *list,
                              GraphBuild *build)
{
    uint64_t *ids = scratch;
    for (size_t i = 0; i < count; i++) {
        ids[2 * i] = pairs[i].from;
        ids[2 * i + 1] = pairs[i].to;
    }
    ids = sort_ids(ids, ids + 2 * count, 2 * count);
    uint64_t vertices = 0;
    for (size_t i = 0; i < 2 * count; i++)
        if (i == 0 || ids[i] != ids[i - 1]) ids[vertices++] = ids[i];
    if (vertices > UINT32_MAX)
        return hd_fail(build->err, "%s: %llu vertices: expected at most %u, which have 32-bit "
                                   "numbers", build->memory.task, (unsigned long long)vertices,
                       UINT32_MAX);
    list->vertices = (uint32_t)vertices;
    if (!new_ids(vertices, list, build)) return false;
    memcpy(list->ids, ids, vertices * sizeof *ids);
    for (size_t i = 0; i < count; i++)
        list->edges[i] = (HdEdge){position_of(ids, vertices, pairs[i].from),
                                  position_of(ids, vertices, pairs[i].to)};
    return true;
}

bool number_ascending(const IdPair *pairs, size_t count, EdgeList *list, GraphBuild *build)
{
    uint64_t max = id_range(pairs, count).max;
    // Use a table unless it is much larger than the edges.
    bool dense = max < UINT32_MAX && max / 8 <= count;
    void *scratch = dense ? build_new(build, max + 1, sizeof(uint32_t), "the table of ids")
                          : build_new(build, count, 4 * sizeof(uint64_t), "the sorted ids");
    if (scratch) list->edges = build_new(build, count, sizeof *list->edges, "the edges");
    bool ok = list->edges != NULL;
    if (ok) {
        list->count = list->edges_capacity = count;
        ok = dense ? number_by_table(pairs, count, scratch, max, list, build)
                   : number_by_sorting(pairs, count, scratch, list, build);
    }
    build_free(build, scratch);
    return ok;
}
