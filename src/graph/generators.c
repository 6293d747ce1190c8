// The table of generators, and how each reads its parameters from a spec.
#include "base/fail.h"
#include "graph/graph_random.h"
#include "graph/generate.h"
#include "graph/generator_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HdGraph *spec_rmat(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "a", "b", "c", "d", "simple", "undirected",
                                        "shuffle"};
    RmatSpec rmat = {.a = GENERATE_ONE / 100 * 57, .b = GENERATE_ONE / 100 * 19,
                     .c = GENERATE_ONE / 100 * 19};
    const uint64_t unset = UINT64_MAX;
    uint64_t scale, d = unset;
    if (!spec_seed(s, &rmat.seed) || !spec_probability(s, "a", &rmat.a) ||
        !spec_probability(s, "b", &rmat.b) || !spec_probability(s, "c", &rmat.c) ||
        !spec_probability(s, "d", &d) || !spec_flag(s, "simple", &rmat.simple) ||
        !spec_flag(s, "undirected", &rmat.undirected) ||
        !spec_flag(s, "shuffle", &rmat.shuffled) || !spec_check(s, 2, known, 8) ||
        !spec_count(s, "scale", s->places[0], 1, 31, &scale) ||
        !spec_count(s, "edge factor", s->places[1], 1, 1 << 26, &rmat.edge_factor))
        return NULL;
    uint64_t sum = rmat.a + rmat.b + rmat.c;
    if (sum > GENERATE_ONE || (d != unset && sum + d != GENERATE_ONE)) {
        hd_fail(s->err, "%s: the probabilities do not add up: expected a+b+c+d = 1 (defaults .57, "
                        ".19, .19; d is what is left)", s->text);
        return NULL;
    }
    rmat.scale = (unsigned)scale;
    return generate_rmat(&rmat, build);
}

static HdGraph *spec_uniform(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed"};
    UniformSpec uniform;
    uint64_t vertices;
    if (!spec_seed(s, &uniform.seed) || !spec_check(s, 2, known, 1) ||
        !spec_count(s, "number of vertices", s->places[0], 1, UINT32_MAX, &vertices) ||
        !spec_count(s, "degree", s->places[1], 0, 1 << 26, &uniform.degree))
        return NULL;
    uniform.vertices = (uint32_t)vertices;
    return generate_uniform(&uniform, build);
}

static HdGraph *spec_grid(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "delete"};
    GridSpec grid = {0};
    uint32_t sizes[2];
    if (!spec_seed(s, &grid.seed) || !spec_probability(s, "delete", &grid.deleted) ||
        !spec_check(s, 1, known, 2) || !spec_sizes(s, "WIDTHxHEIGHT", sizes, 2))
        return NULL;
    grid.width = sizes[0];
    grid.height = sizes[1];
    return generate_grid(&grid, build);
}

// Reads the first positional field, the number of vertices.
static bool spec_vertices(const Spec *s, uint32_t min, uint32_t max, uint32_t *vertices)
{
    uint64_t value;
    if (!spec_count(s, "number of vertices", s->places[0], min, max, &value)) return false;
    *vertices = (uint32_t)value;
    return true;
}

static uint64_t pairs_of(uint32_t vertices) { return (uint64_t)vertices * (vertices - 1) / 2; }

static HdGraph *spec_er(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "p"};
    ErSpec er;
    const uint64_t unset = UINT64_MAX;
    uint64_t p = unset;
    if (!spec_seed(s, &er.seed) || !spec_probability(s, "p", &p) ||
        !spec_check(s, p == unset ? 2 : 1, known, 2) ||
        !spec_vertices(s, 1, UINT32_MAX, &er.vertices))
        return NULL;
    if (p != unset) {
        GnpSpec gnp = {er.vertices, p, er.seed};
        return generate_gnp(&gnp, build);
    }
    if (!spec_count(s, "number of edges", s->places[1], 0, pairs_of(er.vertices), &er.edges))
        return NULL;
    return generate_er(&er, build);
}

static HdGraph *spec_kout(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "directed"};
    KoutSpec kout;
    SpecRange choices;
    if (!spec_seed(s, &kout.seed) || !spec_flag(s, "directed", &kout.directed) ||
        !spec_check(s, 2, known, 2) || !spec_vertices(s, 2, UINT32_MAX, &kout.vertices) ||
        !spec_range(s, "number of choices", s->places[1], (SpecRange){1, 1 << 26}, &choices))
        return NULL;
    kout.low = choices.low;
    kout.high = choices.high;
    return generate_kout(&kout, build);
}

