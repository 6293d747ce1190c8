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

#define LONESTAR "LonestarGPU's inputs: https://iss.oden.utexas.edu/?p=projects/galois/lonestargpu"
#define DIMACS_10 "10th DIMACS challenge: https://sites.cc.gatech.edu/dimacs10/downloads.shtml"
#define SNAP "SNAP: https://snap.stanford.edu/data/"
#define TAMU "https://sparse.tamu.edu/"
#define PANNOTIA "https://github.com/pannotia/pannotia, "
#define RODINIA "Rodinia's data, bfs/: https://www.cs.virginia.edu/rodinia/"

// Variables of a form: $v vertices, $e edges (both directions), $u undirected edges, $s the scale
// (about 2^$s vertices), $w x $h a grid of about $v cells, $m the side of a square plate of 7
// layers with two unknowns per point.
static const HdGraphLike likes[] = {
    {"Graph1M", LAK, 1000000, 5999970, 12, "er:$v,$u",
     "Parboil's data sets, bfs/1M: http://impact.crhc.illinois.edu/parboil/parboil.aspx",
     "An Erdos-Renyi graph. Rodinia's generator (kout:1000000,2..4) gives the same number of "
     "edges, and a depth of 10."},
    {"rmat20", LAK, 1048576, 8259994, 13, "rmat:$s,8,a=.5,b=.1,c=.1,d=.3,simple=1",
     LONESTAR,
     "Of five usual choices of R-MAT's probabilities only this gives the published number of "
     "edges, to 0.02 %. The depth is 11, two levels short, whichever vertex the search starts "
     "from; the original's numbering and source are not known."},
    {"r4-2e20", LAK, 1048576, 4194304, 16, "uniform:$v,4",
     LONESTAR, NULL},
    {"in-2004", LAK, 1382908, 27182946, 26, "groups:$v,$u,size=2..3000,tail=3,ring=1",
     DIMACS_10,
     "The degrees are less skewed than those of the web."},
    {"coPapersDBLP", LAK, 540846, 30491458, 15, "groups:$v,$u,size=4..3000,tail=3,ring=1",
     DIMACS_10,
     "The degrees are less skewed than those of authors with thousands of papers in common."},
    {"great-britain", LAK, 7733822, 16313034, 6389, "road:$v,edges=$u",
     DIMACS_10 ", great-britain_osm",
     "Street networks of one country have other shapes than a square map, and the source of a "
     "search lies elsewhere: that the depth agrees to 1 % is luck."},
    {"er-fact1.5-scale22", LAK, 4194304, 95966450, 7, "er:$v,$u",
     "10th DIMACS challenge; https://sparse.tamu.edu/DIMACS10, https://sparse.tamu.edu/LAW", NULL},
    {"rgg_n_2_22_s0", LAK, 4194304, 60718396, 1141, "rgg:$v,degree=14.48",
     DIMACS_10, NULL},
    {"roadNet-CA", DSAP, 1965206, 5533214, 0, "road:$v,edges=$u,express=4",
     SNAP,
     "Table 2 prints undirected edges, which count twice here; its 27,766,607 is a misprint "
     "for SNAP's 2,766,607. SNAP gives a diameter of 849. A plain map of crossings would be "
     "three times as long: so there are express ways."},
    {"USA-road-FLA", DSAP, 1070376, 2712798, 0, "road:$v,edges=$u",
     "9th DIMACS challenge, USA-road-d.FLA.gr.gz: "
     "http://www.diag.uniroma1.it/challenge9/download.shtml",
     "\"USA-Road\" has the sizes of this one of the challenge."},
    {"roadNet-TX", DSAP, 1379917, 3843320, 0, "road:$v,edges=$u,express=4",
     SNAP,
     "SNAP gives a diameter of 1054."},
    {"roadNet-PA", DSAP, 1088092, 3083796, 0, "road:$v,edges=$u,express=4",
     SNAP,
     "Table 2's 188,092 vertices are a misprint for SNAP's 1,088,092. SNAP gives a diameter of "
     "786."},
    {"oregon-2", DSAP, 11461, 65462, 0, "ba:$v,edges=$u,uniform=.15",
     SNAP " (nine files: the one of 26 May 2001, with 11,461 vertices)",
     "No vertex has degree 1; many of the original's have."},
    {"cit-HepPh", DSAP, 34546, 421578, 0, "ba:$v,edges=$e,directed=1",
     SNAP, NULL},
    {"ca", IRU, 710145, 3489366, 0, "delaunay:$v,delete=.181",
     TAMU "DIMACS10/ca2010",
     "Table 3 prints thousands of vertices and millions of edges: these are the matrix's, "
     "without the diagonal."},
    {"cond", IRU, 40421, 351382, 0, "groups:$v,$u,size=2..100,tail=3,far=.05,ring=1",
     TAMU "Newman/cond-mat-2005", NULL},
    {"delaunay", IRU, 524288, 3145646, 0, "delaunay:$v",
     TAMU "DIMACS10/delaunay_n19", NULL},
    {"human", IRU, 22283, 24647360, 0, "groups:$v,$u,size=2..4000,far=.5,ring=1",
     TAMU "Belcastro/human_gene1",
     "Is so dense that it cannot shrink below a tenth."},
    {"kron", IRU, 262144, 21165908, 0, "kron:$s,48,undirected=1,shuffle=1",
     TAMU "DIMACS10/kron_g500-logn18",
     "Shrinks by powers of two and becomes relatively denser."},
    {"msdoor", IRU, 415863, 19825072, 0, "mesh:$mx$mx7,stencil=26,unknowns=2",
     TAMU "INPRO/msdoor",
     "A plate of 7 layers with two unknowns at a point. Its degrees are like the original's, "
     "its shape is not."},
    {"ecology1", GW, 1000000, 3996000, 0, "grid:$wx$h",
     TAMU "McRae/ecology1", NULL},
    {"G3_circuit", GW, 1585478, 6075348, 0, "grid:$wx$h,delete=.041",
     TAMU "AMD/G3_circuit", NULL},
    {"coAuthors", GW, 299067, 1955352, 0, "groups:$v,$u,size=2..100,tail=3,far=.05,ring=1",
     TAMU "DIMACS10/coAuthorsDBLP",
     "Taken to be coAuthorsDBLP, whose mean degree is not the 17 of the paper's Figure 3."},
    {"1k-128k", GW, 1024, 131072, 0, "er:$v,$u",
     PANNOTIA "1k_128k.gr",
     "The original's edges have one direction, and some are repeated."},
    {"2k-1M", GW, 2048, 1048576, 0, "er:$v,$u",
     PANNOTIA "2k_1M.gr", NULL},
    {"graph4096", GW, 4096, 24576, 0, "kout:$v,2..4",
     RODINIA,
     "The input of Rodinia's BFS, about 6 edges to a vertex."},
    {"graph65536", GW, 65536, 393216, 0, "kout:$v,2..4",
     RODINIA,
     "The input of Rodinia's BFS, about 6 edges to a vertex."},
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

const HdGraphLike *hd_graph_like_find(const char *name, HdError *err)
{
    const char *given = name, *names[LIKES + OTHER_NAMES];
    for (int i = 0; i < OTHER_NAMES; i++)
        if (text_same_letters(other_names[i].name, name, SIZE_MAX)) name = other_names[i].of;
    for (int i = 0; i < LIKES; i++)
        if (text_same_letters(likes[i].name, name, SIZE_MAX)) return &likes[i];
    for (int i = 0; i < LIKES; i++) names[i] = likes[i].name;
    for (int i = 0; i < OTHER_NAMES; i++) names[LIKES + i] = other_names[i].name;
    const char *near = hd_nearest(given, names, LIKES + OTHER_NAMES);
    hd_fail(err, "there is no stand-in '%s': expected one that heddle graph like lists%s%s%s",
            given, HD_DID_YOU_MEAN(near));
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
    HdError unknown;
    const HdGraphLike *like = hd_graph_like_find(s->places[0], &unknown);
    if (!like) {
        hd_fail(s->err, "%s: %s", s->text, unknown.text);
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
