// Generates graphs that grow or are rewired edge by edge: preferential attachment (Barabasi, Albert
// 1999) and small worlds (Watts, Strogatz 1998). Both keep one array of heads.
#include "graph/graph_random.h"
#include "graph/generate.h"

// Rejected draws of an end before it is chosen without chance.
enum { TRIES = 64 };

// Edges, ordered by tail. Each vertex has `each` edges; if each == 0, `edges` are shared out
// evenly. If `older`, edges lead only to earlier vertices: the first vertices have fewer edges and
// form a clique.
typedef struct Heads {
    uint32_t vertices;
    uint64_t edges, each;
    uint32_t *head;
    bool directed; // edges only from newer to older; the newest vertex is vertex 0
    bool older;
} Heads;

// The index of the first edge of vertex v.
static uint64_t heads_first(const Heads *h, uint64_t v)
{
    if (!h->older) return v * h->each;
    if (v <= h->each) return v * (v - (v > 0)) / 2;
    if (h->each) return h->each * v - h->each * (h->each + 1) / 2;
    uint64_t share = (uint64_t)((unsigned __int128)h->edges * (v - 1) / (h->vertices - 1));
    uint64_t clique = v * (v - 1) / 2;
    return clique < share ? clique : share;
}

// The vertex that edge e starts at.
static uint32_t heads_tail(const Heads *h, uint64_t e)
{
    uint32_t low = 0, high = h->vertices - 1;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (heads_first(h, middle) <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static size_t heads_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Heads *h = source;
    uint64_t end = batch_end(*cursor, h->edges, ARC_BATCH / 2);
    size_t n = 0;
    if (*cursor == end) return 0;
    uint32_t tail = heads_tail(h, *cursor);
    for (uint64_t e = *cursor; e < end; e++) {
        while (heads_first(h, (uint64_t)tail + 1) <= e) tail++;
        uint32_t head = h->head[e], newest = h->vertices - 1;
        if (h->directed) {
            arcs[n++] = (Arc){newest - tail, newest - head, 0};
        } else {
            arcs[n++] = (Arc){tail, head, 0};
            arcs[n++] = (Arc){head, tail, 0};
        }
    }
    *cursor = end;
    return n;
}

// Builds the graph and frees the heads.
static HdGraph *heads_graph(Heads *h, GraphBuild *build)
{
    ArcStream stream = {.next = heads_next, .source = h, .last = h->edges, .what = "generating"};
    HdGraph *graph = graph_from_mirrored(h->vertices, &stream, build);
    if (graph) graph->directed = h->directed;
    build_free(build, h->head);
    return graph;
}

static bool heads_make(Heads *h, GraphBuild *build)
{
    double edges = (double)h->edges * (h->directed ? 1 : 2);
    if (!build_check_graph(build, h->vertices, edges)) return false;
    h->head = build_new(build, h->edges, sizeof *h->head, "the drawn edges");
    return h->head;
}

// Returns whether u is a head of one of the edges first .. end - 1.
static bool heads_hold(const Heads *h, uint64_t first, uint64_t end, uint32_t u)
{
    for (uint64_t e = first; e < end; e++)
        if (h->head[e] == u) return true;
    return false;
}

// Draws the head of edge e of vertex v. With probability `uniform` it is any older vertex,
// otherwise the head of any older edge: a vertex is then drawn in proportion to its edges from
// newer vertices.
static uint32_t ba_head(const Heads *h, const BaSpec *spec, uint64_t bound, uint64_t first,
                        uint64_t e, uint32_t v)
{
    uint32_t head;
    for (uint32_t attempt = 0; attempt < TRIES; attempt++) {
        uint64_t kind = random_draw(spec->seed, DRAWS_BA, 2 * attempt, e);
        uint64_t which = random_draw(spec->seed, DRAWS_BA, 2 * attempt + 1, e);
        head = first == 0 || kind < bound ? (uint32_t)draw_scale(which, v)
                                          : h->head[draw_scale(which, first)];
        if (!heads_hold(h, first, e, head)) return head;
    }
    for (head = 0; heads_hold(h, first, e, head);) head++;
    return head; // the oldest vertex not yet joined with v
}

// Barabasi and Albert: each new vertex joins older ones.
HdGraph *generate_ba(const BaSpec *spec, GraphBuild *build)
{
    Heads heads = {.vertices = spec->vertices, .edges = spec->edges, .each = spec->each,
                   .directed = spec->directed, .older = true};
    if (spec->each) heads.edges = heads_first(&heads, spec->vertices);
    if (!heads_make(&heads, build)) return NULL;
    uint64_t bound = probability_bound(spec->uniform);
    for (uint32_t v = 1; v < spec->vertices; v++) {
        uint64_t first = heads_first(&heads, v), end = heads_first(&heads, (uint64_t)v + 1);
        for (uint64_t e = first; e < end; e++)
            heads.head[e] = ba_head(&heads, spec, bound, first, e, v);
        if (v % 1024 == 0) graph_progress(build, "drawing edges", v, spec->vertices);
    }
    return heads_graph(&heads, build);
}

// Returns whether an edge of u or of v joins them.
static bool ws_joined(const Heads *h, uint32_t u, uint32_t v)
{
    return heads_hold(h, u * h->each, u * h->each + h->each, v) ||
           heads_hold(h, v * h->each, v * h->each + h->each, u);
}

// Watts and Strogatz: a ring in which each vertex is joined with its nearest neighbours. Then the
// far end of each edge, in turn, is redrawn with probability `rewired`, avoiding loops and
// duplicates.
HdGraph *generate_ws(const WsSpec *spec, GraphBuild *build)
{
    uint32_t each = spec->degree / 2;
    Heads heads = {.vertices = spec->vertices, .each = each,
                   .edges = (uint64_t)spec->vertices * each};
    if (!heads_make(&heads, build)) return NULL;
    for (uint64_t e = 0; e < heads.edges; e++)
        heads.head[e] = (uint32_t)((e / each + e % each + 1) % spec->vertices);
    uint64_t bound = probability_bound(spec->rewired);
    for (uint64_t e = 0; e < heads.edges; e++) {
        if (e % 4096 == 0) graph_progress(build, "rewiring", e, heads.edges);
        if (random_draw(spec->seed, DRAWS_WS, 0, e) >= bound) continue;
        uint32_t v = (uint32_t)(e / each);
        for (uint32_t attempt = 1; attempt <= TRIES; attempt++) {
            uint64_t draw = random_draw(spec->seed, DRAWS_WS, attempt, e);
            uint32_t u = (uint32_t)draw_scale(draw, spec->vertices);
            if (u == v || ws_joined(&heads, u, v)) continue;
            heads.head[e] = u;
            break;
        }
    }
    return heads_graph(&heads, build);
}
