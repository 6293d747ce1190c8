// The streaming workloads of khairy2015 with tiles or formulas: answers derived by hand, sizes that
// fit no block and no tile, and kernels that are wrong. With seed 0 the numbers of every array are
// 0, 1, 2, 3, 4, and again.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Stock, strike and years are 17.5 50.5 5.125, 30 100 10, 42.5 149.5 14.875, 55 199 19.75 and
// 67.5 248.5 24.625. The prices were computed elsewhere, in doubles. Floats of about 28 have units
// of 2^-19.
static void test_blackscholes(void **state)
{
    (void)state;
    double calls = 0.66118487 + 3.25674979 + 8.20514341 + 15.26976159 + 24.10411540;
    double puts = 28.74138143 + 55.12982510 + 76.73469460 + 94.33208940 + 108.46165555;
    cell_answers((Cell){.workload = "blackscholes", .parameters = {"options=5", "seed=0"}},
                 (const CellAnswer[]){{"sum", calls, 1e-4}, {"greatest", 24.10411540, 1e-4},
                                      {"greatest_at", 4, 0}, {"puts", puts, 1e-4}, {0}});
}

// 0 1 2 3 4 0 1 2 become 4 1 3 5 -4 1 1 1, then 7 6 1 -4 -3 2 -5 0, and at last
// 13 1 -3 5 -1 -5 -5 -5.
static void test_walsh(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "walsh", .parameters = {"elements=8", "seed=0"}}, 0, 13, 0);
}

// Equal sequences: every letter has its partner, for 5 each.
static void test_needle(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {1, 4, 12, 24};
    for (int b = 0; b < 4; b++)
        cell_answers((Cell){.workload = "needle", .block = blocks[b],
                            .parameters = {"length=24", "seed=0"}},
                     (const CellAnswer[]){{"score", 5 * 24, 0}, {0}});
}

// 80 and 81 with power 0 and 1. Neighbours are 80 81 (left and right) of the first, and 80 81 of
// the second: 80 + .75 * (.1875 * 1), and 81 + .75 * (1 - .1875 * 1 - .125 * 1).
static void test_hotspot(void **state)
{
    (void)state;
    static const char *const names[] = {"tile", "published"};
    for (int i = 0; i < 2; i++)
        cell_array((Cell){.workload = "hotspot", .implementation = names[i],
                          .parameters = {"rows=1", "columns=2", "steps=1", "seed=0"}},
                   80.140625 + 81.515625, 81.515625, 1);
}

// Steps in one launch and in several are the same arithmetic.
static void test_hotspot_launches(void **state)
{
    (void)state;
    static const char *const most[] = {"steps_per_launch=1", "steps_per_launch=2",
                                       "steps_per_launch=5", "steps_per_launch=7"};
    double sums[4];
    for (int i = 0; i < 4; i++) {
        WorkloadResult r = cell_verified(&(Cell){
            .workload = "hotspot", .parameters = {"rows=40", "columns=23", "steps=5", most[i]}});
        assert_int_equal(r.launch_count, i == 0 ? 5 : i == 1 ? 3 : 1);
        sums[i] = cell_real(&r, "sum");
        workload_result_free(&r);
        assert_float_equal(sums[i], sums[0], 0);
    }
}

// 0 1 2, weighted by 9 8 7, 8 9 8 and 7 8 9 of 64, are 22 25 26 of 64; there is one row, with a
// weight of 9 of 64.
static void test_convolution(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "convolution",
                      .parameters = {"rows=1", "columns=3", "seed=0"}},
               73 * 9 / 4096., 26 * 9 / 4096., 2);
}

