// Workloads whose rows are powers of two long, so that they conflict in an L1: answers derived by
// hand, sizes that fit no block and no tile, and kernels that are wrong. With seed 0 the numbers of
// every array are 0, 1, 2, 3, 4, and again.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A, B and D are (0 1, 2 3). A * B is (2 3, 6 11), and that times D is (6 11, 22 39).
static void test_mm2(void **state)
{
    (void)state;
    static const char *const sums[] = {"thread", "memory"}; // in registers, and in memory
    for (int i = 0; i < 2; i++)
        cell_array((Cell){.workload = "mm2", .implementation = sums[i],
                          .parameters = {"rows=2", "columns=2", "seed=0"}}, 78, 39, 3);
}

// Three planes, (0 1 2, 3 4 0, 1 2 3), (4 0 1, 2 3 4, 0 1 2) and (3 4 0, 1 2 3, 4 0 1), which add
// up to 51. Only the cell in the middle changes. It is 3, and its neighbours are 4 and 2, 2 and 4,
// 0 and 1: after a step it is 0.4 * 3 + 0.1 * 13 = 2.5, after another one 0.4 * 2.5 + 1.3 = 2.3.
static void test_stencil3d(void **state)
{
    (void)state;
    static const struct {
        const char *steps;
        double sum;
    } runs[] = {{"steps=1", 50.5}, {"steps=2", 50.3}};
    for (int i = 0; i < 2; i++)
        cell_answers((Cell){.workload = "stencil3d",
                            .parameters = {"rows=3", "columns=3", "planes=3", runs[i].steps,
                                           "seed=0"}},
                     (const CellAnswer[]){{"sum", runs[i].sum, 1e-6}, {"greatest_at", 4, 0}, {0}});
}

// Pixels 2 and 3: their mean is 2.5 and their variance 0.25, so the image's variation is 0.04. The
// left pixel has a gradient of 1/4 and a laplacian of 1/2, so its own variation is (1/8 - 1/64) /
// (9/8)^2 = 7/81. The right one has 1/9 and -1/3: (1/18 - 1/144) / (11/12)^2 = 7/121. That one's
// coefficient counts for both: 1 / (1 + (7/121 - 0.04) / (0.04 * 1.04)) = 0.699733. An eighth of it
// passes from the right to the left.
static void test_srad(void **state)
{
    (void)state;
    double coefficient = 1 / (1 + (7. / 121 - 0.04) / (0.04 * 1.04));
    cell_answers((Cell){.workload = "srad",
                        .parameters = {"rows=1", "columns=2", "iterations=1", "seed=0"}},
                 (const CellAnswer[]){{"sum", 5, 1e-6}, {"greatest", 3 - coefficient / 8, 1e-6},
                                      {0}});
}

// Points 0 1 2 3 4 0 with centres 0 and 1: they cost 0 0 1 4 9 0, and a cluster costs 7 in the
// mean. The candidate 2 saves 1, 3 and 5 for the points 2, 3 and 4. Without the centre 0 the two
// zeros would lose 4 each; without the centre 1 that point would lose 1. If a centre costs nothing,
// none is closed, and the points cost 0 0 0 1 4 0. If it costs 3.5, opening 2 and closing 1 saves
// 9 - 3.5 + 2.5. If it costs 14, closing both saves 6 and 13: all points cost 4 1 0 1 4 4.
static void test_streamcluster(void **state)
{
    (void)state;
    static const struct {
        const char *facility;
        double closed, centres, cost;
    } runs[] = {{"facility=0", 0, 3, 5}, {"facility=0.5", 1, 2, 6}, {"facility=2", 2, 1, 14}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        cell_answers((Cell){.workload = "streamcluster",
                            .parameters = {"points=6", "dimensions=1", "centres=2", "candidates=1",
                                           runs[i].facility, "seed=0"}},
                     (const CellAnswer[]){{"opened", 1, 0}, {"closed", runs[i].closed, 0},
                                          {"centres", runs[i].centres, 0},
                                          {"cost", runs[i].cost, 0}, {0}});
}

static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "mm2", .block = 96, .parameters = {"rows=37", "columns=45"}},
        {.workload = "mm2", .parameters = {"rows=1", "columns=1"}},
        {.workload = "mm2", .implementation = "memory", .block = 96,
         .parameters = {"rows=37", "columns=45"}},
        {.workload = "stencil3d", .block = 192,
         .parameters = {"rows=35", "columns=71", "planes=7", "steps=3"}},
        {.workload = "stencil3d", .parameters = {"rows=3", "columns=3", "planes=3"}},
        {.workload = "srad", .parameters = {"rows=35", "columns=50"}},
        {.workload = "srad", .parameters = {"rows=17", "columns=16"}},
        {.workload = "srad", .parameters = {"rows=40", "columns=1", "seed=0"}},
        {.workload = "streamcluster", .block = 35, .parameters = {"points=333", "dimensions=7"}},
        {.workload = "streamcluster",
         .parameters = {"points=2", "dimensions=1", "centres=1", "candidates=1"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "mm2", .block = 48},
         "blocks of 48 threads are not whole rows of tiles: expected --block to be a multiple of "
         "32 for this workload"},
        {{.workload = "mm2", .parameters = {"rows=16777216"}},
         "A has 16777216 by 1024 numbers: expected at most 2147483647"},
        {{.workload = "stencil3d", .block = 32}, "to be a multiple of 64"},
        {{.workload = "stencil3d", .parameters = {"planes=2"}},
         "--param planes=2: expected a whole number from 3 to 16777216"},
        {{.workload = "stencil3d", .parameters = {"planes=65536"}},
         "the grid has 65536 by 65536 numbers: expected at most 2147483647"},
        {{.workload = "srad", .block = 128},
         "blocks of 128 threads are not tiles of 16 by 16 pixels: expected --block 256 for this "
         "workload"},
        {{.workload = "srad", .parameters = {"rows=1", "columns=1"}},
         "all pixels are alike: expected an image of several brightnesses"},
        {{.workload = "streamcluster", .parameters = {"points=23"}},
         "24 centres and candidates of 23 points: expected at most one for each point"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong: sums that start at 1, squares in place of products, greatest numbers in
// place of sums, sums in place of differences, and products in place of quotients.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "mm2", .parameters = {"rows=40", "columns=50"},
          .replace = "0f00000000", .with = "0f3F800000"}, "c["},
        {{.workload = "mm2", .parameters = {"rows=40", "columns=50"},
          .replace = "%f6, %f7, %f9", .with = "%f6, %f6, %f9"}, "c["},
        {{.workload = "stencil3d", .parameters = {"rows=20", "columns=50", "planes=5"},
          .replace = "add.f32", .with = "max.f32"}, "out["},
        {{.workload = "srad", .parameters = {"rows=40", "columns=50"},
          .replace = "sub.f32", .with = "add.f32"}, "image["},
        {{.workload = "srad", .parameters = {"rows=40", "columns=50"},
          .replace = "div.rn.f32", .with = "mul.rn.f32"}, "image["},
        {{.workload = "streamcluster", .parameters = {"points=99", "dimensions=5"},
          .replace = "setp.lt.f32", .with = "setp.gt.f32"}, "switched["},
        {{.workload = "streamcluster", .parameters = {"points=99", "dimensions=5"},
          .replace = "sub.f32", .with = "add.f32"}, "change["},
    };
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mm2),
        cmocka_unit_test(test_stencil3d),
        cmocka_unit_test(test_srad),
        cmocka_unit_test(test_streamcluster),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("strided", tests, NULL, NULL);
}
