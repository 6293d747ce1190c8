// The streaming workloads of khairy2015 with tiles or formulas: answers derived by hand, sizes that
// fit no block and no tile, and kernels that are wrong. With seed 0 the numbers of every array are
// 0, 1, 2, 3, 4, and again.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// 0 1 2 3 4 0 1 2 become 4 1 3 5 -4 1 1 1, then 7 6 1 -4 -3 2 -5 0, and at last
// 13 1 -3 5 -1 -5 -5 -5.
static void test_walsh(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "walsh", .parameters = {"elements=8", "seed=0"}}, 0, 13, 0);
}

// Sizes that no block and no tile fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "walsh", .block = 35, .parameters = {"elements=4096"}},
        {.workload = "walsh", .block = 35, .parameters = {"elements=8192"}},
        {.workload = "walsh", .parameters = {"elements=32768", "seed=0"}},
        {.workload = "walsh", .parameters = {"elements=2"}},
        {.workload = "walsh", .parameters = {"elements=1"}},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) cell_at_widths(cells[i]);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        Cell cell;
        const char *message;
    } refused[] = {
        {{.workload = "walsh", .parameters = {"elements=1000"}},
         "--param elements=1000: expected a power of two"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        cell_refused(&refused[i].cell, refused[i].message);
}

// Kernels that are wrong, one way each: another logarithm, another factor of the polynomial,
// differences that are sums, the worst alignment, similarities that do not count, no factor of the
// neighbours, sums that start at 1, another weight.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const struct {
        Cell cell;
        const char *message;
    } wrong[] = {
        {{.workload = "walsh", .parameters = {"elements=4096"},
          .replace = "sub.f32", .with = "add.f32"}, "values["},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Cell cell = wrong[i].cell;
        cell.every = true;
        cell_wrong(&cell, wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walsh),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("streaming", tests, NULL, NULL);
}
