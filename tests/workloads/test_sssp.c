// Shortest paths: answers derived by hand, weights of all kinds, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// From 0: 1 at 4 (over 2, not at 9 directly), 2 at 3, 3 at 5 (over 1), 4 nowhere. The second 0 -> 2
// is longer than the first.
static const HdEdge edges[] = {{0, 1}, {0, 2}, {2, 1}, {1, 3}, {2, 3}, {0, 2}, {4, 0}, {3, 3}};
static const int32_t weights[] = {9, 3, 1, 1, 7, 8, 1, 0};
enum { EDGES = sizeof weights / sizeof *weights };

// Those from NARROW on have weights of 16 bits.
static const char *const names[] = {"topology",  "lonestar",      "lonestar-tagged", "warp", "data",
                                    "data-warp", "edge-frontier", "edge-frontier-balanced",
                                    "hipc",      "hipc-tagged"};
enum { NARROW = 8, NAMES = sizeof names / sizeof *names };

static void test_answers(void **state)
{
    (void)state;
    HdGraph *graph = cell_weighted(5, edges, weights, EDGES, false);
    for (int i = 0; i < NAMES; i++) {
        WorkloadResult r = cell_verified(
            &(Cell){.workload = "sssp", .implementation = names[i], .graph = graph});
        assert_int_equal(workload_count(&r, "drawn_weights"), 0);
        assert_int_equal(workload_count(&r, "reached"), 4);
        assert_int_equal(workload_count(&r, "farthest"), 5);
        workload_result_free(&r);
        r = cell_verified(&(Cell){.workload = "sssp", .implementation = names[i], .graph = graph,
                                  .source = 4});
        assert_int_equal(workload_count(&r, "reached"), 5);
        assert_int_equal(workload_count(&r, "farthest"), 6);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// Rounds start from 0; 1 (9) and 2 (3); 1 (4, over 2) and 3 (10); 3 (5), which lowers nothing.
static void test_work(void **state)
{
    (void)state;
    HdGraph *graph = cell_weighted(5, edges, weights, EDGES, false);
    WorkloadResult r = cell_verified(
        &(Cell){.workload = "sssp", .implementation = "topology", .graph = graph});
    assert_int_equal(workload_count(&r, "rounds"), 4);
    assert_int_equal(r.launch_count, 8);
    assert_int_equal(r.launches[0].active_vertices, 1);
    assert_int_equal(r.launches[0].edges, 3);
    assert_int_equal(r.launches[2].active_vertices, 2);
    assert_int_equal(r.launches[2].edges, 3);
    assert_int_equal(r.launches[4].active_vertices, 2);
    assert_int_equal(r.launches[4].edges, 2);
    workload_result_free(&r);
    static const char *const listed[] = {"data", "data-warp"};
    for (int i = 0; i < 2; i++) {
        r = cell_verified(&(Cell){.workload = "sssp", .implementation = listed[i], .graph = graph});
        assert_int_equal(r.launch_count, 4);
        assert_int_equal(r.launches[0].active_vertices, 1);
        assert_int_equal(r.launches[1].active_vertices, 2);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// Weights of 0 and of 2^31 - 1, the greatest. No edge of the greatest is on a shortest path:
// another path is shorter by 1. Vertices 3 and 4 are not reached. Without edges, only the source
// is.
static void test_extremes(void **state)
{
    (void)state;
    static const HdEdge few[] = {{0, 1}, {0, 2}, {1, 2}, {1, 2}, {2, 2}, {2, 1}, {3, 4}};
    static const int32_t extreme[] = {0, INT32_MAX, INT32_MAX, INT32_MAX - 1, 0, 0, 0};
    HdGraph *graph = cell_weighted(5, few, extreme, 7, false);
    HdGraph *empty = cell_weighted(40, few, extreme, 0, false);
    for (int i = 0; i < NARROW; i++) {
        WorkloadResult r = cell_verified(
            &(Cell){.workload = "sssp", .implementation = names[i], .graph = graph});
        assert_int_equal(workload_count(&r, "reached"), 3);
        assert_int_equal(workload_count(&r, "farthest"), INT32_MAX - 1);
        workload_result_free(&r);
        r = cell_verified(
            &(Cell){.workload = "sssp", .implementation = names[i], .graph = empty, .source = 39});
        assert_int_equal(workload_count(&r, "reached"), 1);
        workload_result_free(&r);
    }
    hd_graph_free(empty);
    hd_graph_free(graph);
}

// The same with 2^15 - 1, the greatest weight of 16 bits, and with a weight above it.
static void test_narrow(void **state)
{
    (void)state;
    static const HdEdge few[] = {{0, 1}, {0, 2}, {1, 2}, {1, 2}, {2, 2}, {2, 1}, {3, 4}};
    static const int32_t extreme[] = {0, INT16_MAX, INT16_MAX, INT16_MAX - 1, 0, 0, 0};
    HdGraph *graph = cell_weighted(5, few, extreme, 7, false);
    HdGraph *empty = cell_weighted(40, few, extreme, 0, false);
    for (int i = NARROW; i < NAMES; i++) {
        Cell cell = {.workload = "sssp", .implementation = names[i], .graph = graph};
        WorkloadResult r = cell_verified(&cell);
        assert_int_equal(workload_count(&r, "reached"), 3);
        assert_int_equal(workload_count(&r, "farthest"), INT16_MAX - 1);
        workload_result_free(&r);
        r = cell_verified(
            &(Cell){.workload = "sssp", .implementation = names[i], .graph = empty, .source = 39});
        assert_int_equal(workload_count(&r, "reached"), 1);
        workload_result_free(&r);
        graph->int_weights[1]++;
        HdError err = {0};
        assert_false(cell_try(&cell, &r, &err));
        assert_string_equal(err.text,
                            "graph small has an edge of weight 32768, from vertex 0 to 2: expected "
                            "at most 32767, because the kernels have weights of 16 bits; "
                            "--weights 1..100 draws weights");
        workload_result_free(&r);
        graph->int_weights[1]--;
    }
    hd_graph_free(empty);
    hd_graph_free(graph);
}

// Two vertices find the same 40, each of which has a leaf. The second finds shorter paths to all
// 40. They are listed once, however many vertices a warp takes.
static void test_listed_once(void **state)
{
    (void)state;
    enum { MANY = 40, LEAF = 3 + MANY, VERTICES = LEAF + MANY, ALL = 2 + 3 * MANY };
    static const char *const chunks[] = {"chunk=1", "chunk=7", "chunk=1048576"};
    HdEdge found[ALL] = {{0, 1}, {0, 2}};
    int32_t lengths[ALL] = {1, 1};
    for (uint32_t v = 0; v < MANY; v++) {
        HdEdge three[] = {{1, 3 + v}, {2, 3 + v}, {3 + v, LEAF + v}};
        for (uint32_t i = 0; i < 3; i++) found[2 + i * MANY + v] = three[i];
        lengths[2 + v] = 9;
        lengths[2 + MANY + v] = 5;
        lengths[2 + 2 * MANY + v] = 1;
    }
    HdGraph *graph = cell_weighted(VERTICES, found, lengths, ALL, false);
    for (int i = 0; i < 3; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "sssp", .implementation = "data-warp",
                                                 .graph = graph, .block = 32,
                                                 .parameters = {chunks[i]}});
        assert_int_equal(workload_count(&r, "reached"), VERTICES);
        assert_int_equal(workload_count(&r, "farthest"), 1 + 5 + 1);
        assert_int_equal(r.launch_count, 4);
        assert_int_equal(r.launches[1].active_vertices, 2);
        assert_int_equal(r.launches[2].active_vertices, MANY);
        assert_int_equal(r.launches[3].active_vertices, MANY);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

static const char *const frontiers[] = {"edge-frontier", "edge-frontier-balanced"};

// Of 600 heads of vertex 0, each 50th has 300 edges, the others have none: most blocks of the pile
// have no edge, a vertex's edges are in several blocks, and those of a block have many vertices
// without edges in between. The pile's blocks (600 vertices) and those of edges (3,600) are as many
// as follow from either number. A round without edges does not expand.
static void test_uneven(void **state)
{
    (void)state;
    enum { MIDDLE = 600, STEP = 50, EACH = 300, LEAVES = MIDDLE / STEP * EACH,
           VERTICES = 1 + MIDDLE + LEAVES, ALL = MIDDLE + LEAVES };
    static HdEdge tree[ALL];
    static int32_t lengths[ALL];
    for (uint32_t i = 0; i < MIDDLE; i++) tree[i] = (HdEdge){0, 1 + i};
    for (uint32_t i = 0; i < LEAVES; i++)
        tree[MIDDLE + i] = (HdEdge){1 + i / EACH * STEP, 1 + MIDDLE + i};
    for (uint32_t i = 0; i < ALL; i++) lengths[i] = 1;
    HdGraph *graph = cell_weighted(VERTICES, tree, lengths, ALL, false);
    static const uint32_t blocks[] = {1, 32, 96, 1024};
    for (int b = 0; b < 4; b++) {
        WorkloadResult r = cell_verified(
            &(Cell){.workload = "sssp", .implementation = "edge-frontier-balanced", .graph = graph,
                    .block = blocks[b], .parameters = {"delta=100"}});
        assert_int_equal(workload_count(&r, "reached"), VERTICES);
        assert_int_equal(workload_count(&r, "farthest"), 2);
        assert_int_equal(workload_count(&r, "rounds"), 3);
        assert_int_equal(r.launch_count, 5 + 5 + 2);
        static const uint64_t work[] = {0, 0, MIDDLE, MIDDLE, MIDDLE, 0, 0, LEAVES, LEAVES, LEAVES,
                                        0, 0};
        for (uint32_t i = 0; i < r.launch_count; i++)
            assert_int_equal(r.launches[i].edges, work[i]);
        assert_int_equal(r.launches[0].active_vertices, 1);
        assert_int_equal(r.launches[5].active_vertices, MIDDLE);
        assert_int_equal(r.launches[10].active_vertices, LEAVES);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// Thresholds from one distance at a time to all at once; and weights far apart, so that the far
// pile has to be looked through for the nearest.
static void test_delta(void **state)
{
    (void)state;
    static const char *const deltas[] = {"delta=1", "delta=20", "delta=2147483647"};
    static const int32_t far_apart[] = {2000000000, 3, 1000000000, 1, 7, 8, 1, 0};
    HdGraph *graphs[] = {hd_graph_open("rmat:9,8", NULL, NULL),
                         cell_weighted(5, edges, far_apart, EDGES, false)};
    uint64_t launches[3];
    for (int i = 0; i < 2; i++) {
        assert_non_null(graphs[i]);
        for (int balanced = 0; balanced < 2; balanced++) {
            for (int d = 0; d < 3; d++) {
                WorkloadResult r = cell_verified(
                    &(Cell){.workload = "sssp", .graph = graphs[i], .parameters = {deltas[d]},
                            .implementation = frontiers[balanced]});
                launches[d] = r.launch_count;
                workload_result_free(&r);
            }
            assert_true(launches[0] > launches[2]);
            assert_true(launches[0] < 10000);
        }
        hd_graph_free(graphs[i]);
    }
}

// The lists in shared memory overflow: a star has more leaves than fit.
static void test_overflow(void **state)
{
    (void)state;
    enum { LEAVES = 4000 };
    static HdEdge star[LEAVES];
    for (uint32_t i = 0; i < LEAVES; i++) star[i] = (HdEdge){0, i + 1};
    HdGraph *graph = cell_graph(LEAVES + 1, star, LEAVES, true);
    for (int i = 0; i < NAMES; i++) {
        WorkloadResult r = cell_verified(
            &(Cell){.workload = "sssp", .implementation = names[i], .graph = graph, .block = 96});
        assert_int_equal(workload_count(&r, "reached"), LEAVES + 1);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// Lanes of one warp write to the list in shared memory and, when that is full, to the global one:
// 250 vertices of one block find 8 each, those of the last warp fewer at a time than the others.
static void test_spill(void **state)
{
    (void)state;
    enum { MIDDLE = 250, EACH = 8, LEAVES = MIDDLE * EACH };
    static HdEdge tree[MIDDLE + LEAVES];
    for (uint32_t i = 0; i < MIDDLE; i++) tree[i] = (HdEdge){0, 1 + i};
    for (uint32_t i = 0; i < LEAVES; i++)
        tree[MIDDLE + i] = (HdEdge){1 + i % MIDDLE, 1 + MIDDLE + i};
    HdGraph *graph = cell_graph(1 + MIDDLE + LEAVES, tree, MIDDLE + LEAVES, true);
    for (const Workload *const *all = workloads, *w; (w = *all); all++)
        for (const Implementation *i = w->implementations; w->needs_graph && i->name; i++) {
            if (strcmp(i->name, "data") != 0) continue;
            WorkloadResult r = cell_verified(
                &(Cell){.workload = w->name, .implementation = i->name, .graph = graph});
            workload_result_free(&r);
        }
    hd_graph_free(graph);
}

// Drawn weights are those of --weights 1..100, and another seed draws others.
static void test_drawn(void **state)
{
    (void)state;
    HdGraph *graph = hd_graph_open("rmat:8,4", NULL, NULL);
    HdGraphOptions options = {.draw_weights = true, .weight_low = 1, .weight_high = 100,
                              .weight_seed = 1};
    HdGraph *weighted = hd_graph_open("rmat:8,4", &options, NULL);
    assert_non_null(graph);
    assert_non_null(weighted);
    WorkloadResult drawn = cell_verified(&(Cell){.workload = "sssp", .graph = graph});
    WorkloadResult own = cell_verified(&(Cell){.workload = "sssp", .graph = weighted});
    WorkloadResult other = cell_verified(
        &(Cell){.workload = "sssp", .graph = graph, .parameters = {"seed=2"}});
    assert_int_equal(workload_count(&drawn, "drawn_weights"), graph->edges);
    assert_int_equal(workload_count(&own, "drawn_weights"), 0);
    assert_int_equal(workload_count(&drawn, "farthest"), workload_count(&own, "farthest"));
    assert_int_not_equal(workload_count(&drawn, "farthest"), workload_count(&other, "farthest"));
    workload_result_free(&drawn);
    workload_result_free(&own);
    workload_result_free(&other);
    hd_graph_free(graph);
    hd_graph_free(weighted);
}

static void assert_refused(const HdGraph *graph, int count, const char *message)
{
    HdError err = {0};
    WorkloadResult r;
    for (int i = 0; i < count; i++) {
        assert_false(cell_try(
            &(Cell){.workload = "sssp", .implementation = names[i], .graph = graph}, &r, &err));
        assert_string_equal(err.text, message);
        workload_result_free(&r);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const int32_t negative[] = {9, 3, -4, 1, 7, 8, 1, 0};
    static const int32_t large[] = {9, 2000000000, 1, 2000000000, 2000000000, 2000000000, 1, 0};
    HdGraph *graph = cell_weighted(5, edges, negative, EDGES, false);
    assert_refused(graph, NAMES,
                   "graph small has an edge of weight -4, from vertex 2 to 1: expected at "
                   "least 0; --weights 1..100 draws weights");
    graph->weight_kind = HD_WEIGHTS_REAL;
    assert_refused(graph, NAMES, "graph small has real weights: expected integers; "
                                 "--weights 1..100 draws them");
    hd_graph_free(graph);
    // First the distance over 2, 4,000,000,000, exceeds 31 bits, but the shortest does not; then
    // the shortest does.
    graph = cell_weighted(5, edges, large, EDGES, false);
    WorkloadResult r = cell_verified(&(Cell){.workload = "sssp", .graph = graph});
    assert_int_equal(workload_count(&r, "farthest"), 2000000009);
    workload_result_free(&r);
    graph->int_weights[graph->row[0]] = 2000000000;
    assert_refused(graph, NARROW, "vertex 3 of graph small is at distance 4000000000: expected "
                                  "less than 2^31");
    hd_graph_free(graph);
}

// Kernels that are wrong, one way each: the answer says so, or the run ends by itself.
static void test_wrong_kernels(void **state)
{
    (void)state;
    HdGraph *graph = hd_graph_open("rmat:8,4", NULL, NULL);
    assert_non_null(graph);
    for (int i = 0; i < NAMES; i++) {
        WorkloadResult r = cell_run(&(Cell){.workload = "sssp", .implementation = names[i],
                                            .graph = graph, .replace = "min.u32",
                                            .with = "max.u32", .every = true});
        if (r.verified) fail_msg("%s is said to be right with max for min", names[i]);
        assert_non_null(strstr(r.mismatch, ": expected "));
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),  cmocka_unit_test(test_work),
        cmocka_unit_test(test_delta),    cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_drawn),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_spill),    cmocka_unit_test(test_wrong_kernels),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_listed_once), cmocka_unit_test(test_uneven),
    };
    return cmocka_run_group_tests_name("sssp", tests, NULL, NULL);
}
