// Betweenness centrality: answers derived by hand, sources, numbers of paths, and kernels that are
// wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char *const names[] = {"thread", "warp", "scalar", "pannotia", "pannotia-scalar"};
enum { NAMES = 5, BRANDES = 3 }; // BRANDES: the first ones, which add up dependencies at the end

// Every implementation at every width, from `sources` of the graph's vertices, the first of which
// is 0; frees the graph.
static void assert_answer(HdGraph *graph, const char *sources, double expected, uint32_t vertex)
{
    for (int i = 0; i < NAMES; i++)
        cell_answers((Cell){.workload = "bc", .implementation = names[i], .graph = graph,
                            .parameters = {sources}},
                     (const CellAnswer[]){{"highest", expected, expected * 1e-6},
                                          {"highest_vertex", vertex, 0}, {0}});
    hd_graph_free(graph);
}

// Ordered pairs of vertices between which the vertex stands.
static void test_all_sources(void **state)
{
    (void)state;
    // The middle of a path of five: two on either side. Of a star: all pairs of its leaves.
    static const HdEdge path[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    static const HdEdge star[] = {{2, 0}, {2, 1}, {2, 3}, {2, 4}};
    assert_answer(cell_graph(5, path, 4, true), "sources=5", 8, 2);
    assert_answer(cell_graph(5, star, 4, true), "sources=5", 12, 2);
    // In a ring of four the neighbours' paths to each other are shared with the vertex opposite.
    static const HdEdge ring[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    assert_answer(cell_graph(4, ring, 4, true), "sources=9", 1, 0);
    // One way around a ring of five, a vertex is on the way from the one before to three others,
    // from that before to two, and to one.
    static const HdEdge one_way[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};
    assert_answer(cell_graph(5, one_way, 5, false), "sources=5", 6, 0);
    // Nothing is between two, and an edge from a vertex to itself is on no shortest path.
    static const HdEdge pair[] = {{0, 1}, {1, 1}};
    assert_answer(cell_graph(2, pair, 2, true), "sources=2", 0, 0);
}

// From 0 alone. 1 stands on two of the three paths to 3, as its edge is there twice; and so on two
// thirds of those to 4 and 5.
static void test_repeated_edges(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{0, 1}, {0, 2}, {0, 1}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {0, 0}};
    HdGraph *graph = cell_graph(6, edges, 8, false);
    HdBrandes b = {(int32_t[6]){0}, (double[6]){0}, (double[6]){0}, (uint32_t[6]){0}, 0};
    static const double paths[] = {1, 2, 1, 3, 3, 3}, on[] = {5, 2, 1, 2, 0, 0};
    hd_brandes(graph, 0, &b);
    assert_int_equal(b.reached, 6);
    for (int v = 0; v < 6; v++) {
        assert_float_equal(b.paths[v], paths[v], 0);
        assert_float_equal(b.dependency[v], on[v], 1e-14);
    }
    assert_answer(cell_graph(6, edges, 7, false), "sources=1", 2, 1);
    hd_graph_free(graph);
}

// A search down a path of five is a launch for each level, the deepest included; then three back,
// and one at the end.
static void test_work(void **state)
{
    (void)state;
    static const HdEdge path[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    static const uint64_t edges[] = {1, 2, 2, 2, 1, 2, 2, 2, 0};
    HdGraph *graph = cell_graph(5, path, 4, true);
    for (int i = 0; i < BRANDES; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "bc", .implementation = names[i],
                                                 .graph = graph, .parameters = {"sources=1"}});
        assert_int_equal(r.launch_count, 9);
        assert_int_equal(workload_count(&r, "depth"), 4);
        for (int l = 0; l < 9; l++) {
            assert_int_equal(r.launches[l].active_vertices, l < 8 ? 1 : 5);
            assert_int_equal(r.launches[l].edges, edges[l]);
        }
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// In Pannotia's form one launch prepares a search, and the way back has a launch for each level. On
// a path that leads one way, these examine the edges into the level's vertices.
static void test_pannotia_work(void **state)
{
    (void)state;
    static const HdEdge path[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    static const uint64_t vertices[] = {5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                          edges[] = {0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0};
    HdGraph *graph = cell_graph(5, path, 4, false);
    for (int i = BRANDES; i < NAMES; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "bc", .implementation = names[i],
                                                 .graph = graph, .parameters = {"sources=1"}});
        assert_int_equal(r.launch_count, 11);
        for (int l = 0; l < 11; l++) {
            assert_int_equal(r.launches[l].active_vertices, vertices[l]);
            assert_int_equal(r.launches[l].edges, edges[l]);
        }
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// --source is one of the sources; the others depend on the seed, and all are all.
static void test_sources(void **state)
{
    (void)state;
    HdGraph *graph = hd_graph_open("rmat:6,4", NULL, NULL);
    assert_non_null(graph);
    static const char *const asked[][2] = {{"sources=6", "seed=1"}, {"sources=6", "seed=2"},
                                           {"sources=64", "seed=1"}, {"sources=64", "seed=2"}};
    double found[4];
    for (int i = 0; i < 4; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "bc", .implementation = "thread",
                                                 .graph = graph, .source = 3,
                                                 .parameters = {asked[i][0], asked[i][1]}});
        assert_int_equal(workload_count(&r, "sources"), i < 2 ? 6 : 64);
        found[i] = r.answers[1].real;
        workload_result_free(&r);
    }
    assert_true(found[0] != found[1]);
    assert_float_equal(found[2], found[3], found[2] * 1e-5); // in another order
    hd_graph_free(graph);
}

// Larger than a block, deep, with hubs, and with more paths than floats count without rounding.
static void test_generated(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:10,6", "grid:16x17", "uniform:900,2"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        HdGraph *graph = hd_graph_open(specs[s], NULL, NULL);
        assert_non_null(graph);
        for (int i = 0; i < NAMES; i++) {
            WorkloadResult r = cell_verified(
                &(Cell){.workload = "bc", .implementation = names[i], .graph = graph,
                        .source = 5, .block = 64, .parameters = {"sources=2"}});
            workload_result_free(&r);
        }
        hd_graph_free(graph);
    }
}

// Every edge twice: as many paths as 2 to the distance, up to what a float holds with ease.
static void test_many_paths(void **state)
{
    (void)state;
    enum { LONGEST = 126 };
    HdEdge edges[2 * LONGEST];
    for (uint32_t i = 0; i < 2 * LONGEST; i++) edges[i] = (HdEdge){i / 2, i / 2 + 1};
    assert_answer(cell_graph(LONGEST, edges, 2 * (LONGEST - 1), false), "sources=1", LONGEST - 2,
                  1);
    HdGraph *graph = cell_graph(LONGEST + 1, edges, 2 * LONGEST, false);
    HdError err = {0};
    WorkloadResult r;
    assert_false(cell_try(&(Cell){.workload = "bc", .implementation = "thread", .graph = graph},
                          &r, &err));
    assert_string_equal(err.text, "graph small has 8.51e+37 shortest paths from vertex 0 to 126: "
                                  "expected at most 4.25e+37, because floats count them");
    hd_graph_free(graph);
}

// Lanes of a warp exchange values, so that a block is whole warps.
static void test_block(void **state)
{
    (void)state;
    static const HdEdge path[] = {{0, 1}, {1, 2}};
    HdGraph *graph = cell_graph(3, path, 2, true);
    HdError err = {0};
    WorkloadResult r = cell_verified(
        &(Cell){.workload = "bc", .implementation = "thread", .graph = graph, .block = 100});
    workload_result_free(&r);
    static const char *const exchange[] = {"warp", "scalar", "pannotia-scalar"};
    for (size_t i = 0; i < 3; i++) {
        err = (HdError){0};
        assert_false(cell_try(&(Cell){.workload = "bc", .implementation = exchange[i],
                                      .graph = graph, .block = 100}, &r, &err));
        assert_string_equal(err.text, "blocks of 100 threads are not whole warps: expected --block "
                                      "to be a multiple of 32 for this implementation");
    }
    hd_graph_free(graph);
}

// Kernels that are wrong, one way each: the last path to come alone counts, what leads on is lost,
// lanes do not share what they have.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"thread", "atom.global.add.f32", "atom.global.exch.b32"},
        {"warp", "atom.global.add.f32", "atom.global.exch.b32"},
        {"thread", "0f3F800000", "0f00000000"},
        {"warp", "shfl.bfly", "shfl.up"},
        {"scalar", "atom.global.add.f32", "atom.global.exch.b32"},
        {"scalar", "st.shared.f32", "// st.shared.f32"},
        {"thread", "div.rn.f32", "mul.rn.f32"},
        {"pannotia", "\tadd.f32", "\tmax.f32"},
        {"pannotia", "div.rn.f32", "mul.rn.f32"},
        {"pannotia-scalar", "div.rn.f32", "mul.rn.f32"},
    };
    HdGraph *graph = hd_graph_open("rmat:8,4", NULL, NULL);
    assert_non_null(graph);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        WorkloadResult r = cell_run(&(Cell){.workload = "bc", .implementation = wrong[i][0],
                                            .graph = graph, .replace = wrong[i][1],
                                            .with = wrong[i][2], .every = true});
        if (r.verified || !strstr(r.mismatch, " has centrality "))
            fail_msg("%s with %s: '%s'", wrong[i][0], wrong[i][2], r.mismatch);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sources), cmocka_unit_test(test_repeated_edges),
        cmocka_unit_test(test_work),        cmocka_unit_test(test_pannotia_work),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_generated),   cmocka_unit_test(test_many_paths),
        cmocka_unit_test(test_block),       cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("bc", tests, NULL, NULL);
}