static HdGraph *spec_rgg(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "radius", "degree"};
    RggSpec rgg = {0};
    if (!spec_seed(s, &rgg.seed) || !spec_real(s, "radius", 2, &rgg.radius) ||
        !spec_real(s, "degree", UINT32_MAX, &rgg.degree) || !spec_check(s, 1, known, 3) ||
        !spec_vertices(s, 1, UINT32_MAX, &rgg.vertices))
        return NULL;
    if ((rgg.radius > 0) == (rgg.degree > 0)) {
        hd_fail(s->err, "%s: expected either radius= or degree=, as in %s", s->text, s->form);
        return NULL;
    }
    return generate_rgg(&rgg, build);
}

static HdGraph *spec_delaunay(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "delete"};
    DelaunaySpec delaunay = {0};
    if (!spec_seed(s, &delaunay.seed) || !spec_probability(s, "delete", &delaunay.deleted) ||
        !spec_check(s, 1, known, 2) || !spec_vertices(s, 1, INT32_MAX, &delaunay.vertices))
        return NULL;
    return generate_delaunay(&delaunay, build);
}

static HdGraph *spec_ba(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "edges", "uniform", "directed"};
    BaSpec ba = {.uniform = GENERATE_ONE / 2};
    uint64_t each;
    const char *edges = spec_take(s, "edges");
    if (!spec_seed(s, &ba.seed) || !spec_probability(s, "uniform", &ba.uniform) ||
        !spec_flag(s, "directed", &ba.directed) || !spec_check(s, edges ? 1 : 2, known, 4) ||
        !spec_vertices(s, 2, UINT32_MAX, &ba.vertices))
        return NULL;
    // At most 1024 per vertex, because a linear search finds duplicates among a vertex's edges.
    uint64_t most = pairs_of(ba.vertices), some = (uint64_t)1024 * (ba.vertices - 1);
    if (!edges) {
        uint64_t limit = ba.vertices - 1 < 1024 ? ba.vertices - 1 : 1024;
        if (!spec_count(s, "number of edges of a vertex", s->places[1], 1, limit, &each))
            return NULL;
        ba.each = (uint32_t)each;
    } else if (!spec_count(s, "number of edges", edges, ba.vertices - 1, most < some ? most : some,
                           &ba.edges)) {
        return NULL;
    }
    return generate_ba(&ba, build);
}

static HdGraph *spec_ws(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "p"};
    WsSpec ws = {0};
    uint64_t degree;
    if (!spec_seed(s, &ws.seed) || !spec_probability(s, "p", &ws.rewired) ||
        !spec_check(s, 2, known, 2) || !spec_vertices(s, 3, UINT32_MAX, &ws.vertices) ||
        !spec_count(s, "degree", s->places[1], 2,
                    ws.vertices - 1 < 2048 ? ws.vertices - 1 : 2048, &degree))
        return NULL;
    if (degree % 2) {
        hd_fail(s->err, "%s: the degree %s is odd: expected an even number",
                s->text, s->places[1]);
        return NULL;
    }
    ws.degree = (uint32_t)degree;
    return generate_ws(&ws, build);
}

static HdGraph *spec_mesh(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"stencil", "unknowns"};
    uint64_t stencil = 6, unknowns = 1;
    uint32_t sizes[3];
    if (!spec_option(s, "stencil", 6, 26, &stencil) ||
        !spec_option(s, "unknowns", 1, 64, &unknowns) || !spec_check(s, 1, known, 2) ||
        !spec_sizes(s, "XxYxZ", sizes, 3))
        return NULL;
    if (stencil != 6 && stencil != 26) {
        hd_fail(s->err, "%s: stencil=%llu: expected 6 or 26", s->text,
                (unsigned long long)stencil);
        return NULL;
    }
    uint64_t points = (uint64_t)sizes[0] * sizes[1] * sizes[2];
    if (points * unknowns > UINT32_MAX) {
        hd_fail(s->err, "%s: %llu points with %llu unknowns each are too many vertices: expected "
                        "at most 4294967295", s->text, (unsigned long long)points,
                (unsigned long long)unknowns);
        return NULL;
    }
    MeshSpec mesh = {sizes[0], sizes[1], sizes[2], (uint32_t)stencil, (uint32_t)unknowns};
    return generate_mesh(&mesh, build);
}

