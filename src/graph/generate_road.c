// Generates graphs like street networks: a connected map of crossings, and streets between them
// that are chains of vertices of degree 2.
#include "base/fail.h"
#include "graph/graph_random.h"
#include "graph/generate.h"

// Crossing c = y * width + x may have a street to the right (number 2 * c) and one down (2 * c +
// 1). An express crossing also has express ways to the next express crossing in both directions.
typedef struct Road {
    uint32_t width, height, express;
    uint64_t seed, streets;
    uint64_t *kept;   // a bit per street
    uint32_t *parent; // union-find over crossings; later the vertex of each crossing
    uint64_t chain;   // vertices inside streets, in total
    uint64_t weight;  // sum over all streets; `chain` is shared out in proportion
    EdgeList list;
} Road;

uint64_t isqrt(uint64_t n)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= n) root |= bit;
    return root;
}

// Finds the other end of way k of crossing c: street right (0) or down (1), express way right (2)
// or down (3). Returns false if the map has no such way.
static bool road_end(const Road *r, uint32_t c, int k, uint32_t *end)
{
    uint32_t x = c % r->width, y = c / r->width, step = k < 2 ? 1 : r->express;
    if (k >= 2 && (!r->express || x % r->express || y % r->express)) return false;
    if (k % 2 == 0 ? r->width - x <= step : r->height - y <= step) return false;
    *end = k % 2 == 0 ? c + step : c + step * r->width;
    return true;
}

static bool road_kept(const Road *r, uint64_t street)
{
    return r->kept[street / 64] >> street % 64 & 1;
}

static uint32_t road_root(uint32_t *parent, uint32_t c)
{
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
}

// Visits the streets in random order. The first pass keeps the streets that join two
// components (Kruskal 1956), so that the map is connected. The second pass keeps others until there
// are enough.
static void road_choose(Road *r, const GraphBuild *build)
{
    uint64_t all = (uint64_t)2 * r->width * r->height, left = r->streets;
    Shuffle order = shuffle_of(all, (uint64_t)2 * r->width, r->seed, DRAWS_ROAD);
    for (uint32_t c = 0; c < r->width * r->height; c++) r->parent[c] = c;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t k = 0; k < all && left > 0; k++) {
            uint64_t street = shuffle_number(&order, k);
            uint32_t c = (uint32_t)(street / 2), end;
            if (k % 4096 == 0) graph_progress(build, "choosing streets", pass * all + k, 2 * all);
            if (road_kept(r, street) || !road_end(r, c, street % 2, &end)) continue;
            uint32_t a = road_root(r->parent, c), b = road_root(r->parent, end);
            if (pass == 0 && a == b) continue;
            r->parent[a < b ? b : a] = a < b ? a : b;
            r->kept[street / 64] |= (uint64_t)1 << street % 64;
            left--;
        }
    }
}

// The relative length of a street: many are short, few are long.
static uint64_t road_weight(const Road *r, uint32_t c, int k)
{
    uint32_t draw = (uint32_t)(random_draw(r->seed, DRAWS_ROAD_CHAIN, (uint32_t)k, c) >> 32);
    return ((uint64_t)draw * draw >> 36) + 1;
}

// Returns whether way k of crossing c exists; streets must have been kept.
static bool road_there(const Road *r, uint32_t c, int k, uint32_t *end)
{
    return road_end(r, c, k, end) && (k >= 2 || road_kept(r, 2 * (uint64_t)c + (uint64_t)k));
}

// The number of chain vertices before the street at cumulative `weight`.
static uint32_t road_share(const Road *r, uint64_t weight)
{
    return (uint32_t)((unsigned __int128)r->chain * weight / r->weight);
}

// Numbers the vertices: each crossing, followed by the chains of its streets.
static void road_number(Road *r)
{
    uint32_t crossings = r->width * r->height, end;
    r->weight = 0;
    for (uint32_t c = 0; c < crossings; c++)
        for (int k = 0; k < 4; k++)
            if (road_there(r, c, k, &end)) r->weight += road_weight(r, c, k);
    uint64_t weight = 0;
    for (uint32_t c = 0; c < crossings; c++) {
        r->parent[c] = c + road_share(r, weight);
        for (int k = 0; k < 4; k++)
            if (road_there(r, c, k, &end)) weight += road_weight(r, c, k);
    }
}

static bool road_lay(Road *r, GraphBuild *build)
{
    uint64_t weight = 0;
    for (uint32_t c = 0; c < r->width * r->height; c++) {
        uint32_t next = r->parent[c] + 1, end;
        for (int k = 0; k < 4; k++) {
            if (!road_there(r, c, k, &end)) continue;
            uint32_t inside = road_share(r, weight + road_weight(r, c, k)) - road_share(r, weight);
            weight += road_weight(r, c, k);
            uint32_t from = r->parent[c];
            for (uint32_t i = 0; i < inside; i++, from = next++)
                if (!edge_list_add(&r->list, (HdEdge){from, next}, 0, build)) return false;
            if (!edge_list_add(&r->list, (HdEdge){from, r->parent[end]}, 0, build)) return false;
        }
    }
    return true;
}

// The number of express ways on the map.
static uint64_t road_express_ways(const Road *r)
{
    if (!r->express) return 0;
    uint64_t columns = (r->width - 1) / r->express + 1, rows = (r->height - 1) / r->express + 1;
    return (columns - 1) * rows + columns * (rows - 1);
}

// Chooses the map's size. Chains do not change edges - vertices. With 3 streets per crossing on
// average, this difference is half the number of crossings. A map below 4 by 4 has too few streets
// to choose from.
static bool road_plan(Road *r, const RoadSpec *spec, HdError *err)
{
    uint64_t surplus = spec->edges >= spec->vertices ? spec->edges - spec->vertices : 0;
    uint64_t crossings = 2 * surplus < 16 ? 16 : 2 * surplus, needed, possible;
    r->width = (uint32_t)isqrt(crossings);
    r->height = (uint32_t)(crossings / r->width);
    for (;; r->height++) {
        crossings = (uint64_t)r->width * r->height;
        needed = crossings + spec->edges - spec->vertices;
        possible = 2 * crossings - r->width - r->height + road_express_ways(r);
        if (needed <= possible) break;
    }
    if (crossings > spec->vertices)
        return hd_fail(err, "a road network of %u vertices and %llu edges would need %llu "
                            "crossings: use more vertices or fewer edges", spec->vertices,
                       (unsigned long long)spec->edges, (unsigned long long)crossings);
    r->streets = needed - road_express_ways(r);
    r->chain = spec->vertices - crossings;
    return true;
}

HdGraph *generate_road(const RoadSpec *spec, GraphBuild *build)
{
    Road road = {.express = spec->express, .seed = spec->seed};
    if (!build_check_graph(build, spec->vertices, 2 * (double)spec->edges) ||
        !road_plan(&road, spec, build->err))
        return NULL;
    size_t crossings = (size_t)road.width * road.height;
    road.list = (EdgeList){.vertices = spec->vertices, .mirrored = true};
    static const char what[] = "the streets";
    road.kept = build_new(build, crossings / 32 + 1, sizeof *road.kept, what);
    road.parent = road.kept ? build_new(build, crossings, sizeof *road.parent, what) : NULL;
    bool ok = road.parent;
    if (ok) {
        road_choose(&road, build);
        road_number(&road);
        ok = road_lay(&road, build);
    }
    build_free(build, road.kept);
    build_free(build, road.parent);
    HdGraph *graph = ok ? graph_from_list(&road.list, build) : NULL;
    edge_list_free(&road.list, build);
    return graph ? graph_sorted(graph, build) : NULL;
}
