// PageRank: answers derived by hand, when iterations end, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const char *const names[] = {"push", "push-warp", "pull", "edge-frontier", "scalar",
                                    "pannotia", "pannotia-scalar"};
enum { NAMES = sizeof names / sizeof *names };

// The steps of the reference, from equal ranks.
static void steps(const HdGraph *graph, double damping, int count, double *rank, double *other)
{
    uint32_t n = graph->vertices;
    for (uint32_t v = 0; v < n; v++) rank[v] = 1. / n;
    for (int i = 0; i < count; i++) {
        hd_pagerank_step(graph, damping, 1 - damping, rank, other);
        memcpy(rank, other, n * sizeof *rank);
    }
}

// 0 -> 1 -> 2, of which 2 has no edges. Its third goes to all, a ninth each; with damping 1/2,
// 1 and 2 get 1/6 + (1/9 + 1/3) / 2, and 0 without the third of a predecessor. In the second
// iteration 2's 7/18 are 7/54 for each.
static void test_dangling(void **state)
{
    (void)state;
    static const HdEdge path[] = {{0, 1}, {1, 2}};
    HdGraph *graph = cell_graph(3, path, 2, false);
    double rank[3], other[3];
    steps(graph, .5, 1, rank, other);
    assert_float_equal(rank[0], 2. / 9, 1e-15);
    assert_float_equal(rank[1], 7. / 18, 1e-15);
    assert_float_equal(rank[2], 7. / 18, 1e-15);
    steps(graph, .5, 2, rank, other);
    assert_float_equal(rank[0], 1. / 6 + 7. / 108, 1e-15);
    assert_float_equal(rank[1], 1. / 6 + 7. / 108 + 1. / 9, 1e-15);
    assert_float_equal(rank[2], 1. / 6 + 7. / 108 + 7. / 36, 1e-15);
    for (int i = 0; i < NAMES; i++)
        cell_answers((Cell){.workload = "pagerank", .implementation = names[i], .graph = graph,
                            .parameters = {"damping=.5", "iterations=2"}},
                     (const CellAnswer[]){{"dangling", 1, 0}, {"iterations", 2, 0},
                                          {"highest", 1. / 6 + 7. / 108 + 7. / 36, 1e-7},
                                          {"highest_vertex", 2, 0}, {0}});
    hd_graph_free(graph);
}

// The middle c of a star of three and its leaves l, with damping 1/2: c = 1/8 + 3/2 l and
// l = 1/8 + c/6, so that c is 5/12. In a ring all are alike from the start.
static void test_star_and_ring(void **state)
{
    (void)state;
    static const HdEdge star_edges[] = {{0, 1}, {0, 2}, {0, 3}};
    static const HdEdge ring_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};
    HdGraph *star = cell_graph(4, star_edges, 3, true), *ring = cell_graph(5, ring_edges, 5, false);
    double rank[5], other[5];
    steps(star, .5, 60, rank, other);
    assert_float_equal(rank[0], 5. / 12, 1e-15);
    assert_float_equal(rank[1], 7. / 36, 1e-15);
    for (int i = 0; i < NAMES; i++) {
        Cell cell = {.workload = "pagerank", .implementation = names[i], .graph = star,
                     .parameters = {"damping=.5", "iterations=60"}};
        cell_answers(cell, (const CellAnswer[]){{"highest", 5. / 12, 1e-6},
                                                {"highest_vertex", 0, 0}, {0}});
        cell = (Cell){.workload = "pagerank", .implementation = names[i], .graph = ring,
                      .parameters = {"tolerance=1e-6"}};
        cell_answers(cell, (const CellAnswer[]){{"iterations", 1, 0}, {"highest", .2, 1e-7}, {0}});
    }
    hd_graph_free(star);
    hd_graph_free(ring);
}

// Iterations end at the first change that is small enough.
static void test_tolerance(void **state)
{
    (void)state;
    HdGraph *graph = hd_graph_open("rmat:9,6", NULL, NULL); // a part of it has no edges
    assert_non_null(graph);
    double rank[512], other[512], change = 1;
    uint32_t needed = 0;
    for (; change > 1e-4; needed++) {
        steps(graph, (float).85, (int)needed, rank, other);
        hd_pagerank_step(graph, (float).85, 1 - (float).85, rank, other);
        change = 0;
        for (int v = 0; v < 512; v++) change += fabs(other[v] - rank[v]);
    }
    assert_true(needed > 5);
    for (int i = 0; i < NAMES; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "pagerank", .implementation = names[i],
                                                 .graph = graph, .block = 96,
                                                 .parameters = {"tolerance=1e-4",
                                                                "iterations=100"}});
        assert_int_equal(workload_count(&r, "iterations"), needed);
        assert_true(workload_count(&r, "dangling") > 100);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

