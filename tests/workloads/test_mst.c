// Minimum spanning forests: weights derived by hand, ties, forests of several trees; answers and
// kernels that are wrong.
#include "cell.h"
#include "workloads/mst.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

// Two trees: 0 to 4 (edges of 1, 2, 4, 5: 3 and 9 close circles, and so does the second 0 - 1) and
// 5 - 6; 7 is alone. A loop of weight 0 is not used.
static const HdEdge edges[] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {1, 4},
                               {0, 1}, {5, 6}, {3, 3}};
static const int32_t weights[] = {1, 2, 3, 4, 5, 9, 8, 6, 0};
enum { EDGES = sizeof weights / sizeof *weights, VERTICES = 8 };

static const char *const names[] = {"h", "hipc", "hipc-tagged", "lonestar"};
enum { NAMES = sizeof names / sizeof *names };

static Cell cell(const HdGraph *graph, int i)
{
    return (Cell){.workload = "mst", .implementation = names[i], .graph = graph};
}

static void expect(const HdGraph *graph, uint64_t weight, uint64_t count, uint64_t trees)
{
    for (int i = 0; i < NAMES; i++) {
        Cell c = cell(graph, i);
        WorkloadResult r = cell_verified(&c);
        assert_int_equal(workload_count(&r, "weight"), weight);
        assert_int_equal(workload_count(&r, "edges"), count);
        assert_int_equal(workload_count(&r, "trees"), trees);
        workload_result_free(&r);
    }
}

static void test_forest(void **state)
{
    (void)state;
    HdGraph *graph = cell_weighted(VERTICES, edges, weights, EDGES, true);
    expect(graph, 1 + 2 + 4 + 5 + 6, 5, 3);
    hd_graph_free(graph);
}

// Where the two directions of an edge, or edges that are there twice, differ, the lightest counts.
static void test_two_weights(void **state)
{
    (void)state;
    static const HdEdge both[] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}, {0, 2}};
    static const int32_t differ[] = {9, 1, 2, 8, 7, 7, 3};
    HdGraph *graph = cell_weighted(3, both, differ, 7, true);
    expect(graph, 1 + 2, 2, 1);
    graph->int_weights[graph->row[2] + 1] = 0; // 2 -> 0
    expect(graph, 1 + 0, 2, 1);
    hd_graph_free(graph);
}

// Weights below 0, and the greatest that there is.
static void test_extremes(void **state)
{
    (void)state;
    static const HdEdge three[] = {{0, 1}, {1, 2}, {0, 2}};
    static const int32_t extreme[] = {INT32_MAX, -5, INT32_MAX};
    static const int32_t negative[] = {INT32_MIN, -5, 7};
    HdGraph *graph = cell_weighted(3, three, extreme, 3, true);
    expect(graph, (uint64_t)INT32_MAX - 5, 2, 1);
    hd_graph_free(graph);
    graph = cell_weighted(3, three, negative, 3, true);
    for (int i = 0; i < NAMES; i++) {
        Cell c = cell(graph, i);
        WorkloadResult r = cell_verified(&c);
        for (unsigned k = 0; k < r.answer_count; k++)
            if (strcmp(r.answers[k].name, "weight") == 0)
                assert_true(r.answers[k].is_real && r.answers[k].real == (double)INT32_MIN - 5);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// One weight for all: only the order of edges, or the union's own look, keeps circles away.
static void test_ties(void **state)
{
    (void)state;
    HdGraphOptions options = {.symmetrize = true, .draw_weights = true, .weight_low = 3,
                              .weight_high = 3};
    static const char *const specs[] = {"grid:30x20", "rmat:9,6", "uniform:500,2"};
    for (int s = 0; s < 3; s++) {
        HdGraph *graph = hd_graph_open(specs[s], &options, NULL);
        HdGraphStats stats;
        assert_non_null(graph);
        assert_true(hd_graph_measure(graph, &stats, NULL));
        uint64_t count = graph->vertices - stats.components;
        expect(graph, 3 * count, count, stats.components);
        hd_graph_free(graph);
    }
}

static void test_refused(void **state)
{
    (void)state;
    HdGraph *graph = cell_weighted(VERTICES, edges, weights, EDGES, false);
    for (int i = 0; i < NAMES; i++) {
        HdError err = {0};
        WorkloadResult r;
        Cell c = cell(graph, i);
        assert_false(cell_try(&c, &r, &err));
        assert_non_null(strstr(err.text, "--symmetrize"));
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// Wrong answers of a device, and their messages.
static void test_wrong_answers(void **state)
{
    (void)state;
    HdGraph *graph = cell_weighted(VERTICES, edges, weights, EDGES, true);
    static const struct {
        TreeEdge edges[5];
        uint32_t count;
        const char *mismatch;
    } cases[] = {
        {{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}}, 5, ""},
        {{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, 4, "the forest has 4 edges: expected 5"},
        {{{0, 1}, {1, 2}, {2, 3}, {1, 4}, {5, 6}}, 5, "the forest has weight 22: expected 18"},
        {{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {5, 6}}, 5,
         "the edge 0-2 closes a cycle: expected a forest"},
        {{{0, 1}, {1, 3}, {2, 3}, {3, 4}, {5, 6}}, 5,
         "the forest has the edge 1-3: expected an edge of the graph"},
        {{{9, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}}, 5,
         "the forest has the edge 9-1: expected an edge of the graph"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdError err = {0};
        WorkloadInput input = {.graph = graph, .block = 256};
        WorkloadResult r = {0};
        HdDevice *device = hd_device_simulate(&(HdSimulation){.threads = 1}, &err);
        assert_non_null(device);
        Mst mst = mst_begin(device, &input, &r, &err);
        assert_true(mst_end(&mst, cases[i].edges, cases[i].count));
        assert_int_equal(r.verified, i == 0);
        assert_string_equal(r.mismatch, cases[i].mismatch);
        workload_result_free(&r);
        hd_device_close(device);
    }
    hd_graph_free(graph);
}

static void test_wrong_kernels(void **state)
{
    (void)state;
    HdGraph *graph = cell_weighted(VERTICES, edges, weights, EDGES, true);
    for (int i = 0; i < NAMES; i++) {
        Cell c = cell(graph, i);
        c.replace = "min.s32"; // no component learns its least weight
        c.with = "max.s32";
        c.every = true;
        WorkloadResult r = cell_run(&c);
        assert_false(r.verified);
        assert_string_equal(r.mismatch, "the forest has 0 edges: expected 5");
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forest),        cmocka_unit_test(test_two_weights),
        cmocka_unit_test(test_extremes),      cmocka_unit_test(test_ties),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("mst", tests, NULL, NULL);
}
