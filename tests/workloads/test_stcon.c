// s-t connectivity: paths of odd and even length, none, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

// A ring of 9, a chord that cuts it short, a loop, an edge twice; and two vertices apart.
static const HdEdge edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8},
                               {8, 0}, {2, 6}, {4, 4}, {0, 1}, {9, 10}};
enum { EDGES = sizeof edges / sizeof *edges, VERTICES = 11 };

static WorkloadResult connect(const HdGraph *graph, uint32_t s, int t)
{
    char target[32];
    snprintf(target, sizeof target, "target=%d", t);
    return cell_verified(
        &(Cell){.workload = "stcon", .graph = graph, .source = s, .parameters = {target}});
}

static void test_paths(void **state)
{
    (void)state;
    HdGraph *graph = cell_graph(VERTICES, edges, EDGES, true);
    static const struct {
        uint32_t s;
        int t, length; // -1: none
        unsigned launches;
    } cases[] = {
        {0, 0, 0, 1},  // they meet where they start
        {0, 1, 1, 2},  // in the first expansion
        {0, 2, 2, 3},  // in vertex 1, when that is updated
        {0, 6, 3, 4},  // 0 1 2 6 or 0 8 7 6
        {0, 5, 4, 5},  // over 6
        {8, 4, 4, 5},  // 8 7 6 5 4
        {9, 10, 1, 2}, {0, 10, -1, 5}, // 10 reaches 9, whose neighbours are known: nothing new
        {10, 4, -1, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WorkloadResult r = connect(graph, cases[i].s, cases[i].t);
        if ((int)workload_count(&r, "connected") != (cases[i].length >= 0) ||
            (cases[i].length >= 0 && (int)workload_count(&r, "path") != cases[i].length) ||
            r.launch_count != cases[i].launches)
            fail_msg("%u to %d: connected %d, %d edges, %d launches", cases[i].s, cases[i].t,
                     (int)workload_count(&r, "connected"), (int)workload_count(&r, "path"),
                     (int)r.launch_count);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

// By default the first of the farthest: 4 (over 3; as far as 5, 0 8 7 6 5) from 0.
static void test_default_target(void **state)
{
    (void)state;
    HdGraph *graph = cell_graph(VERTICES, edges, EDGES, true);
    WorkloadResult r = cell_verified(&(Cell){.workload = "stcon", .graph = graph});
    assert_int_equal(workload_count(&r, "target"), 4);
    assert_int_equal(workload_count(&r, "path"), 4);
    // Both searches start, and both have the edges of their frontiers before them.
    assert_int_equal(r.launches[0].active_vertices, 2);
    assert_int_equal(r.launches[0].edges, 0);
    assert_int_equal(r.launches[1].active_vertices, 2);
    assert_int_equal(r.launches[1].edges, 3 + 3); // 0: 1, 8, 1 again; 4: 3, 5, 4
    workload_result_free(&r);
    hd_graph_free(graph);
}

static void test_generated(void **state)
{
    (void)state;
    HdGraphOptions options = {.symmetrize = true};
    HdGraph *graph = hd_graph_open("rmat:9,4", &options, NULL);
    assert_non_null(graph);
    for (int t = 0; t < 512; t += 37) {
        WorkloadResult r = connect(graph, (uint32_t)(511 - t) / 2, t);
        workload_result_free(&r);
    }
    hd_graph_free(graph);
}

static void assert_refused(const HdGraph *graph, const char *parameter, const char *message)
{
    HdError err = {0};
    WorkloadResult r;
    assert_false(cell_try(
        &(Cell){.workload = "stcon", .graph = graph, .parameters = {parameter}}, &r, &err));
    assert_non_null(strstr(err.text, message));
    workload_result_free(&r);
}

static void test_refused(void **state)
{
    (void)state;
    HdGraph *graph = cell_graph(VERTICES, edges, EDGES, false);
    assert_refused(graph, NULL, "is marked as directed: --symmetrize adds");
    assert_true(hd_graph_symmetrize(graph, NULL));
    assert_refused(graph, "target=11",
                   "target 11 is not a vertex of graph small: expected 0 to 10");
    hd_graph_free(graph);
}

static void assert_wrong(const HdGraph *graph, const char *replace, const char *with,
                         const char *mismatch)
{
    WorkloadResult r = cell_run(&(Cell){.workload = "stcon", .graph = graph, .replace = replace,
                                        .with = with, .every = true});
    assert_false(r.verified);
    assert_non_null(strstr(r.mismatch, mismatch));
    workload_result_free(&r);
}

static void test_wrong_kernels(void **state)
{
    (void)state;
    HdGraph *graph = cell_graph(VERTICES, edges, EDGES, true);
    // The meeting is not recorded; no vertex is reached; each parent is the other search's.
    assert_wrong(graph, "min.s32", "max.s32", "0 and 4 are reported as not connected");
    assert_wrong(graph, "or.b32", "and.b32", "0 and 4 are reported as not connected");
    WorkloadResult r = cell_run(&(Cell){.workload = "stcon", .graph = graph,
                                        .replace = "_param_5]", .with = "_param_6]"});
    assert_false(r.verified);
    assert_non_null(strstr(r.mismatch, "from -1: expected a simple path, found no edge"));
    workload_result_free(&r);
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_default_target),
        cmocka_unit_test(test_generated), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("stcon", tests, NULL, NULL);
}