static HdGraph *spec_road(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "degree", "edges", "express"};
    RoadSpec road = {0};
    double degree = 0;
    uint64_t express = 0;
    const char *edges = spec_take(s, "edges");
    if (!spec_seed(s, &road.seed) || !spec_real(s, "degree", 2.9, &degree) ||
        !spec_option(s, "express", 0, 1 << 16, &express) || !spec_check(s, 1, known, 4) ||
        !spec_vertices(s, 16, UINT32_MAX, &road.vertices))
        return NULL;
    if (edges && degree > 0) {
        hd_fail(s->err, "%s: expected either degree= or edges=, as in %s", s->text, s->form);
        return NULL;
    }
    if (degree > 0 && degree < 2) {
        hd_fail(s->err, "%s: degree=%g: expected 2 to 2.9", s->text, degree);
        return NULL;
    }
    if (express == 1 || express == 2) {
        hd_fail(s->err, "%s: express=%u: expected 0, or 3 and more", s->text, (unsigned)express);
        return NULL;
    }
    uint64_t most = (uint64_t)((double)road.vertices * 1.45);
    road.edges = (uint64_t)((double)road.vertices * (degree > 0 ? degree : 2.5) / 2);
    if (road.edges < road.vertices - 1) road.edges = road.vertices - 1;
    if (edges && !spec_count(s, "number of edges", edges, road.vertices - 1, most, &road.edges))
        return NULL;
    road.express = (uint32_t)express;
    return generate_road(&road, build);
}

static HdGraph *spec_groups(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "size", "tail", "reach", "far", "ring"};
    GroupsSpec groups = {0};
    SpecRange sizes = {2, 50};
    uint64_t tail = 2, reach = 1;
    const char *size = spec_take(s, "size");
    if (!spec_seed(s, &groups.seed) ||
        (size && !spec_range(s, "size", size, (SpecRange){2, 65535}, &sizes)) ||
        !spec_option(s, "tail", 2, 3, &tail) || !spec_option(s, "reach", 1, UINT32_MAX, &reach) ||
        !spec_probability(s, "far", &groups.far) || !spec_flag(s, "ring", &groups.ring) ||
        !spec_check(s, 2, known, 6) || !spec_vertices(s, 2, UINT32_MAX, &groups.vertices) ||
        !spec_count(s, "number of edges", s->places[1], groups.ring ? groups.vertices : 0,
                    pairs_of(groups.vertices) / 2, &groups.edges))
        return NULL;
    groups.low = (uint32_t)sizes.low;
    groups.high = (uint32_t)sizes.high;
    groups.tail = (unsigned)tail;
    groups.reach = (uint32_t)reach;
    return generate_groups(&groups, build);
}

typedef struct Generator {
    const char *name, *form;
    HdGraph *(*make)(Spec *s, GraphBuild *build);
    const char *text; // what `heddle graph generators` says
} Generator;

#define RMAT_OPTIONS \
    ":SCALE,EDGEFACTOR[,seed=N][,a=.57][,b=.19][,c=.19][,d=.05][,simple=0][,undirected=0]" \
    "[,shuffle=0]"

