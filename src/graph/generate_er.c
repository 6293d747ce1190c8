// Generates random graphs whose edges are independent: Erdos-Renyi with a number of edges or with a
// probability, and graphs in which each vertex chooses its neighbours. An edge depends only on the
// parameters, the seed and its index, so only the finished graph needs memory.
#include "graph/graph_random.h"
#include "graph/generate.h"

#include <string.h>

// Writes both directions of vertex pair n (n < v * (v - 1) / 2). Vertices form a ring; n / v + 1 is
// the distance of the pair on it. If v is even, the greatest distance has only v / 2 pairs.
static size_t put_pair(Arc *arcs, uint64_t n, uint32_t vertices)
{
    uint64_t a = n % vertices, b = (a + n / vertices + 1) % vertices;
    arcs[0] = (Arc){(uint32_t)a, (uint32_t)b, 0};
    arcs[1] = (Arc){(uint32_t)b, (uint32_t)a, 0};
    return 2;
}

static uint64_t pairs_of(uint32_t vertices) { return (uint64_t)vertices * (vertices - 1) / 2; }

typedef struct Er {
    uint32_t vertices;
    uint64_t edges;
    Shuffle pairs;
} Er;

// Takes the first `edges` pairs of a random permutation of all pairs, so no edge repeats.
static size_t er_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Er *er = source;
    uint64_t end = batch_end(*cursor, er->edges, ARC_BATCH / 2);
    size_t n = 0;
    for (uint64_t e = *cursor; e < end; e++)
        n += put_pair(arcs + n, shuffle_number(&er->pairs, e), er->vertices);
    *cursor = end;
    return n;
}

HdGraph *generate_er(const ErSpec *spec, GraphBuild *build)
{
    Er er = {spec->vertices, spec->edges,
             shuffle_of(pairs_of(spec->vertices), spec->vertices, spec->seed, DRAWS_ER)};
    ArcStream stream = {.next = er_next, .source = &er, .last = er.edges, .edges = 2 * er.edges,
                        .what = "generating"};
    return graph_from_mirrored(spec->vertices, &stream, build);
}

// The natural logarithm of (1 + s) / (1 - s) for |s| <= 0.2, to 15 digits. Uses only operations
// that round identically on every host.
static double log_of_ratio(double s)
{
    double square = s * s, sum = 0;
    for (int k = 25; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * s * sum;
}

// The natural logarithm of 0 < x < 1.
static double log_of(double x)
{
    const double log_2 = 0.69314718055994530942;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1022;
    bits = (bits & 0xfffffffffffffu) | (uint64_t)1022 << 52; // 0.5 <= m < 1
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    return exponent * log_2 + log_of_ratio((m - 1) / (m + 1));
}

typedef struct Gnp {
    uint32_t vertices;
    uint64_t pairs, seed;
    double log_absent; // log of the probability that a pair is not joined; 0 if all are
} Gnp;

// The cursor is the next pair to decide.
static size_t gnp_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Gnp *g = source;
    size_t n = 0;
    while (*cursor < g->pairs && n + 2 <= ARC_BATCH) {
        uint64_t skip = 0; // unjoined pairs before the next joined one: geometrically distributed
        if (g->log_absent != 0) {
            double unit = random_unit(random_draw(g->seed, DRAWS_GNP, 0, *cursor)) + 0x1p-54;
            double real = log_of(unit) / g->log_absent;
            skip = real < 0x1p63 ? (uint64_t)real : (uint64_t)1 << 63;
        }
        if (skip >= g->pairs - *cursor) {
            *cursor = g->pairs;
        } else {
            n += put_pair(arcs + n, *cursor + skip, g->vertices);
            *cursor += skip + 1;
        }
    }
    return n;
}

HdGraph *generate_gnp(const GnpSpec *spec, GraphBuild *build)
{
    Gnp gnp = {.vertices = spec->vertices, .pairs = pairs_of(spec->vertices), .seed = spec->seed};
    double p = (double)spec->probability / (double)GENERATE_ONE;
    // For a small p, 1 - p would lose precision.
    if (p < 1) gnp.log_absent = p < 0.25 ? log_of_ratio(-p / (2 - p)) : log_of(1 - p);
    if (spec->probability == 0) gnp.pairs = 0;
    ArcStream stream = {.next = gnp_next, .source = &gnp, .last = gnp.pairs,
                        .expected = 2 * p * (double)gnp.pairs, .what = "generating"};
    return graph_from_mirrored(spec->vertices, &stream, build);
}

typedef struct Kout {
    uint32_t vertices;
    uint64_t low, high, seed;
    bool directed;
} Kout;

// The cursor counts choices, `high` per vertex. Choices beyond the vertex's drawn degree are
// skipped.
static size_t kout_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Kout *k = source;
    uint64_t last = k->high * k->vertices;
    size_t n = 0;
    for (; *cursor < last && n + 2 <= ARC_BATCH; ++*cursor) {
        uint64_t v = *cursor / k->high, choices = k->high - k->low + 1;
        uint64_t degree = k->low + draw_scale(random_draw(k->seed, DRAWS_KOUT, 0, v), choices);
        if (*cursor % k->high >= degree) continue;
        // Any vertex but v.
        uint64_t u = draw_scale(random_draw(k->seed, DRAWS_KOUT, 1, *cursor), k->vertices - 1);
        u += u >= v;
        arcs[n++] = (Arc){(uint32_t)v, (uint32_t)u, 0};
        if (!k->directed) arcs[n++] = (Arc){(uint32_t)u, (uint32_t)v, 0};
    }
    return n;
}

HdGraph *generate_kout(const KoutSpec *spec, GraphBuild *build)
{
    Kout kout = {spec->vertices, spec->low, spec->high, spec->seed, spec->directed};
    double choices = (double)(spec->low + spec->high) / 2 * (spec->directed ? 1 : 2);
    ArcStream stream = {.next = kout_next, .source = &kout, .last = spec->high * spec->vertices,
                        .expected = choices * spec->vertices, .what = "generating"};
    if (!spec->directed) return graph_from_mirrored(spec->vertices, &stream, build);
    return graph_from_stream(spec->vertices, HD_WEIGHTS_NONE, &stream, build);
}
