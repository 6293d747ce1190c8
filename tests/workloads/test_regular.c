// Workloads on drawn numbers (vectors, dense matrices, k-means, a sparse matrix): answers derived
// by hand, sizes that fit no block, and kernels that are wrong. With seed 0 the numbers of every
// array are 0, 1, 2, 3, 4, and again.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const sums[] = {"thread", "memory"}; // in registers, and in memory

// 0 2 4 6 8 0 2.
static void test_vecadd(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "vecadd", .parameters = {"elements=7", "seed=0"}}, 22, 8, 4);
}

// (0 1 2) squared is 5, (3 4 0) squared is 25.
static void test_scalarprod(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "scalarprod",
                      .parameters = {"pairs=2", "elements=3", "seed=0"}}, 30, 25, 1);
}

// A = (0 1 2 3, 4 0 1 2), so that A * A^T = (14 8, 8 21), and C = (0 1, 2 3): 1.5 times the one and
// 1.25 times the other are (21 13.25, 14.5 35.25).
static void test_syrk(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        cell_array((Cell){.workload = "syrk", .implementation = sums[i],
                          .parameters = {"rows=2", "columns=4", "seed=0"}}, 84, 35.25, 3);
}

// (0 1 2, 3 4 0) times (0 1 2) is (5 4); 1.5 and 1.25 of it are 13.75 and 11.
static void test_gesummv(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        cell_array((Cell){.workload = "gesummv", .implementation = sums[i],
                          .parameters = {"rows=2", "columns=3", "seed=0"}}, 24.75, 13.75, 0);
}

// 0 1 2 3      weighted     0 1 2
// 4 0 1 2         by        3 4 0    the two inside: 1 + 4 + 12 + 3 + 8 = 28
// 3 4 0 1                   1 2 3                    2 + 6 + 4 + 4 + 3 = 19
static void test_conv2d(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "conv2d", .parameters = {"rows=3", "columns=4", "seed=0"}}, 47,
               28, 5);
}

// (0 5 7, 0 0 -3, 0 0 0) times (0 1 2) is (19, -6, 0). Without weights, the edges' numbers are 0,
// 1 and 2: (0 0 1, 0 0 2, 0 0 0) times that is (2, 4, 0).
static void test_spmv(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{0, 1}, {0, 2}, {1, 2}};
    static const int32_t weights[] = {5, 7, -3};
    static const char *const names[] = {"scalar", "vector", "texture"};
    HdGraph *with = cell_weighted(3, edges, weights, 3, false);
    HdGraph *without = cell_graph(3, edges, 3, false);
    for (int i = 0; i < 3; i++) {
        Cell cell = {.workload = "spmv", .implementation = names[i], .parameters = {"seed=0"}};
        cell.graph = with;
        cell_array(cell, 13, 19, 0);
        cell.graph = without;
        cell_array(cell, 6, 4, 1);
    }
    hd_graph_free(with);
    hd_graph_free(without);
}

// Points 0 1 2 3 4 0 with centres 0 and 1: only the zeros stay with the first; the mean of 1 2 3 4
// is 2.5. So 1 goes over to the first, and the means are 1/3 and 3: no point moves any more.
// Distances are 1/3, 2/3 and 1/3, and 1, 0 and 1.
static void test_kmeans(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "kmeans",
                        .parameters = {"points=6", "features=1", "clusters=2", "seed=0"}},
                 (const CellAnswer[]){{"iterations", 3, 0}, {"moved", 0, 0},
                                      {"spread", 6. / 9 + 2, 1e-6}, {0}});
}

// Points that are alike: all go to the first of the centres that are equally near.
static void test_equal_points(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "kmeans", // each point is 0 1 2 3 4
                        .parameters = {"points=30", "features=5", "clusters=3", "seed=0"}},
                 (const CellAnswer[]){{"iterations", 2, 0}, {"spread", 0, 0}, {0}});
}

