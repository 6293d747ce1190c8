// Generators: graphs that never change, the requested distribution, and errors.
#include "graph_checks.h"

#include <math.h>
#include <string.h>

static void test_pinned_hashes(void **state)
{
    (void)state;
    static const PinnedGraph pinned[] = {
        {"rmat:10,8", 0xa23d89babca14d51u},
        {"rmat:10,8,seed=2", 0x4652361d57118b9au},
        {"uniform:1000,5", 0x10c7e302e4aa18e9u},
        {"grid:30x20,delete=0.1", 0x38361238c15afe67u},
    };
    check_pinned(pinned, sizeof pinned / sizeof *pinned);
}

static void test_spellings(void **state)
{
    (void)state;
    check_same(open_ok("rmat:10,8"), open_ok("kron:10,8,seed=1"));
    check_same(open_ok("rmat:10,8"), open_ok("rmat:10,8,a=.57,b=0.19,c=0.190,d=.05"));
    check_same(open_ok("uniform:2^10,4"), open_ok("uniform:1Ki,4"));
    check_same(open_ok("uniform:2^10,4"), open_ok("uniform:1024,4,seed=1"));
    check_same(open_ok("grid:8x4"), open_ok("grid:8x4,delete=0,seed=9"));
}

// The top bits of the two ids are the quadrant of the first draw: 65536 draws at .57, .19, .19 and
// .05 have standard deviations of at most 127; five of them are allowed.
static void test_rmat_quadrants(void **state)
{
    (void)state;
    HdGraph *g = open_ok("rmat:12,16,seed=7");
    assert_int_equal(g->vertices, 4096);
    assert_int_equal(g->edges, 65536);
    assert_true(g->directed);
    double expected[4] = {.57, .19, .19, .05};
    uint64_t top[4] = {0}, bottom[4] = {0};
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t i = g->row[v]; i < g->row[v + 1]; i++) {
            top[(v >> 11) * 2 + (g->column[i] >> 11)]++;
            bottom[(v & 1) * 2 + (g->column[i] & 1)]++;
        }
    for (int q = 0; q < 4; q++) {
        double mean = 65536 * expected[q], deviation = sqrt(mean * (1 - expected[q]));
        assert_true(fabs((double)top[q] - mean) < 5 * deviation);
        assert_true(fabs((double)bottom[q] - mean) < 5 * deviation);
    }
    hd_graph_free(g);
}

// With all the probability in one quadrant every edge is the same one.
static void test_rmat_corners(void **state)
{
    (void)state;
    HdGraph *g = open_ok("rmat:3,1,a=0,b=1,c=0");
    for (uint64_t i = 0; i < 8; i++) assert_int_equal(g->column[i], 7);
    assert_int_equal(g->row[1], 8);
    hd_graph_free(g);
    g = open_ok("rmat:3,1,a=0,b=0,c=0,d=1");
    assert_int_equal(g->row[7], 0);
    assert_int_equal(g->column[7], 7);
    hd_graph_free(g);
}

static void test_uniform(void **state)
{
    (void)state;
    HdGraph *g = open_ok("uniform:100,1000");
    assert_int_equal(g->vertices, 100);
    assert_int_equal(g->edges, 100000);
    uint64_t in[100] = {0};
    for (uint64_t i = 0; i < g->edges; i++) in[g->column[i]]++;
    // Binomial: mean 1000, standard deviation 31.5; six of them are allowed to each of 200.
    for (uint32_t v = 0; v < 100; v++) {
        assert_in_range(in[v], 811, 1189);
        assert_in_range(g->row[v + 1] - g->row[v], 811, 1189);
    }
    hd_graph_free(g);
}

static void test_grid_whole(void **state)
{
    (void)state;
    HdGraph *g = open_ok("grid:3x2");
    assert_false(g->directed);
    check_rows(g, "1 3 | 0 2 4 | 1 5 | 0 4 | 1 3 5 | 2 4");
    hd_graph_free(g);
}

