// Stand-ins: each, at a small scale, has the original's vertices and edges, scaled, and its kind of
// structure.
#include "graph_checks.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static HdGraph *open_scaled(const HdGraphLike *like, double scale)
{
    char spec[64];
    snprintf(spec, sizeof spec, "like:%s,scale=%g", like->name, scale);
    return open_ok(spec);
}

// At most 2 % off, because grids cannot have arbitrary numbers of vertices. R-MAT meets more
// repeats at a small scale (a dense one half), and meshes have more border.
static void test_sizes(void **state)
{
    (void)state;
    int count;
    const HdGraphLike *likes = hd_graph_likes(&count);
    assert_int_equal(count, 27);
    for (int i = 0; i < count; i++) {
        double scale = likes[i].vertices > 100000 ? 0.0625 : likes[i].vertices > 8000 ? 0.25 : 1;
        if (likes[i].vertices > 100000 && likes[i].edges > 20000000) scale /= 16;
        HdGraph *g = open_scaled(&likes[i], scale);
        double vertices = (double)likes[i].vertices * scale, edges = (double)likes[i].edges * scale;
        bool drawn = strncmp(likes[i].form, "rmat", 4) == 0 ||
                     strncmp(likes[i].form, "kron", 4) == 0 ||
                     strncmp(likes[i].form, "mesh", 4) == 0;
        double slack = drawn ? 0.55 : 0.02;
        if (g->vertices < vertices * 0.98 || g->vertices > vertices * 1.02 ||
            (double)g->edges < edges * (1 - slack) || (double)g->edges > edges * (1 + slack))
            fail_msg("like:%s at %g has %u vertices and %llu edges", likes[i].name, scale,
                     g->vertices, (unsigned long long)g->edges);
        bool directed = strcmp(likes[i].name, "rmat20") == 0 ||
                        strcmp(likes[i].name, "r4-2e20") == 0 ||
                        strcmp(likes[i].name, "cit-HepPh") == 0;
        assert_int_equal(g->directed, directed);
        hd_graph_free(g);
    }
}

static void test_spec(void **state)
{
    (void)state;
    int count;
    char spec[HD_GRAPH_SPEC];
    const HdGraphLike *likes = hd_graph_likes(&count);
    assert_true(hd_graph_like_spec(&likes[0], 0.001, spec));
    assert_string_equal(spec, "er:1000,3000");
    check_same(open_ok("like:Graph1M,scale=.001"), open_ok("er:1000,3000"));
    check_same(open_ok("like:graph1m,scale=.001,seed=7"), open_ok("er:1000,3000,seed=7"));
    check_same(open_ok("like:ecologi1,scale=.01"), open_ok("grid:100x100"));
    check_same(open_ok("like:kron_g500,scale=0.00390625"),
               open_ok("kron:10,48,undirected=1,shuffle=1"));
    check_same(open_ok("like:msdoor,scale=.01,seed=3"),
               open_ok("mesh:17x17x7,stencil=26,unknowns=2"));
    HdGraph *g = open_ok("like:Graph1M,scale=.001");
    assert_string_equal(g->name, "like:Graph1M,scale=.001");
    hd_graph_free(g);
}

// A road's search is long, a citation graph's short.
static void test_depths(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t low, high;
    } cases[] = {
        {"like:great-britain,scale=.01", 400, 1300}, // a tenth of 6389 along either side
        {"like:oregon-2", 3, 9},
        {"like:graph4096", 5, 12},
        {"like:er-fact1.5-scale22,scale=.01", 3, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdGraph *g = open_ok(cases[i].spec);
        int32_t *levels = malloc(g->vertices * sizeof *levels);
        HdBfs bfs;
        assert_non_null(levels);
        assert_true(hd_bfs_levels(g, 0, levels, &bfs, NULL));
        assert_in_range(bfs.depth, cases[i].low, cases[i].high);
        free(levels);
        hd_graph_free(g);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"like:roadNetCA", "@: there is no stand-in 'roadNetCA': expected one that heddle graph "
                           "like lists; did you mean 'roadNet-CA'?"},
        {"like:zzzzzzzz", "@: there is no stand-in 'zzzzzzzz': expected one that heddle graph "
                          "like lists"},
        {"like:ca,scale=2", "@: scale=2 is out of range: expected a decimal number above 0, up to "
                            "1, "
                            "of at most 15 digits"},
        {"like:2k-1M,scale=.01", "@: scale=0.01 would leave fewer than 64 of 2048 vertices"},
        {"like:human,scale=.06",
         "@: scale=0.06 would leave 1337 vertices and 1478842 edges, more than half of all that "
         "are possible: take a larger scale"},
        {"like:ca,delete=.1", "@: unknown option 'delete': expected like:NAME[,scale=1][,seed=N]"},
        {"like:", "@: 0 numbers before the options: expected 1, as in "
                  "like:NAME[,scale=1][,seed=N]"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) open_fails(bad[i][0], bad[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_spec),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