static const Generator generators[] = {
    {"rmat", "rmat" RMAT_OPTIONS, spec_rmat,
     "2^SCALE vertices and EDGEFACTOR times as many directed edges, each placed by R-MAT "
     "(Chakrabarti, Zhan and Faloutsos, SDM 2004) with probabilities a, b, c and d. simple=1 drops "
     "self loops and repeated edges, undirected=1 adds the reverse of each edge and is simple, "
     "shuffle=1 renumbers the vertices at random (else low ids are the hubs)."},
    {"kron", "kron" RMAT_OPTIONS, spec_rmat, "Another name of rmat."},
    {"uniform", "uniform:VERTICES,DEGREE[,seed=N]", spec_uniform,
     "VERTICES x DEGREE directed edges, both ends drawn uniformly."},
    {"grid", "grid:WIDTHxHEIGHT[,delete=0][,seed=N]", spec_grid,
     "Vertices joined left, right, up and down, in both directions; each pair is left out with "
     "probability `delete`."},
    {"er", "er:VERTICES,EDGES[,seed=N] or er:VERTICES,p=PROBABILITY[,seed=N]", spec_er,
     "Erdos and Renyi. G(n,m): EDGES different edges, every set equally likely. G(n,p): each pair "
     "is joined with PROBABILITY."},
    {"kout", "kout:VERTICES,LOW..HIGH[,directed=0][,seed=N]", spec_kout,
     "Every vertex chooses LOW to HIGH of the others (repeats are possible). The edges go both "
     "ways, with directed=1 only from the chooser."},
    {"rgg", "rgg:VERTICES,radius=R[,seed=N] or rgg:VERTICES,degree=D[,seed=N]", spec_rgg,
     "Random geometric: points in the unit square, joined if they are at most R apart. degree=D "
     "chooses R so that a vertex away from the border has D neighbours on average."},
    {"delaunay", "delaunay:VERTICES[,delete=0][,seed=N]", spec_delaunay,
     "Delaunay triangulation of points in the square; each edge is left out with probability "
     "`delete`."},
    {"ba", "ba:VERTICES,EACH[,uniform=.5][,directed=0][,seed=N] or ba:VERTICES,edges=EDGES[,...]",
     spec_ba,
     "Barabasi and Albert (1999): each new vertex joins EACH older ones, or EDGES are shared out "
     "evenly. An older vertex is drawn uniformly with probability u = `uniform`, else in "
     "proportion to the edges that newer vertices have to it. The degrees' exponent is "
     "2 + u / (1 - u): .5 is the classic 3, less gives larger hubs. With directed=1 edges go only "
     "from the newer to the older vertex, as papers cite, and the newest is vertex 0."},
    {"ws", "ws:VERTICES,DEGREE[,p=0][,seed=N]", spec_ws,
     "Watts and Strogatz (1998): a ring, each vertex joined with the DEGREE nearest, half on "
     "either side. With probability p each edge's far end is moved anywhere, never to itself or "
     "to a vertex that it is already joined with."},
    {"mesh", "mesh:XxYxZ[,stencil=6|26][,unknowns=1]", spec_mesh,
     "The points of a box, each joined with its neighbours: stencil=6 along the axes, 26 all "
     "around. Each point has `unknowns` vertices, which are joined with each other and with all "
     "vertices of the neighbours, as in a finite element's matrix."},
    {"road", "road:VERTICES[,degree=2.5][,express=0][,seed=N] or road:VERTICES,edges=EDGES[,...]",
     spec_road,
     "A street network: a connected map of crossings with 3 streets each on average. Streets are "
     "chains of vertices of degree 2; some are dead ends. `degree` (2 to 2.9) or EDGES sets the "
     "number of crossings. With express=S (from 3; 0: none), every S-th street in either direction "
     "is an express way. It leads straight from one express crossing to the next, which shortens "
     "long paths."},
    {"groups",
     "groups:VERTICES,EDGES[,size=2..50][,tail=2|3][,reach=1][,far=0][,ring=0][,seed=N]",
     spec_groups,
     "Cliques that overlap (papers and their authors, pages of a site), until there are EDGES "
     "different edges. A clique has `size` members, sizes k falling with k^-tail. Its members lie "
     "around a place in a ring of all ids. Their distances begin at about `reach` times the size, "
     "and the probability of a distance falls with its square. With probability `far` a member "
     "lies anywhere. ring=1 first joins each vertex with the next, so that the graph is "
     "connected."},
    {"like", "like:NAME[,scale=1][,seed=N]", spec_like,
     "The stand-in for a paper's graph (heddle graph like); `scale` shrinks vertices and edges "
     "together."},
};
enum { GENERATORS = sizeof generators / sizeof *generators };

static const Generator *generator_of(const char *spec)
{
    const char *colon = strchr(spec, ':');
    for (int i = 0; colon && i < GENERATORS; i++) {
        size_t length = strlen(generators[i].name);
        if (length == (size_t)(colon - spec) && memcmp(generators[i].name, spec, length) == 0)
            return &generators[i];
    }
    return NULL;
}

bool is_generator_spec(const char *spec) { return generator_of(spec) != NULL; }

const char *nearest_generator(const char *spec)
{
    const char *names[GENERATORS];
    const char *colon = strchr(spec, ':');
    char word[16] = "";
    if (!colon || (size_t)(colon - spec) >= sizeof word) return NULL;
    memcpy(word, spec, (size_t)(colon - spec));
    for (int i = 0; i < GENERATORS; i++) names[i] = generators[i].name;
    return hd_nearest(word, names, GENERATORS);
}

void generator_names(char *text, size_t size)
{
    size_t n = 0;
    for (int i = 0; i < GENERATORS && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s:", i == 0 ? "" : i == GENERATORS - 1
                              ? " and " : ", ", generators[i].name);
}

HdGraph *generate(const char *spec, GraphBuild *build)
{
    const Generator *generator = generator_of(spec);
    Spec s;
    HdGraph *graph = NULL;
    if (spec_cut(&s, spec, generator->form, build->err))
        graph = generator->make(&s, build);
    free(s.copy);
    return graph;
}

bool hd_graph_generator(int index, HdGraphKind *kind)
{
    if (index >= GENERATORS) return false;
    snprintf(kind->name, sizeof kind->name, "%s", generators[index].form);
    kind->text = generators[index].text;
    return true;
}