static void test_grid_deletions(void **state)
{
    (void)state;
    HdGraph *g = open_ok("grid:200x100,delete=0.25");
    // 199*100 + 200*99 pairs, three quarters of them kept: 29775, standard deviation 86.3.
    assert_in_range(g->edges / 2, 29775 - 5 * 87, 29775 + 5 * 87);
    for (uint32_t v = 0; v < g->vertices; v++) assert_true(g->row[v + 1] - g->row[v] <= 4);
    HdGraphStats stats;
    assert_true(hd_graph_measure(g, &stats, NULL));
    assert_int_equal(stats.reciprocal, g->edges);
    assert_int_equal(stats.self_loops + stats.duplicates, 0);
    hd_graph_free(g);

    g = open_ok("grid:2000x3,delete=1");
    assert_int_equal(g->edges, 0);
    assert_int_equal(g->vertices, 6000);
    hd_graph_free(g);
}

static void test_symmetric_rmat(void **state)
{
    (void)state;
    HdError err = {0};
    HdGraphOptions options = {.symmetrize = true};
    HdGraph *g = hd_graph_open("rmat:8,4", &options, &err);
    HdGraphStats stats;
    assert_non_null(g);
    assert_true(hd_graph_measure(g, &stats, &err));
    assert_int_equal(stats.reciprocal, g->edges);
    assert_true(g->edges > 1024);
    uint64_t hash = g->hash;
    assert_true(hd_graph_symmetrize(g, &err)); // a second time changes nothing
    assert_int_equal(g->hash, hash);
    hd_graph_free(g);
}

// 0 -> 2, 2 -> 0 twice, 1 -> 0, 2 -> 2, the other way around, with the weights.
static void test_reverse(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{2, 0}, {0, 2}, {2, 2}, {1, 0}, {2, 0}};
    static const uint64_t rows[] = {0, 3, 3, 5};
    static const uint32_t heads[] = {1, 2, 2, 0, 2};
    HdGraph *g = hd_graph_build("small", 3, edges, 5, NULL);
    assert_non_null(g);
    HdGraph *reverse = hd_graph_reverse(g, NULL);
    assert_non_null(reverse);
    assert_string_equal(reverse->name, "small");
    assert_memory_equal(reverse->row, rows, sizeof rows);
    assert_memory_equal(reverse->column, heads, sizeof heads);
    assert_int_equal(reverse->row32[2], 3);
    hd_graph_free(reverse);
    hd_graph_free(g);

    HdGraphOptions options = {.draw_weights = true, .weight_high = 1 << 20, .weight_seed = 1};
    g = hd_graph_open("rmat:8,4", &options, NULL);
    assert_non_null(g);
    reverse = hd_graph_reverse(g, NULL);
    HdGraph *twice = hd_graph_reverse(reverse, NULL), *thrice = hd_graph_reverse(twice, NULL);
    assert_non_null(thrice);
    assert_int_equal(reverse->hash, thrice->hash); // rows ascend by then
    int64_t sums[3] = {0};
    for (uint64_t i = 0; i < g->edges; i++) {
        sums[0] += g->int_weights[i];
        sums[1] += reverse->int_weights[i];
    }
    assert_int_equal(sums[0], sums[1]);
    hd_graph_free(thrice);
    hd_graph_free(twice);
    hd_graph_free(reverse);
    hd_graph_free(g);
}

