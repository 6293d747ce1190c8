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
    cell_assert_array((Cell){.workload = "mm2", .parameters = {"rows=2", "columns=2", "seed=0"}},
                      78, 39, 3);
}

static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "mm2", .block = 96, .parameters = {"rows=37", "columns=45"}},
        {.workload = "mm2", .parameters = {"rows=1", "columns=1"}},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) cell_assert_widths(cells[i]);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        Cell cell;
        const char *message;
    } refused[] = {
        {{.workload = "mm2", .block = 48},
         "blocks of 48 threads are not whole rows of tiles: expected --block to be a multiple of "
         "32 for this workload"},
        {{.workload = "mm2", .parameters = {"rows=16777216"}},
         "A has 16777216 by 1024 numbers: expected at most 2147483647"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        cell_assert_refused(&refused[i].cell, refused[i].message);
}

// Kernels that are wrong: sums that start at 1, and squares in place of products.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const struct {
        Cell cell;
        const char *message;
    } wrong[] = {
        {{.workload = "mm2", .parameters = {"rows=40", "columns=50"},
          .replace = "0f00000000", .with = "0f3F800000"}, "c["},
        {{.workload = "mm2", .parameters = {"rows=40", "columns=50"},
          .replace = "%f6, %f7, %f9", .with = "%f6, %f6, %f9"}, "c["},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Cell cell = wrong[i].cell;
        cell.every = true;
        cell_assert_wrong(&cell, wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mm2),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("strided", tests, NULL, NULL);
}
