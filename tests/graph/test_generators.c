// The generators of undirected graphs and related ones: facts that follow from their definitions.
#include "graph_checks.h"

#include "graph/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Properties of each generated undirected graph: both directions, no loops, ascending rows.
static HdGraphStats check_undirected(const HdGraph *g)
{
    HdGraphStats stats;
    assert_false(g->directed);
    assert_true(hd_graph_measure(g, &stats, NULL));
    assert_int_equal(stats.reciprocal, g->edges);
    assert_int_equal(stats.self_loops, 0);
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t i = g->row[v] + 1; i < g->row[v + 1]; i++)
            assert_true(g->column[i - 1] <= g->column[i]);
    return stats;
}

static HdGraphStats check_simple(const char *spec, uint32_t vertices, uint64_t edges)
{
    HdGraph *g = open_ok(spec);
    HdGraphStats stats = check_undirected(g);
    assert_int_equal(g->vertices, vertices);
    if (g->edges != 2 * edges)
        fail_msg("%s has %llu edges", spec, (unsigned long long)g->edges / 2);
    assert_int_equal(stats.duplicates, 0);
    hd_graph_free(g);
    return stats;
}

static uint32_t depth_of(const char *spec, uint32_t source)
{
    HdGraph *g = open_ok(spec);
    int32_t *levels = malloc(g->vertices * sizeof *levels);
    HdBfs bfs;
    assert_non_null(levels);
    assert_true(hd_bfs_levels(g, source, levels, &bfs, NULL));
    free(levels);
    hd_graph_free(g);
    return bfs.depth;
}

static void test_pinned_hashes(void **state)
{
    (void)state;
    static const PinnedGraph pinned[] = {
        {"er:1000,3000", 0x65d03d0f1c51601fu},
        {"er:1000,p=.01", 0x5f88cb7716be2bddu},
        {"kout:1000,2..4", 0xd7f4dab6b051b9a2u},
        {"kout:1000,4,directed=1,seed=2", 0x46dc25b233f80c18u},
        {"rgg:1000,degree=8.5", 0xe8b974e17069e7b9u},
        {"delaunay:1000", 0x66df9851e64944b1u},
        {"ba:1000,3", 0x31f16d21bca7ad56u},
        {"ba:1000,edges=2856,uniform=.15", 0x4df69cbc06275b8eu},
        {"ba:1000,2,directed=1", 0xa2a5eb07c89c63a6u},
        {"ws:1000,6,p=.1", 0x1e57d4fdf2b391ccu},
        {"mesh:5x6x7,stencil=26", 0x8c0f582643a3c3f5u},
        {"road:2000,degree=2.2,express=4", 0x0ed29db32efd6055u},
        {"groups:1000,5000,size=2..40,far=.1", 0x18c6d47e3d33fa15u},
        {"rmat:10,8,simple=1,undirected=1,shuffle=1", 0x4b528be83dcec5b3u},
    };
    check_pinned(pinned, sizeof pinned / sizeof *pinned);
}

static void test_er(void **state)
{
    (void)state;
    check_simple("er:1000,3000", 1000, 3000);
    check_simple("er:1,0", 1, 0);
    // All pairs of an odd and of an even number of vertices, in both ways.
    check_simple("er:7,21", 7, 21);
    check_simple("er:8,28", 8, 28);
    check_simple("er:8,p=1", 8, 28);
    check_simple("er:8,p=0", 8, 0);
    // With 20 of 28 pairs each is in about 5/7 of the graphs: 300 seeds give 214 +- 7.9 each.
    uint32_t hits[64] = {0};
    for (int seed = 1; seed <= 300; seed++) {
        char spec[32];
        snprintf(spec, sizeof spec, "er:8,20,seed=%d", seed);
        HdGraph *g = open_ok(spec);
        for (uint32_t v = 0; v < 8; v++)
            for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) hits[8 * v + g->column[i]]++;
        hd_graph_free(g);
    }
    for (uint32_t v = 0; v < 8; v++)
        for (uint32_t u = 0; u < 8; u++)
            if (u != v) assert_in_range(hits[8 * v + u], 214 - 40, 214 + 40);
}

// 499500 pairs: 5 standard deviations on either side of the mean.
static void test_er_probability(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint64_t low, high;
    } cases[] = {
        {"er:1000,p=.01", 4995 - 352, 4995 + 352},
        {"er:1000,p=0.5,seed=4", 249750 - 1767, 249750 + 1767},
        {"er:1000,p=.9", 449550 - 1061, 449550 + 1061},
        {"er:100000,p=.000002", 10000 - 500, 10000 + 500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdGraph *g = open_ok(cases[i].spec);
        assert_int_equal(check_undirected(g).duplicates, 0);
        assert_in_range(g->edges / 2, cases[i].low, cases[i].high);
        hd_graph_free(g);
    }
}