static void test_errors(void **state)
{
    (void)state;
#define RMAT "rmat:SCALE,EDGEFACTOR[,seed=N][,a=.57][,b=.19][,c=.19][,d=.05]"\
    "[,simple=0][,undirected=0][,shuffle=0]"
#define GRID "grid:WIDTHxHEIGHT[,delete=0][,seed=N]"
    static const char *const bad[][2] = {
        {"rmat:", "@: 0 numbers before the options: expected 2, as in " RMAT},
        {"rmat:10", "@: 1 number before the options: expected 2, as in " RMAT},
        {"rmat:10,8,3", "@: 3 numbers before the options: expected 2, as in " RMAT},
        {"rmat:10,8,seed=1,3", "@: '3' is not NAME=VALUE: expected " RMAT},
        {"rmat:x,8", "@: the scale 'x' is not a count: expected " RMAT ", counts as 65536, 2^16 "
                                                                       "or 64Ki"},
        {"rmat:32,8", "@: the scale 32 is out of range: expected 1 to 31"},
        {"rmat:10,0", "@: the edge factor 0 is out of range: expected 1 to 67108864"},
        {"rmat:10,8,sed=3", "@: unknown option 'sed': expected " RMAT "; did you mean 'seed'?"},
        {"rmat:10,8,zzzzzz=3", "@: unknown option 'zzzzzz': expected " RMAT},
        {"rmat:10,8,seed=3,seed=4", "@: 'seed' is given twice"},
        {"rmat:10,8,a=1.1", "@: a=1.1 is not a probability: expected a number from 0 to 1 with at "
                            "most 18 decimals"},
        {"rmat:10,8,a=.", "@: a=. is not a probability: expected a number from 0 to 1 with at most "
                          "18 decimals"},
        {"rmat:10,8,a=.9", "@: the probabilities do not add up: expected a+b+c+d = 1 (defaults "
                           ".57, "
                           ".19, .19; d is what is left)"},
        {"rmat:10,8,d=.1", "@: the probabilities do not add up: expected a+b+c+d = 1 (defaults "
                           ".57, "
                           ".19, .19; d is what is left)"},
        {"uniform:0,3", "@: the number of vertices 0 is out of range: expected 1 to 4294967295"},
        {"uniform:2^33,3",
         "@: the number of vertices 2^33 is out of range: expected 1 to 4294967295"},
        {"grid:10", "@: '10' is not WIDTHxHEIGHT: expected " GRID},
        {"grid:70000x70000", "@: the size 70000 is out of range: expected 1 to 61356"},
        {"grid:0x4", "@: the size 0 is out of range: expected 1 to 4294967295"},
        {"rmt:10,8", "@: no such file, and no such generator: expected one of "
                     "rmat:, kron:, uniform:, grid:, er:, kout:, rgg:, delaunay:, "
                     "ba:, ws:, mesh:, road:, groups: and like:; did you mean 'rmat:'?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) open_fails(bad[i][0], bad[i][1]);
}

// More edges than the builder keeps: edge e goes from vertex e mod 1000 to vertex e / 1000, so that
// the k-th edge of each vertex goes to vertex k.
static void test_order_of_many_edges(void **state)
{
    (void)state;
    enum { VERTICES = 1000, EACH = 300 };
    HdError err = {0};
    HdEdge *edges = test_calloc(VERTICES * EACH, sizeof *edges);
    for (uint32_t e = 0; e < VERTICES * EACH; e++)
        edges[e] = (HdEdge){e % VERTICES, e / VERTICES};
    HdGraph *graph = hd_graph_build("many", VERTICES, edges, VERTICES * EACH, &err);
    test_free(edges);
    assert_non_null(graph);
    assert_int_equal(graph->edges, VERTICES * EACH);
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_int_equal(graph->row[v], v * EACH);
        for (uint32_t k = 0; k < EACH; k++) assert_int_equal(graph->column[v * EACH + k], k);
    }
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pinned_hashes),  cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_rmat_quadrants), cmocka_unit_test(test_rmat_corners),
        cmocka_unit_test(test_uniform),        cmocka_unit_test(test_grid_whole),
        cmocka_unit_test(test_grid_deletions), cmocka_unit_test(test_symmetric_rmat),
        cmocka_unit_test(test_reverse),        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_order_of_many_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
