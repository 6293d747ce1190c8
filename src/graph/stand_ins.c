// The stand-ins `like:NAME` for graphs used in papers. Each is a generator's spec with the
// published sizes filled in.
#include "base/fail.h"
#include "base/text.h"
#include "graph/generate.h"
#include "graph/generator_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAK "lakshminarayana2014"
#define DSAP "guo2018dsap"
#define IRU "segura2022iru"
#define GW "yilmazer2020gw"

// Variables of a form: $v vertices, $e edges (both directions), $u undirected edges, $s the scale
// (about 2^$s vertices), $w x $h a grid of about $v cells, $m the side of a square plate of 7
// layers with two unknowns per point.
static const HdGraphLike likes[] = {
    {"Graph1M", LAK, 1000000, 5999970, 12, "er:$v,$u"},
    {"rmat20", LAK, 1048576, 8259994, 13, "rmat:$s,8,a=.5,b=.1,c=.1,d=.3,simple=1"},
    {"r4-2e20", LAK, 1048576, 4194304, 16, "uniform:$v,4"},
    {"in-2004", LAK, 1382908, 27182946, 26, "groups:$v,$u,size=2..3000,tail=3,ring=1"},
    {"coPapersDBLP", LAK, 540846, 30491458, 15, "groups:$v,$u,size=4..3000,tail=3,ring=1"},
    {"great-britain", LAK, 7733822, 16313034, 6389, "road:$v,edges=$u"},
    {"er-fact1.5-scale22", LAK, 4194304, 95966450, 7, "er:$v,$u"},
    {"rgg_n_2_22_s0", LAK, 4194304, 60718396, 1141, "rgg:$v,degree=14.48"},
    {"roadNet-CA", DSAP, 1965206, 5533214, 0, "road:$v,edges=$u,express=4"},
    {"USA-road-FLA", DSAP, 1070376, 2712798, 0, "road:$v,edges=$u"},
    {"roadNet-TX", DSAP, 1379917, 3843320, 0, "road:$v,edges=$u,express=4"},
    {"roadNet-PA", DSAP, 1088092, 3083796, 0, "road:$v,edges=$u,express=4"},
    {"oregon-2", DSAP, 11461, 65462, 0, "ba:$v,edges=$u,uniform=.15"},
    {"cit-HepPh", DSAP, 34546, 421578, 0, "ba:$v,edges=$e,directed=1"},
    {"ca", IRU, 710145, 3489366, 0, "delaunay:$v,delete=.181"},
    {"cond", IRU, 40421, 351382, 0, "groups:$v,$u,size=2..100,tail=3,far=.05,ring=1"},
    {"delaunay", IRU, 524288, 3145646, 0, "delaunay:$v"},
    {"human", IRU, 22283, 24647360, 0, "groups:$v,$u,size=2..4000,far=.5,ring=1"},
    {"kron", IRU, 262144, 21165908, 0, "kron:$s,48,undirected=1,shuffle=1"},
    {"msdoor", IRU, 415863, 19825072, 0, "mesh:$mx$mx7,stencil=26,unknowns=2"},
    {"ecology1", GW, 1000000, 3996000, 0, "grid:$wx$h"},
    {"G3_circuit", GW, 1585478, 6075348, 0, "grid:$wx$h,delete=.041"},
    {"coAuthors", GW, 299067, 1955352, 0, "groups:$v,$u,size=2..100,tail=3,far=.05,ring=1"},
    {"1k-128k", GW, 1024, 131072, 0, "er:$v,$u"},
    {"2k-1M", GW, 2048, 1048576, 0, "er:$v,$u"},
    {"graph4096", GW, 4096, 24576, 0, "kout:$v,2..4"},
    {"graph65536", GW, 65536, 393216, 0, "kout:$v,2..4"},
};
enum { LIKES = sizeof likes / sizeof *likes };

// Aliases: names of the original files, or names used by a second paper.
static const struct {
    const char *name, *of;
} other_names[] = {
    {"kron_g500", "kron"}, {"kron_g500-logn18", "kron"}, {"delaunay_n19", "delaunay"},
    {"ca2010", "ca"}, {"cond-mat-2005", "cond"}, {"human_gene1", "human"},
    {"USA-road", "USA-road-FLA"}, {"USA-road-d.FLA", "USA-road-FLA"},
    {"coAuthorsDBLP", "coAuthors"}, {"great-britain_osm", "great-britain"},
    {"ecologi1", "ecology1"}, {"r4_2e20", "r4-2e20"}, {"graph1MW_6", "Graph1M"},
    {"4096", "graph4096"}, {"65536", "graph65536"},
};
enum { OTHER_NAMES = sizeof other_names / sizeof *other_names };

