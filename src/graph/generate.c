// Generates graphs: R-MAT, uniform, and grids. An edge depends only on the parameters, the seed and
// its index, so only the finished graph needs memory.
#include "graph/graph_random.h"
#include "graph/generate.h"

#include "base/inline.h"

typedef struct Rmat {
    uint64_t seed, edges;
    uint64_t bound[3]; // cumulative probability of quadrants a, a + b, a + b + c
    unsigned scale;
    bool undirected, shuffled;
    Shuffle ids;
} Rmat;

// Bits 0, 2, 4, ... of x, side by side.
static uint32_t even_bits(uint64_t x)
{
    x &= UINT64_C(0x5555555555555555);
    x = (x | x >> 1) & UINT64_C(0x3333333333333333);
    x = (x | x >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(x | x >> 16);
}

// Edges that are drawn side by side, so that the compiler can use vectors.
enum { EDGES = 32 };
typedef struct Ends {
    uint64_t from[EDGES], to[EDGES];
} Ends;

// One draw per bit of the ids, from the highest bit, selects a quadrant of the adjacency matrix: a,
// b, c or d, as a number from 0. Its upper bit is the tail's, its lower bit the head's.
ALWAYS_INLINE void draw_edges(const Rmat *r, uint64_t first, Ends *ends)
{
    const uint64_t series = random_series(r->seed, DRAWS_RMAT, 0);
    const uint64_t a = r->bound[0], b = r->bound[1], c = r->bound[2];
    uint64_t quadrants[EDGES] = {0}, at[EDGES];
    for (unsigned i = 0; i < EDGES; i++) at[i] = (first + i) * 32;
    for (unsigned level = 0; level < r->scale; level++)
        for (unsigned i = 0; i < EDGES; i++) {
            uint64_t draw = random_draw_of(series, at[i] + level);
            quadrants[i] = quadrants[i] << 2 | ((draw >= a) + (draw >= b) + (uint64_t)(draw >= c));
        }
    for (unsigned i = 0; i < EDGES; i++) {
        ends->from[i] = even_bits(quadrants[i] >> 1);
        ends->to[i] = even_bits(quadrants[i]);
    }
}

// Compiled again for hosts with wider vectors than all have.
#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))
static bool is_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
#define WIDE
static bool is_wide(void) { return false; }
#endif
WIDE static void draw_edges_wide(const Rmat *r, uint64_t first, Ends *ends)
{
    draw_edges(r, first, ends);
}

static size_t rmat_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Rmat *r = source;
    uint64_t end = batch_end(*cursor, r->edges, ARC_BATCH / 2);
    size_t n = 0;
    bool wide = is_wide();
    Ends ends;
    for (uint64_t e = *cursor; e < end; e++) {
        unsigned i = (unsigned)((e - *cursor) % EDGES);
        if (!i && wide) draw_edges_wide(r, e, &ends);
        else if (!i) draw_edges(r, e, &ends);
        uint32_t from = (uint32_t)ends.from[i], to = (uint32_t)ends.to[i];
        if (r->shuffled) {
            from = (uint32_t)shuffle_number(&r->ids, from);
            to = (uint32_t)shuffle_number(&r->ids, to);
        }
        arcs[n++] = (Arc){from, to, 0};
        if (r->undirected) arcs[n++] = (Arc){to, from, 0};
    }
    *cursor = end;
    return n;
}