static void test_work(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 2}};
    HdGraph *graph = cell_graph(4, edges, 5, false); // 3 has no edges
    static const unsigned launches[NAMES] = {2, 2, 2, 3, 2, 2, 2};
    for (int i = 0; i < NAMES; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "pagerank", .implementation = names[i],
                                                 .graph = graph, .parameters = {"iterations=3"}});
        uint64_t edges_seen = 0;
        for (size_t l = 0; l < r.launch_count; l++) edges_seen += r.launches[l].edges;
        assert_int_equal(r.launch_count, 3 * launches[i] + 2); // two sums of what 3 holds
        assert_int_equal(edges_seen, i == 3 ? 30 : 15);        // expanded, then contracted
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// The bounds of a parameter, and the results of damping 0 and 1.
static void test_parameters(void **state)
{
    (void)state;
    static const HdEdge path[] = {{0, 1}, {1, 2}};
    HdGraph *graph = cell_graph(3, path, 2, false);
    HdError err = {0};
    WorkloadResult r;
    assert_false(cell_try(&(Cell){.workload = "pagerank", .implementation = "push", .graph = graph,
                                  .parameters = {"damping=1.5"}}, &r, &err));
    assert_non_null(strstr(err.text, "damping=1.5: expected a number from 0 to 1 (fraction "));
    for (int i = 0; i < NAMES; i++) {
        r = cell_verified(&(Cell){.workload = "pagerank", .implementation = names[i],
                                  .graph = graph, .parameters = {"damping=0"}});
        assert_float_equal(cell_real(&r, "highest"), 1. / 3, 1e-7);
        workload_result_free(&r);
        r = cell_verified(&(Cell){.workload = "pagerank", .implementation = names[i],
                                  .graph = graph, .parameters = {"damping=1"}});
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// Kernels that are wrong, one way each: only the last part of a sum counts, or the greatest; the
// frontier is too short; changes are taken for sums.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *name, *replace, *with, *message;
    } wrong[] = {
        {"push", "atom.global.add.f32", "atom.global.exch.b32", " has rank "},
        {"push-warp", "atom.global.add.f32", "atom.global.exch.b32", " has rank "},
        {"scalar", "atom.global.add.f32", "atom.global.exch.b32", " has rank "},
        {"pull", "\tadd.f32", "\tmax.f32", " has rank "},
        {"push", "\tadd.f32", "\tmax.f32", " has rank "}, // of the blocks' sums alone
        {"pannotia", "\tadd.f32", "\tmax.f32", " has rank "},
        {"pannotia-scalar", "\tadd.f32", "\tmax.f32", " has rank "},
        {"edge-frontier", "atom.global.add.f32", "atom.global.exch.b32", " has rank "},
        {"edge-frontier", "atom.global.add.u32", "atom.global.max.u32", " wrote a frontier of "},
        {"push", "sub.f32", "add.f32", ": expected it to be the last"},
        // Changes are below 0.
        {"pull", "setp.lt.f32", "setp.gt.f32", ": expected it not to be the last"},
    };
    HdGraph *graph = hd_graph_open("rmat:10,4", NULL, NULL); // more than one block
    assert_non_null(graph);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        HdError err = {0};
        WorkloadResult r;
        bool ran = cell_try(&(Cell){.workload = "pagerank", .implementation = wrong[i].name,
                                    .graph = graph, .replace = wrong[i].replace,
                                    .with = wrong[i].with, .every = true,
                                    .parameters = {"iterations=8", i > 8 ? "tolerance=.01" : NULL}},
                            &r, &err);
        const char *said = ran ? r.mismatch : err.text;
        if ((ran && r.verified) || !strstr(said, wrong[i].message))
            fail_msg("%s with %s: '%s'", wrong[i].name, wrong[i].with, said);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dangling),   cmocka_unit_test(test_star_and_ring),
        cmocka_unit_test(test_tolerance),  cmocka_unit_test(test_work),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("pagerank", tests, NULL, NULL);
}