const HdGraphLike *hd_graph_likes(int *count)
{
    *count = LIKES;
    return likes;
}

static const HdGraphLike *like_of(const char *name)
{
    for (int i = 0; i < OTHER_NAMES; i++)
        if (text_same_letters(other_names[i].name, name, SIZE_MAX)) name = other_names[i].of;
    for (int i = 0; i < LIKES; i++)
        if (text_same_letters(likes[i].name, name, SIZE_MAX)) return &likes[i];
    return NULL;
}

// Scales a count: rounds to nearest, at least 1.
static uint64_t scaled(uint64_t count, double scale)
{
    uint64_t value = (uint64_t)((double)count * scale + 0.5);
    return value ? value : 1;
}

// The value of the variable $letter.
static uint64_t like_value(const HdGraphLike *like, char letter, double scale)
{
    uint64_t vertices = scaled(like->vertices, scale), edges = scaled(like->edges, scale), s = 1;
    switch (letter) {
    case 'v': return vertices;
    case 'e': return edges;
    case 'u': return scaled(like->edges / 2, scale);
    case 's': // rounded: the next scale above 1.5 times a power of two
        while ((uint64_t)3 << (s - 1) <= vertices) s++;
        return s;
    case 'w': return isqrt(vertices);
    case 'h': return vertices / isqrt(vertices);
    default: return isqrt(vertices / 14) ? isqrt(vertices / 14) : 1; // m
    }
}

bool hd_graph_like_spec(const HdGraphLike *like, double scale, char spec[HD_GRAPH_SPEC])
{
    size_t n = 0;
    for (const char *p = like->form; *p && n < HD_GRAPH_SPEC; p++) {
        if (*p == '$') {
            unsigned long long value = like_value(like, *++p, scale);
            n += (size_t)snprintf(spec + n, HD_GRAPH_SPEC - n, "%llu", value);
        } else {
            spec[n++] = *p;
        }
    }
    if (n >= HD_GRAPH_SPEC) return false;
    spec[n] = 0;
    return true;
}

// Checks that the scale is not too small. The mean degree stays constant, so a dense graph may run
// out of vertex pairs.
static bool like_fits(const Spec *s, const HdGraphLike *like, double scale)
{
    enum { FEWEST = 64 }; // fewest vertices of a meaningful stand-in
    uint64_t vertices = scaled(like->vertices, scale), edges = scaled(like->edges, scale);
    if (vertices < FEWEST)
        return hd_fail(s->err, "%s: scale=%g would leave fewer than %d of %llu vertices", s->text,
                       scale, FEWEST, (unsigned long long)like->vertices);
    if (edges > vertices * (vertices - 1) / 2)
        return hd_fail(s->err, "%s: scale=%g would leave %llu vertices and %llu edges, more than "
                               "half of all that are possible: take a larger scale", s->text, scale,
                       (unsigned long long)vertices, (unsigned long long)edges);
    return true;
}

HdGraph *spec_like(Spec *s, GraphBuild *build)
{
    static const char *const known[] = {"seed", "scale"};
    double scale = 1;
    const char *seed = spec_take(s, "seed");
    if (!spec_real(s, "scale", 1, &scale) || !spec_check(s, 1, known, 2)) return NULL;
    const HdGraphLike *like = like_of(s->places[0]);
    if (!like) {
        const char *names[LIKES + OTHER_NAMES];
        for (int i = 0; i < LIKES; i++) names[i] = likes[i].name;
        for (int i = 0; i < OTHER_NAMES; i++) names[LIKES + i] = other_names[i].name;
        const char *near = hd_nearest(s->places[0], names, LIKES + OTHER_NAMES);
        hd_fail(s->err, "%s: there is no stand-in '%s': expected one that heddle graph like "
                        "lists%s%s%s",
                s->text, s->places[0], HD_DID_YOU_MEAN(near));
        return NULL;
    }
    if (!like_fits(s, like, scale)) return NULL;
    char spec[HD_GRAPH_SPEC + 32];
    bool fits = hd_graph_like_spec(like, scale, spec);
    size_t n = fits ? strlen(spec) : 0;
    if (seed && strncmp(spec, "mesh:", 5) != 0) // a mesh is not random
        snprintf(spec + n, sizeof spec - n, ",seed=%s", seed);
    return generate(spec, build);
}