static void test_kout(void **state)
{
    (void)state;
    HdGraph *g = open_ok("kout:1000,4,directed=1");
    uint64_t in[1000] = {0};
    assert_true(g->directed);
    for (uint32_t v = 0; v < g->vertices; v++) {
        assert_int_equal(g->row[v + 1] - g->row[v], 4);
        for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) {
            assert_int_not_equal(g->column[i], v);
            in[g->column[i]]++;
        }
    }
    for (int v = 0; v < 1000; v++) assert_true(in[v] < 20); // mean 4, standard deviation 2
    hd_graph_free(g);

    // Each chooses 2, 3 or 4: 30000 choices in all, standard deviation 82.
    g = open_ok("kout:10000,2..4");
    HdGraphStats stats = check_undirected(g);
    assert_true(stats.degree_min >= 2);
    assert_in_range(g->edges / 2, 30000 - 410, 30000 + 410);
    hd_graph_free(g);
    g = open_ok("kout:2,1");
    check_rows(g, "1 1 | 0 0"); // each chooses the other
    hd_graph_free(g);
}

// The same points, compared pair by pair.
static void test_rgg(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        double radius;
    } cases[] = {
        {"rgg:700,radius=.05", .05},
        {"rgg:700,radius=.3,seed=1", .3},
        {"rgg:700,radius=.001", .001},
        {"rgg:700,radius=1.5", 1.5},
    };
    Points points;
    GraphBuild build = build_unlimited(NULL);
    assert_true(points_make(&points, 700, 3, 1, &build));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t edges = 0;
        double limit = cases[c].radius * cases[c].radius * 0x1p60;
        for (uint32_t i = 0; i < 700; i++)
            for (uint32_t k = 0; k < i; k++) {
                double dx = (double)points.at[i].x - points.at[k].x;
                double dy = (double)points.at[i].y - points.at[k].y;
                edges += dx * dx + dy * dy <= limit;
            }
        check_simple(cases[c].spec, 700, edges);
    }
    points_free(&points, &build);
    // Mean degree 12 but for the border: 4 % of the area lie within a radius of it.
    HdGraph *g = open_ok("rgg:40000,degree=12");
    assert_in_range(g->edges, 40000 * 11.6, 40000 * 12.1);
    hd_graph_free(g);
    check_simple("rgg:1,degree=3", 1, 0);
}

static void test_delaunay(void **state)
{
    (void)state;
    check_simple("delaunay:1", 1, 0);
    check_simple("delaunay:2", 2, 1);
    check_simple("delaunay:3", 3, 3);
    // 3 n - 3 - h edges: h, the hull of random points in a square, is about 8/3 ln n = 27 here.
    HdGraph *g = open_ok("delaunay:20000");
    HdGraphStats stats = check_undirected(g);
    assert_in_range(g->edges / 2, 3 * 20000 - 3 - 60, 3 * 20000 - 3 - 8);
    assert_int_equal(stats.components, 1);
    assert_int_equal(stats.duplicates, 0);
    assert_true(stats.degree_min >= 2 && stats.degree_max < 25);
    hd_graph_free(g);
    g = open_ok("delaunay:20000,delete=.25"); // 44980, standard deviation 106
    check_undirected(g);
    assert_in_range(g->edges / 2, 44980 - 540, 44980 + 540);
    hd_graph_free(g);
    check_simple("delaunay:100,delete=1", 100, 0);
}

static void test_ba(void **state)
{
    (void)state;
    check_simple("ba:5,4", 5, 10); // each vertex joins each other
    assert_int_equal(check_simple("ba:5000,1", 5000, 4999).components, 1); // a tree
    HdGraphStats stats = check_simple("ba:5000,3", 5000, 3 * 4997 + 3);
    assert_int_equal(stats.components, 1);
    assert_int_equal(stats.degree_min, 3);
    check_simple("ba:1000,edges=2856", 1000, 2856);
    check_simple("ba:10,edges=45", 10, 45);
    // Degrees: about sqrt(n) with preference, log2(n) = 14.6 without.
    stats = check_simple("ba:25000,1", 25000, 24999);
    assert_true(stats.degree_max > 80);
    stats = check_simple("ba:25000,1,uniform=1", 25000, 24999);
    assert_true(stats.degree_max < 40);

    HdGraph *g = open_ok("ba:1000,2,directed=1"); // to older ones only; the newest is vertex 0
    assert_true(g->directed);
    assert_int_equal(g->edges, 2 * 998 + 1);
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) assert_true(g->column[i] > v);
    assert_int_equal(g->row[1], 2);
    hd_graph_free(g);
}

