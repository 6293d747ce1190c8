// Generates graphs of overlapping cliques (groups), such as the authors of a paper, the pages of a
// site or the genes of a module.
#include "base/fail.h"
#include "graph/graph_random.h"
#include "graph/generate.h"

// The edges as a hash set with open addressing. A key is from << 32 | to with from < to; 0 marks an
// empty entry, because 0-0 is not an edge.
typedef struct Groups {
    const GroupsSpec *spec;
    uint64_t *table, mask, edges;
    uint32_t *members;
} Groups;

// An integer k from low to high with probability ~ k^-tail.
static uint64_t power_law(uint64_t bits, uint64_t low, uint64_t high, unsigned tail)
{
    double unit = random_unit(bits), a = 1 / (double)low, b = 1 / ((double)high + 1);
    if (tail == 3) {
        a *= a;
        b *= b;
    }
    double inverse = a - unit * (a - b), value = 1 / inverse;
    if (tail == 3) value = __builtin_sqrt(value); // sqrt rounds identically on every host
    uint64_t k = (uint64_t)value;
    return k < low ? low : k > high ? high : k;
}

// Member m of group g of `size` members. Member 0 is the centre: centres are spread evenly over the
// ring of ids by the golden ratio. The other members lie around the centre, or anywhere.
static uint32_t group_member(const GroupsSpec *s, uint64_t g, uint32_t size, uint32_t m)
{
    uint64_t centre = draw_scale(g * 0x9e3779b97f4a7c15u, s->vertices);
    if (m == 0) return (uint32_t)centre;
    uint64_t draw = g << 16 | m;
    if (random_draw(s->seed, DRAWS_GROUPS, 1, draw) < probability_bound(s->far))
        return (uint32_t)draw_scale(random_draw(s->seed, DRAWS_GROUPS, 2, draw), s->vertices);
    uint64_t side = random_draw(s->seed, DRAWS_GROUPS, 3, draw);
    uint64_t half = s->vertices / 2 + 1, scale = (uint64_t)s->reach * size;
    uint64_t reach = scale < half ? scale : half;
    // The power law's least value `reach` represents all distances from 0 to `reach`.
    uint64_t distance = power_law(random_draw(s->seed, DRAWS_GROUPS, 4, draw), reach, half, 2);
    distance -= draw_scale(side << 1, reach);
    uint64_t place = side >> 63 ? centre + distance : centre + s->vertices - distance;
    return (uint32_t)(place % s->vertices);
}

static void set_add(Groups *g, uint32_t a, uint32_t b)
{
    if (a == b) return;
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    uint64_t at = random_mix(key) & g->mask;
    while (g->table[at] && g->table[at] != key) at = (at + 1) & g->mask;
    if (g->table[at]) return;
    g->table[at] = key;
    g->edges++;
}

// The cursor counts entries of the table.
static size_t groups_next(const void *source, uint64_t *cursor, Arc *arcs)
{
    const Groups *g = source;
    size_t n = 0;
    for (; *cursor <= g->mask && n + 2 <= ARC_BATCH; ++*cursor) {
        uint64_t key = g->table[*cursor];
        if (!key) continue;
        arcs[n++] = (Arc){(uint32_t)(key >> 32), (uint32_t)key, 0};
        arcs[n++] = (Arc){(uint32_t)key, (uint32_t)(key >> 32), 0};
    }
    return n;
}

// Joins the members of one group after another until the wanted number of edges is reached.
static bool groups_draw(Groups *g, const GraphBuild *build)
{
    enum { PATIENCE = 16 }; // pairs tried per wanted edge before giving up
    const GroupsSpec *s = g->spec;
    uint64_t wanted = s->edges, pairs = 0;
    if (s->ring)
        for (uint32_t v = 0; v < s->vertices; v++) set_add(g, v, v + 1 < s->vertices ? v + 1 : 0);
    for (uint64_t group = 0; g->edges < wanted; group++) {
        uint64_t draw = random_draw(s->seed, DRAWS_GROUPS, 0, group);
        uint32_t size = (uint32_t)power_law(draw, s->low, s->high, s->tail);
        for (uint32_t m = 0; m < size; m++) {
            g->members[m] = group_member(s, group, size, m);
            for (uint32_t k = 0; k < m && g->edges < wanted; k++, pairs++)
                set_add(g, g->members[k], g->members[m]);
        }
        if (group % 1024 == 0) graph_progress(build, "joining groups", g->edges, wanted);
        if (pairs / PATIENCE > wanted)
            return hd_fail(build->err, "the groups overlap too much: after %llu pairs there are "
                                       "%llu edges where %llu are wanted: raise reach or far, or "
                                       "ask for fewer",
                           (unsigned long long)pairs, (unsigned long long)g->edges,
                           (unsigned long long)wanted);
    }
    return true;
}

HdGraph *generate_groups(const GroupsSpec *spec, GraphBuild *build)
{
    Groups groups = {.spec = spec, .mask = 15};
    while (groups.mask < spec->edges + spec->edges / 2) groups.mask = groups.mask * 2 + 1;
    if (!build_check_graph(build, spec->vertices, 2 * (double)spec->edges)) return NULL;
    groups.table = build_new(build, groups.mask + 1, sizeof *groups.table, "the set of edges");
    groups.members = groups.table ? build_new(build, spec->high, sizeof *groups.members,
                                              "the members of a group") : NULL;
    HdGraph *graph = NULL;
    if (groups.members && groups_draw(&groups, build)) {
        ArcStream stream = {.next = groups_next, .source = &groups, .last = groups.mask + 1,
                            .edges = 2 * groups.edges, .what = "generating"};
        graph = graph_from_mirrored(spec->vertices, &stream, build);
    }
    build_free(build, groups.table);
    build_free(build, groups.members);
    return graph;
}