HdGraph *generate_rmat(const RmatSpec *spec, GraphBuild *build)
{
    Rmat rmat = {
        .seed = spec->seed,
        .edges = spec->edge_factor << spec->scale,
        .bound = {probability_bound(spec->a), probability_bound(spec->a + spec->b),
                  probability_bound(spec->a + spec->b + spec->c)},
        .scale = spec->scale,
        .undirected = spec->undirected,
        .shuffled = spec->shuffled,
        .ids = shuffle_of((uint64_t)1 << spec->scale, (uint64_t)1 << spec->scale / 2, spec->seed,
                          DRAWS_RMAT_IDS),
    };
    uint64_t arcs = spec->undirected ? 2 * rmat.edges : rmat.edges;
    ArcStream stream = {.next = rmat_next, .source = &rmat, .last = rmat.edges, .edges = arcs,
                        .what = "generating"};
    HdGraph *graph = graph_from_stream((uint32_t)1 << spec->scale, HD_WEIGHTS_NONE, &stream, build);
    if (!graph || !(spec->simple || spec->undirected)) return graph;
    graph->directed = !spec->undirected;
    if (graph_drop_repeats(graph, true, true, build)) {
        graph->dropped = (HdGraphDropped){0}; // the caller asked for no dropping: the spec did
        return graph_sorted(graph, build);
    }
    build_drop(build, graph);
    return NULL;
}

typedef struct Uniform {
    uint64_t seed, edges;
    uint32_t vertices;
} Uniform;

static uint32_t uniform_vertex(const Uniform *u, uint64_t draw)
{
    return (uint32_t)draw_scale(random_draw(u->seed, DRAWS_UNIFORM, 0, draw), u->vertices);
}

static size_t uniform_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Uniform *u = source;
    uint64_t end = batch_end(*cursor, u->edges, ARC_BATCH);
    size_t n = 0;
    for (uint64_t e = *cursor; e < end; e++)
        arcs[n++] = (Arc){uniform_vertex(u, 2 * e), uniform_vertex(u, 2 * e + 1), 0};
    *cursor = end;
    return n;
}

HdGraph *generate_uniform(const UniformSpec *spec, GraphBuild *build)
{
    Uniform uniform = {spec->seed, spec->degree * spec->vertices, spec->vertices};
    ArcStream stream = {.next = uniform_next, .source = &uniform, .last = uniform.edges,
                        .edges = uniform.edges, .what = "generating"};
    return graph_from_stream(spec->vertices, HD_WEIGHTS_NONE, &stream, build);
}

typedef struct Grid {
    uint64_t seed, delete_bound;
    uint32_t width, height;
} Grid;

// Returns whether v is joined with its right (or lower) neighbour. Both ends make the same draw.
static bool grid_joined(const Grid *g, uint64_t v, bool down)
{
    return random_draw(g->seed, DRAWS_GRID, down, v) >= g->delete_bound;
}

// The cursor counts vertices. A vertex emits its edges in ascending order of heads.
static size_t grid_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Grid *g = source;
    uint64_t end = batch_end(*cursor, (uint64_t)g->width * g->height, ARC_BATCH / 4);
    size_t n = 0;
    // Continue past a batch of isolated vertices: a return of 0 would end the stream.
    for (uint64_t v = *cursor; v < end || (n == 0 && v < (uint64_t)g->width * g->height); v++) {
        uint32_t x = (uint32_t)(v % g->width), y = (uint32_t)(v / g->width), from = (uint32_t)v;
        if (y > 0 && grid_joined(g, v - g->width, true))
            arcs[n++] = (Arc){from, from - g->width, 0};
        if (x > 0 && grid_joined(g, v - 1, false)) arcs[n++] = (Arc){from, from - 1, 0};
        if (x + 1 < g->width && grid_joined(g, v, false)) arcs[n++] = (Arc){from, from + 1, 0};
        if (y + 1 < g->height && grid_joined(g, v, true))
            arcs[n++] = (Arc){from, from + g->width, 0};
        *cursor = v + 1;
    }
    return n;
}

HdGraph *generate_grid(const GridSpec *spec, GraphBuild *build)
{
    Grid grid = {spec->seed, probability_bound(spec->deleted), spec->width, spec->height};
    uint64_t vertices = (uint64_t)spec->width * spec->height;
    double kept = 1 - (double)spec->deleted / (double)GENERATE_ONE;
    ArcStream stream = {.next = grid_next, .source = &grid, .last = vertices,
                        .expected = 2 * kept * (double)vertices, .what = "generating"};
    HdGraph *graph = graph_from_stream((uint32_t)vertices, HD_WEIGHTS_NONE, &stream, build);
    if (graph) graph->directed = false;
    return graph;
}