// Sizes that no block and no tile fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "vecadd", .block = 35, .parameters = {"elements=1000"}},
        {.workload = "scalarprod", .block = 35, .parameters = {"pairs=7", "elements=333"}},
        {.workload = "scalarprod", .parameters = {"pairs=1", "elements=1"}},
        {.workload = "syrk", .block = 96, .parameters = {"rows=37", "columns=45"}},
        {.workload = "syrk", .parameters = {"rows=1", "columns=1"}},
        {.workload = "syrk", .implementation = "memory", .block = 96,
         .parameters = {"rows=37", "columns=45"}},
        {.workload = "gesummv", .implementation = "memory", .block = 35,
         .parameters = {"rows=77", "columns=45"}},
        {.workload = "gesummv", .block = 35, .parameters = {"rows=77", "columns=45"}},
        {.workload = "gesummv", .parameters = {"rows=1", "columns=1"}},
        {.workload = "conv2d", .block = 96, .parameters = {"rows=35", "columns=71"}},
        {.workload = "conv2d", .parameters = {"rows=3", "columns=3"}},
        {.workload = "kmeans", .block = 35, .parameters = {"points=99", "features=7"}},
        {.workload = "kmeans", .parameters = {"points=1", "clusters=1"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

// A row of tiles that is not whole, a matrix that is too large, more clusters than points.
static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "syrk", .block = 48}, "not whole rows of tiles"},
        {{.workload = "conv2d", .block = 16}, "not whole rows of tiles"},
        {{.workload = "conv2d", .parameters = {"rows=2"}}, "expected a whole number from 3 "},
        {{.workload = "gesummv", .parameters = {"rows=65536", "columns=65536"}}, "31 bits"},
        {{.workload = "kmeans", .parameters = {"points=4"}}, "5 clusters of 4 points"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Weights of which sums could become infinite.
static void test_great_weights(void **state)
{
    (void)state;
    static const HdEdge edges[] = {{0, 1}};
    HdGraph *graph = cell_graph(2, edges, 1, false);
    float weight = 1e30f;
    graph->weight_kind = HD_WEIGHTS_REAL;
    graph->real_weights = &weight;
    Cell cell = {.workload = "spmv", .graph = graph};
    cell_refused(&cell, "weight 1e+30");
    weight = 1e-42f; // below the least normal float
    cell_at_widths(cell);
    graph->weight_kind = HD_WEIGHTS_NONE;
    graph->real_weights = NULL;
    hd_graph_free(graph);
}

// Kernels that are wrong, one way each: sums that take only the greatest part, or start at 1,
// products that are sums, distances that are none, the farthest centre, and moved points
// miscounted.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "vecadd", .parameters = {"elements=500"},
          .replace = "add.f32", .with = "max.f32"}, "sum["},
        {{.workload = "scalarprod", .parameters = {"pairs=3", "elements=500"},
          .replace = "\tadd.f32", .with = "\tmax.f32"}, "product["},
        {{.workload = "scalarprod", .parameters = {"pairs=3", "elements=500"},
          .replace = "0f00000000", .with = "0f3F800000"}, "product["},
        {{.workload = "syrk", .parameters = {"rows=40", "columns=50"},
          .replace = "\tmul.f32", .with = "\tadd.f32"}, "c["},
        {{.workload = "gesummv", .parameters = {"rows=40", "columns=50"},
          .replace = "\tmul.f32", .with = "\tadd.f32"}, "y["},
        {{.workload = "gesummv", .parameters = {"rows=40", "columns=50"},
          .replace = "0f00000000", .with = "0f3F800000"}, "y["},
        {{.workload = "syrk", .implementation = "memory",
          .parameters = {"rows=40", "columns=50"},
          .replace = "\tmul.f32", .with = "\tadd.f32"}, "c["},
        {{.workload = "gesummv", .implementation = "memory",
          .parameters = {"rows=40", "columns=50"},
          .replace = "\tmul.f32", .with = "\tadd.f32"}, "y["},
        {{.workload = "conv2d", .parameters = {"rows=40", "columns=50"},
          .replace = "\tmul.f32", .with = "\tadd.f32"}, "out["},
        {{.workload = "kmeans", .parameters = {"points=300", "features=6"},
          .replace = "sub.f32", .with = "add.f32"}, "which is nearer"},
        {{.workload = "kmeans", .parameters = {"points=300", "features=6"},
          .replace = "setp.lt.f32", .with = "setp.gt.f32"}, "which is nearer"},
        {{.workload = "kmeans", .parameters = {"points=300", "features=6"},
          .replace = "atom.global.add.u32", .with = "atom.global.max.u32"},
         "the device counted 1 points"},
        {{.workload = "spmv", .implementation = "scalar", .replace = "0f00000000",
          .with = "0f3F800000"}, "y["},
        {{.workload = "spmv", .implementation = "vector", .replace = "\tadd.f32",
          .with = "\tmax.f32"}, "y["},
        {{.workload = "spmv", .implementation = "texture", .replace = "0f00000000",
          .with = "0f3F800000"}, "y["},
    };
    HdGraph *graph = hd_graph_open("rmat:8,4", NULL, NULL);
    assert_non_null(graph);
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, graph);
    hd_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vecadd),        cmocka_unit_test(test_scalarprod),
        cmocka_unit_test(test_syrk),          cmocka_unit_test(test_gesummv),
        cmocka_unit_test(test_conv2d),        cmocka_unit_test(test_spmv),
        cmocka_unit_test(test_kmeans),        cmocka_unit_test(test_equal_points),
        cmocka_unit_test(test_odd_sizes),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_great_weights), cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("regular", tests, NULL, NULL);
}
