// Components, triangles and core numbers of graphs drawn by hand, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

// A clique of 0..4; 5 joined with 0 and 1; 6 with 5; 7 and 8 with each other, twice; a loop at 6;
// 9 alone. Triangles: 10 in the clique, 0 1 5. Cores: the clique 4; 5 has two neighbours in what
// is left at k = 2; 6 one; 7 and 8 are each other's two; 9 none.
static const HdEdge edges[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3},
                               {2, 4}, {3, 4}, {5, 0}, {5, 1}, {6, 5}, {7, 8}, {7, 8}, {6, 6}};
enum { EDGES = sizeof edges / sizeof *edges, VERTICES = 10 };

static HdGraph *drawn(void) { return cell_graph(VERTICES, edges, EDGES, true); }

static void test_by_hand(void **state)
{
    (void)state;
    HdGraph *graph = drawn();
    cell_answers((Cell){.workload = "cc", .graph = graph},
                 (const CellAnswer[]){{"components", 3, 0}, {"largest", 7, 0}, {0}});
    cell_answers((Cell){.workload = "tc", .graph = graph},
                 (const CellAnswer[]){{"triangles", 11, 0}, {0}});
    cell_answers((Cell){.workload = "kcore", .graph = graph},
                 (const CellAnswer[]){{"degeneracy", 4, 0}, {"innermost", 5, 0}, {0}});
    uint32_t cores[VERTICES], expected[VERTICES] = {4, 4, 4, 4, 4, 2, 1, 2, 2, 0};
    uint32_t roots[VERTICES], lowest[VERTICES] = {0, 0, 0, 0, 0, 0, 0, 7, 7, 9};
    uint64_t triangles;
    assert_true(hd_core_numbers(graph, cores, NULL));
    assert_memory_equal(cores, expected, sizeof cores);
    hd_graph_components(graph, roots);
    assert_memory_equal(roots, lowest, sizeof roots);
    assert_true(hd_count_triangles(graph, &triangles, NULL));
    assert_int_equal(triangles, 11);
    hd_graph_free(graph);
}

// One way is enough for weakly connected components.
static void test_directed(void **state)
{
    (void)state;
    static const HdEdge one_way[] = {{3, 2}, {2, 1}, {1, 0}, {4, 5}, {6, 5}};
    HdGraph *graph = cell_graph(7, one_way, 5, false);
    cell_answers((Cell){.workload = "cc", .graph = graph},
                 (const CellAnswer[]){{"components", 2, 0}, {"largest", 4, 0}, {0}});
    hd_graph_free(graph);
}

// Larger than a block, with hubs and with long chains.
static void test_generated(void **state)
{
    (void)state;
    static const char *const specs[] = {"rmat:11,6", "grid:37x29,delete=.4", "uniform:3000,1"};
    HdGraphOptions options = {.symmetrize = true};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        HdGraph *graph = hd_graph_open(specs[i], &options, NULL);
        assert_non_null(graph);
        WorkloadResult r = cell_verified(&(Cell){.workload = "cc", .graph = graph});
        assert_true(workload_count(&r, "components") > 1);
        workload_result_free(&r);
        r = cell_verified(&(Cell){.workload = "tc", .graph = graph});
        workload_result_free(&r);
        r = cell_verified(&(Cell){.workload = "kcore", .graph = graph});
        workload_result_free(&r);
        hd_graph_free(graph);
    }
}

static void assert_wrong(const char *workload, HdGraph *graph, const char *replace,
                         const char *with, const char *message)
{
    WorkloadResult r = cell_run(&(Cell){.workload = workload, .graph = graph, .block = 64,
                                        .replace = replace, .with = with});
    assert_false(r.verified);
    if (!strstr(r.mismatch, message)) fail_msg("%s: '%s'", workload, r.mismatch);
    workload_result_free(&r);
    hd_graph_free(graph);
}

static void test_wrong_kernels(void **state)
{
    (void)state;
    // Nothing is hooked; only the block that finds most counts; neighbours lose two at a time.
    static const HdEdge fork[] = {{2, 0}, {2, 1}}; // 0 and 1 are joined by hooking alone
    assert_wrong("cc", cell_graph(3, fork, 2, true), "min.s32", "max.s32",
                 "vertex 1 is in the component of 1: expected the component of 0");
    assert_wrong("tc", drawn(), "atom.global.add.u64", "atom.global.max.u64",
                 "triangles: expected 11");
    assert_wrong("kcore", drawn(), "], -1", "], -2", "core number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_directed),
        cmocka_unit_test(test_generated),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("structure", tests, NULL, NULL);
}