static void test_ws(void **state)
{
    (void)state;
    HdGraph *g = open_ok("ws:6,4");
    check_rows(g, "1 2 4 5 | 0 2 3 5 | 0 1 3 4 | 1 2 4 5 | 0 2 3 5 | 0 1 3 4");
    hd_graph_free(g);
    assert_int_equal(depth_of("ws:100,4", 17), 25); // 50 around, 2 at a time
    check_simple("ws:5,4,p=1", 5, 10); // complete: nowhere to go
    check_simple("ws:2000,6,p=.3", 2000, 6000);
    check_simple("ws:2000,6,p=1", 2000, 6000);
    assert_true(depth_of("ws:2000,6,p=.1", 0) < 20); // 333 without

    // 3 of 10 edges are elsewhere: 1800 of 6000, standard deviation 35.
    g = open_ok("ws:2000,6,p=.3");
    uint32_t far = 0;
    for (uint32_t v = 0; v < 2000; v++)
        for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) {
            uint32_t apart = (g->column[i] + 2000 - v) % 2000;
            far += apart > 3 && apart < 1997;
        }
    assert_in_range(far / 2, 1800 - 180, 1800 + 180);
    hd_graph_free(g);
}

static void test_mesh(void **state)
{
    (void)state;
    HdGraph *g = open_ok("mesh:3x2x1");
    check_rows(g, "1 3 | 0 2 4 | 1 5 | 0 4 | 1 3 5 | 2 4");
    hd_graph_free(g);
    g = open_ok("mesh:2x1x1,unknowns=2");
    check_rows(g, "1 2 3 | 0 2 3 | 0 1 3 | 0 1 2");
    hd_graph_free(g);
    check_simple("mesh:4x5x6", 120, 3 * 5 * 6 + 4 * 4 * 6 + 4 * 5 * 5);
    // Each dimension of 3 has 2 + 3 + 2 = 7 near pairs, those with oneself included.
    HdGraphStats stats = check_simple("mesh:3x3x3,stencil=26", 27, (7 * 7 * 7 - 27) / 2);
    assert_int_equal(stats.degree_max, 26);
    assert_int_equal(stats.degree_max_vertex, 13); // the middle
    assert_int_equal(stats.degree_min, 7);
    assert_int_equal(depth_of("mesh:5x6x7", 0), 4 + 5 + 6);
    assert_int_equal(depth_of("mesh:5x6x7,stencil=26", 0), 6);
}

static void test_road(void **state)
{
    (void)state;
    HdGraphStats stats = check_simple("road:100000,edges=105000", 100000, 105000);
    assert_int_equal(stats.components, 1);
    assert_true(stats.degree_min >= 1 && stats.degree_max <= 4);
    // About 10000 crossings of 1 to 4 streets; all else is inside of streets.
    HdGraph *g = open_ok("road:100000,edges=105000");
    uint32_t chain = 0;
    uint64_t apart = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        chain += g->row[v + 1] - g->row[v] == 2;
        if (g->row[v] < g->row[v + 1]) apart += (uint64_t)llabs((int64_t)g->column[g->row[v]] - v);
    }
    assert_in_range(chain, 90000, 95000);
    assert_true(apart / g->vertices < 300); // ids follow the map
    hd_graph_free(g);
    uint32_t depth = depth_of("road:100000,edges=105000", 0);
    assert_true(depth > 600); // 100 by 100 crossings, 6.6 edges from each to the next
    assert_true(depth_of("road:100000,edges=105000,express=8", 0) < depth * 2 / 3);
    check_simple("road:10000,degree=2.8", 10000, 14000);
    check_simple("road:16,edges=15", 16, 15);
    check_simple("road:1000,degree=2,express=0", 1000, 1000);
    check_simple("road:1000,edges=999", 1000, 999);
}

