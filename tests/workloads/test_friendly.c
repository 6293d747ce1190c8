// Workloads that caches serve well (cache-friendly in khairy2015): answers derived by hand, sizes
// that fit no block, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char *const widths[] = {"core.width=4", "core.width=8", "core.width=16",
                                     "core.width=32"};
enum { WIDTHS = 4 };

// Keys 0 to 14 and 16 to 20, whose records are three times their places. Of the queries 0 to 20 and
// 0, all but 15 are found: 3 * (0 + 1 + ... + 19) is 570. Nodes of two: 10 leaves, then 5, 3, 2, 1.
static void test_btree(void **state)
{
    (void)state;
    for (int w = 0; w < WIDTHS; w++) {
        WorkloadResult r = cell_verified(
            &(Cell){.workload = "btree", .set = {widths[w]},
                    .parameters = {"keys=20", "queries=22", "order=4", "seed=0"}});
        assert_int_equal(workload_count(&r, "found"), 21);
        assert_int_equal(workload_count(&r, "sum"), 570);
        assert_int_equal(workload_count(&r, "levels"), 5);
        workload_result_free(&r);
    }
}

// Sizes that no block fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "btree", .block = 35, .parameters = {"keys=5000", "queries=99", "order=77"}},
        {.workload = "btree", .block = 1, .parameters = {"keys=99", "queries=9", "order=5"}},
        {.workload = "btree", .parameters = {"keys=1", "queries=1"}},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (int w = 0; w < WIDTHS; w++) {
            Cell cell = cells[i];
            cell.set[0] = widths[w];
            WorkloadResult r = cell_verified(&cell);
            workload_result_free(&r);
        }
}

// Kernels that are wrong, one way each: a child whose keys are too great, and the record of a
// greater key.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const struct {
        Cell cell;
        const char *message;
    } wrong[] = {
        {{.workload = "btree", .parameters = {"keys=5000", "queries=50", "order=16"},
          .replace = "setp.gt.s32", .with = "setp.lt.s32"}, "query "},
        {{.workload = "btree", .parameters = {"keys=5000", "queries=50", "order=16"},
          .replace = "setp.ne.s32", .with = "setp.lt.s32"}, "query "},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Cell cell = wrong[i].cell;
        cell.every = true;
        WorkloadResult r = cell_run(&cell);
        if (r.verified || !strstr(r.mismatch, wrong[i].message))
            fail_msg("%s with %s: '%s'", cell.workload, cell.with, r.mismatch);
        workload_result_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_btree),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("friendly", tests, NULL, NULL);
}
