// Workloads of yilmazer2020gw on series of numbers: answers derived by hand or computed elsewhere,
// other blocks and sizes, and kernels that are wrong. With seed 0 the numbers of an array are 0, 1,
// 2, 3, 4, and again.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

// 0 1 2 3 4 0 1 2 become 1 5 4 3 and details -1 -1 4 -1, all times r = sqrt(1/2); then 3 and 3.5,
// with details -2 and 0.5; at last 6.5 r, with a detail of -0.5 r. It takes 1 to 3 launches.
static void test_haar(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {1, 2, 4, 512};
    for (int b = 0; b < 4; b++)
        cell_answers((Cell){.workload = "haar", .block = blocks[b],
                            .parameters = {"elements=8", "seed=0"}},
                     (const CellAnswer[]){{"sum", 7 * M_SQRT1_2 - 1.5, 1e-6},
                                          {"greatest", 6.5 * M_SQRT1_2, 1e-6},
                                          {"greatest_at", 0, 0}, {0}});
}

// A launch clears the result. Blocks of 4 threads do 3 levels of 11 in a launch.
static void test_haar_launches(void **state)
{
    (void)state;
    static const struct { uint32_t block, launches; } cells[] = {{4, 5}, {32, 3}, {512, 3}};
    for (int i = 0; i < 3; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "haar", .block = cells[i].block,
                                                 .parameters = {"elements=2048"}});
        assert_int_equal(r.launch_count, cells[i].launches);
        workload_result_free(&r);
    }
}

// The signal i, 2 + 3i, 4, 1 + 2i becomes 7 + 6i, -3, 1 - 4i, -5 + 2i.
static void test_fft(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "fft", .block = 2, .parameters = {"transforms=1", "seed=0"}},
                 (const CellAnswer[]){{"sum", 4, 1e-5}, {"greatest", 7, 1e-5},
                                      {"greatest_at", 0, 0}, {0}});
}

// Signals of two elements: the sums and differences of i and 2 + 3i, then of 4 and 1 + 2i.
static void test_fft_pairs(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "fft", .block = 1, .parameters = {"transforms=2", "seed=0"}},
                 (const CellAnswer[]){{"sum", 2 + 4 - 2 - 2 + 5 + 2 + 3 - 2, 1e-5},
                                      {"greatest", 5, 1e-5}, {"greatest_at", 4, 0}, {0}});
}

// Values and their derivatives were computed elsewhere, in doubles, by forward differentiation. The
// first are those of the published program. 15, 5 and no swaptions are exercised.
static void test_libor(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "libor", .parameters = {"paths=5"}},
                 (const CellAnswer[]){{"value", 224.32332, 1e-3},
                                      {"sensitivity", 21.3481401, 1e-4}, {0}});
    cell_answers((Cell){.workload = "libor", .block = 3,
                        .parameters = {"paths=5", "rate=0.04", "normal=0.06"}},
                 (const CellAnswer[]){{"value", 4.04327589, 2e-4},
                                      {"sensitivity", 13.6130155, 1e-4}, {0}});
    cell_answers((Cell){.workload = "libor", .parameters = {"paths=1", "normal=-0.3"}},
                 (const CellAnswer[]){{"value", 0, 0}, {"sensitivity", 0, 0}, {0}});
}

// Other blocks, and sizes of one.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "haar", .parameters = {"elements=2"}},
        {.workload = "haar", .block = 1, .parameters = {"elements=64"}},
        {.workload = "haar", .block = 4, .parameters = {"elements=4096"}},
        {.workload = "haar", .block = 1024, .parameters = {"elements=8192"}},
        {.workload = "haar", .parameters = {"elements=4096", "seed=0"}},
        {.workload = "fft", .parameters = {"transforms=3"}},
        {.workload = "fft", .block = 1, .parameters = {"transforms=70"}},
        {.workload = "fft", .block = 8, .parameters = {"transforms=5"}},
        {.workload = "fft", .block = 512, .parameters = {"transforms=2", "seed=0"}},
        {.workload = "libor", .block = 35, .parameters = {"paths=40", "normal=1"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

// More paths than 64 blocks have threads: some threads take two.
static void test_libor_loop(void **state)
{
    (void)state;
    Cell cell = {.workload = "libor", .block = 1, .parameters = {"paths=65"}};
    WorkloadResult r = cell_verified(&cell);
    workload_result_free(&r);
}

static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "haar", .parameters = {"elements=1000"}},
         "--param elements=1000: expected a power of two"},
        {{.workload = "haar", .block = 96},
         "blocks of 96 threads have no whole number of levels: expected --block to be a power of "
         "two"},
        {{.workload = "fft", .block = 96},
         "blocks of 96 threads transform 192 elements: expected --block to be a power of two"},
        {{.workload = "fft", .block = 1024, .parameters = {"transforms=1000000"}},
         "data has 1000000 by 4096 numbers: expected at most 2147483647"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong, one way each: details that are sums, a factor that is off by 2^-19,
// barriers that are left out; another function, angles that are off by 2^-16, no barriers; another
// function, a factor that is off by 2^-13, more due in the second kernel, a sensitivity's sign.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "haar", .parameters = {"elements=4096"},
          .replace = "sub.f32", .with = "add.f32"}, "out["},
        {{.workload = "haar", .parameters = {"elements=4096"},
          .replace = "0f3F3504F3", .with = "0f3F350503"}, "out["},
        {{.workload = "haar", .parameters = {"elements=4096"}, .set = {"core.width=4"},
          .replace = "bar.sync", .with = "// bar.sync"}, "out["},
        {{.workload = "fft", .parameters = {"transforms=4"},
          .replace = "cos.approx", .with = "sin.approx"}, "transform 0 is off by"},
        {{.workload = "fft", .parameters = {"transforms=4"},
          .replace = "0fC0C90FDB", .with = "0fC0C910DB"}, "transform 0 is off by"},
        {{.workload = "fft", .parameters = {"transforms=4"}, .set = {"core.width=4"},
          .replace = "bar.sync", .with = "// bar.sync"}, "transform 0 is off by"},
        {{.workload = "libor", .parameters = {"paths=1"},
          .replace = "ex2.approx", .with = "lg2.approx"}, "value["},
        {{.workload = "libor", .parameters = {"paths=1"},
          .replace = "0f3FB8AA3B", .with = "0f3FB8AE3B"}, "value["},
        {{.workload = "libor", .parameters = {"paths=1"},
          .replace = "0fC2C80000", .with = "0fC2CA0000"}, "value["},
        {{.workload = "libor", .parameters = {"paths=1"},
          .replace = "neg.f32", .with = "mov.f32"}, "sensitivity["},
    };
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_haar),
        cmocka_unit_test(test_haar_launches),
        cmocka_unit_test(test_fft),
        cmocka_unit_test(test_fft_pairs),
        cmocka_unit_test(test_libor),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_libor_loop),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