static void test_groups(void **state)
{
    (void)state;
    check_simple("groups:10000,50000", 10000, 50000);
    check_simple("groups:10000,50000,size=2..200,tail=3,far=.2", 10000, 50000);
    HdGraphStats stats = check_simple("groups:2000,30000,size=40,reach=20", 2000, 30000);
    assert_true(stats.degree_max >= 35); // a clique, but for members drawn twice
    // Near neighbours only: the ring is long. With members from anywhere it is not.
    assert_true(depth_of("groups:20000,100000,reach=4", 0) >
                depth_of("groups:20000,100000,reach=4,far=.5", 0));
    stats = check_simple("groups:10000,30000,far=.1,ring=1", 10000, 30000);
    assert_int_equal(stats.components, 1);
    assert_true(stats.degree_min >= 2);
    // Half of all pairs, from pairs that lie near each other: not in finite time.
    HdError err = {0};
    assert_null(hd_graph_open("groups:600,89800,size=2", NULL, &err));
    assert_int_equal(strncmp(err.text, "the groups overlap too much: after ", 35), 0);
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_rmat_options(void **state)
{
    (void)state;
    HdGraph *plain = open_ok("rmat:10,16"), *simple = open_ok("rmat:10,16,simple=1");
    HdGraph *both = open_ok("rmat:10,16,undirected=1");
    HdGraph *shuffled = open_ok("rmat:10,16,shuffle=1");
    HdGraphStats stats;
    assert_true(hd_graph_measure(plain, &stats, NULL));
    assert_true(stats.duplicates > 0 && stats.self_loops > 0);
    assert_true(hd_graph_measure(simple, &stats, NULL));
    assert_int_equal(stats.duplicates + stats.self_loops, 0);
    assert_true(simple->directed);
    assert_int_equal(simple->dropped.duplicates + simple->dropped.self_loops, 0);
    assert_int_equal(check_undirected(both).duplicates, 0);
    assert_in_range(both->edges, simple->edges, 2 * simple->edges);
    // The same degrees, at other vertices.
    uint64_t a[1024], b[1024];
    for (uint32_t v = 0; v < 1024; v++) {
        a[v] = plain->row[v + 1] - plain->row[v];
        b[v] = shuffled->row[v + 1] - shuffled->row[v];
    }
    assert_memory_not_equal(a, b, sizeof a);
    qsort(a, 1024, sizeof *a, ascending);
    qsort(b, 1024, sizeof *b, ascending);
    assert_memory_equal(a, b, sizeof a);
    hd_graph_free(plain);
    hd_graph_free(simple);
    hd_graph_free(both);
    hd_graph_free(shuffled);
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"er:10,46", "@: the number of edges 46 is out of range: expected 0 to 45"},
        {"er:10", "@: 1 number before the options: expected 2, as in er:VERTICES,EDGES[,seed=N] "
                  "or er:VERTICES,p=PROBABILITY[,seed=N]"},
        {"kout:1,1", "@: the number of vertices 1 is out of range: expected 2 to 4294967295"},
        {"kout:9,4..2", "@: the number of choices 2 is out of range: expected 4 to 67108864"},
        {"kout:9,2,directed=2", "@: directed=2: expected 0 or 1"},
        {"rgg:10", "@: expected either radius= or degree=, as in rgg:VERTICES,radius=R[,seed=N] or "
                   "rgg:VERTICES,degree=D[,seed=N]"},
        {"rgg:10,radius=3", "@: radius=3 is out of range: expected a decimal number above 0, up "
                            "to 2, "
                            "of at most 15 digits"},
        {"rgg:10,radius=.1.2", "@: radius=.1.2 is out of range: expected a decimal number above "
                               "0, up "
                               "to 2, of at most 15 digits"},
        {"ba:10,10", "@: the number of edges of a vertex 10 is out of range: expected 1 to 9"},
        {"ba:10,edges=46", "@: the number of edges 46 is out of range: expected 9 to 45"},
        {"ws:10,3", "@: the degree 3 is odd: expected an even number"},
        {"ws:10,10", "@: the degree 10 is out of range: expected 2 to 9"},
        {"mesh:3x3", "@: '3x3' is not XxYxZ: expected mesh:XxYxZ[,stencil=6|26][,unknowns=1]"},
        {"mesh:3x3x3,stencil=7", "@: stencil=7: expected 6 or 26"},
        {"mesh:2000x2000x1000,unknowns=2", "@: 4000000000 points with 2 unknowns each are too many "
                                           "vertices: expected at most 4294967295"},
        {"road:1000,degree=2.5,edges=1200",
         "@: expected either degree= or edges=, as in "
         "road:VERTICES[,degree=2.5][,express=0][,seed=N] "
         "or road:VERTICES,edges=EDGES[,...]"},
        {"road:1000,degree=1.9",
         "@: degree=1.9: expected 2 to 2.9"},
        {"road:1000,express=2", "@: express=2: expected 0, or 3 and more"},
        {"groups:10,30", "@: the number of edges 30 is out of range: expected 0 to 22"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) open_fails(bad[i][0], bad[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pinned_hashes), cmocka_unit_test(test_er),
        cmocka_unit_test(test_er_probability), cmocka_unit_test(test_kout),
        cmocka_unit_test(test_rgg),           cmocka_unit_test(test_delaunay),
        cmocka_unit_test(test_ba),            cmocka_unit_test(test_ws),
        cmocka_unit_test(test_mesh),          cmocka_unit_test(test_road),
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_rmat_options),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