// Sizes that no block and no tile fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "blackscholes", .block = 35, .parameters = {"options=1001"}},
        {.workload = "blackscholes", .parameters = {"options=1"}},
        {.workload = "walsh", .block = 35, .parameters = {"elements=4096"}},
        {.workload = "walsh", .block = 35, .parameters = {"elements=8192"}},
        {.workload = "walsh", .parameters = {"elements=32768", "seed=0"}},
        {.workload = "walsh", .parameters = {"elements=2"}},
        {.workload = "walsh", .parameters = {"elements=1"}},
        {.workload = "needle", .parameters = {"length=48", "gap=1"}},
        {.workload = "needle", .block = 35, .parameters = {"length=70", "gap=0"}},
        {.workload = "needle", .block = 1, .parameters = {"length=1"}},
        {.workload = "hotspot", .block = 80, .parameters = {"rows=13", "columns=37"}},
        {.workload = "hotspot", .block = 1024, .parameters = {"rows=70", "columns=45"}},
        {.workload = "hotspot", .parameters = {"rows=1", "columns=1", "steps=3"}},
        {.workload = "hotspot", .implementation = "published", .block = 80,
         .parameters = {"rows=13", "columns=37"}},
        {.workload = "hotspot", .implementation = "published",
         .parameters = {"rows=70", "columns=45", "steps=9", "steps_per_launch=3"}},
        {.workload = "convolution", .parameters = {"rows=67", "columns=131"}},
        {.workload = "convolution", .block = 160, .parameters = {"rows=83", "columns=17"}},
        {.workload = "convolution", .parameters = {"rows=1", "columns=1"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "walsh", .parameters = {"elements=1000"}},
         "--param elements=1000: expected a power of two"},
        {{.workload = "needle", .parameters = {"length=1000"}},
         "--param length=1000: expected a multiple of the 16 threads of a block"},
        {{.workload = "needle", .block = 128},
         "tiles of 128 by 128 do not fit 48 KiB of shared memory: expected --block to be at most "
         "77 for this workload"},
        {{.workload = "hotspot", .block = 100}, "expected --block to be a multiple of 16, at least "
                                                "80"},
        {{.workload = "hotspot", .block = 64},
         "blocks of 64 threads are no tiles of 16 columns with an inside after 2 steps: expected "
         "--block to be a multiple of 16, at least 80"},
        {{.workload = "hotspot", .parameters = {"rows=65536", "columns=65536"}},
         "the chip has 65536 by 65536 numbers: expected at most 2147483647"},
        {{.workload = "convolution", .block = 144},
         "blocks of 144 threads are no tiles of 16 columns and 8 rows or more: expected --block to "
         "be a multiple of 32, at least 128"},
        {{.workload = "convolution", .block = 96}, "at least 128"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong, one way each: another logarithm, another factor of the polynomial,
// differences that are sums, the worst alignment, similarities that do not count, no factor of the
// neighbours, sums that start at 1, another weight.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "blackscholes", .parameters = {"options=300"},
          .replace = "lg2.approx", .with = "ex2.approx"}, "call["},
        {{.workload = "blackscholes", .parameters = {"options=300"},
          .replace = "0fBEB68F87", .with = "0fBEB69087"}, "call["}, // by 2^-14
        {{.workload = "walsh", .parameters = {"elements=4096"},
          .replace = "sub.f32", .with = "add.f32"}, "values["},
        {{.workload = "needle", .parameters = {"length=32"},
          .replace = "max.s32", .with = "min.s32"}, "score["},
        {{.workload = "needle", .parameters = {"length=32"}, .set = {"core.width=4"},
          .replace = "bar.sync", .with = "// bar.sync"}, "score["},
        {{.workload = "hotspot", .parameters = {"rows=30", "columns=30"},
          .replace = "0fC0000000", .with = "0fC0000100"}, "temperature["},
        {{.workload = "convolution", .parameters = {"rows=30", "columns=30"},
          .replace = "0f00000000", .with = "0f3F800000"}, "out["},
        {{.workload = "convolution", .parameters = {"rows=80"}, .set = {"core.width=4"},
          .replace = "bar.sync", .with = "// bar.sync"}, "out["},
    };
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blackscholes),
        cmocka_unit_test(test_walsh),
        cmocka_unit_test(test_needle),
        cmocka_unit_test(test_hotspot),
        cmocka_unit_test(test_hotspot_launches),
        cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("streaming", tests, NULL, NULL);
}
