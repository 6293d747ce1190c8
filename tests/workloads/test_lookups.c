// Programs of Bakhoda et al. (ISPASS 2009) that yilmazer2020gw takes: answers derived by hand,
// sizes that fit no block and no tile, and kernels that are wrong.
#include "cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The cells are 0 to 4, five times, and 0 and 1, with a sum of 51. The inner one is 3 and becomes a
// sixth of 4 + 0 + 2 + 4 + 1 + 2.
static void test_laplace3d(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {96, 128, 1024};
    for (int b = 0; b < 3; b++)
        cell_answers((Cell){.workload = "laplace3d", .block = blocks[b],
                            .parameters = {"rows=3", "columns=3", "planes=3", "seed=0"}},
                     (const CellAnswer[]){{"sum", 51 - 3 + 13 / 6., 1e-6}, {"greatest", 4, 0},
                                          {"greatest_at", 4, 0}, {0}});
}

// A grid without inner cells stays as it is.
static void test_laplace3d_border(void **state)
{
    (void)state;
    cell_array((Cell){.workload = "laplace3d",
                      .parameters = {"rows=2", "columns=8", "planes=2", "steps=3", "seed=0"}},
               6 * 10 + 0 + 1, 4, 4);
}

// Queens 0 2, 0 3 and 1 3 in the first rows of four; 0 2, 0 3, 0 4, 1 3, 1 4, 2 0 and 2 4 of five.
static void test_queens(void **state)
{
    (void)state;
    cell_answers((Cell){.workload = "queens", .parameters = {"size=4"}},
                 (const CellAnswer[]){{"solutions", 2, 0}, {"boards", 3, 0}, {0}});
    cell_answers((Cell){.workload = "queens", .parameters = {"size=5"}},
                 (const CellAnswer[]){{"solutions", 10, 0}, {"boards", 7, 0}, {0}});
    cell_answers((Cell){.workload = "queens", .parameters = {"size=8", "threads=100"}},
                 (const CellAnswer[]){{"solutions", 92, 0}, {0}});
}

// Full launches begin as soon as there are boards for all threads; each half ends with one for the
// boards that are left, even if there are none.
static void test_queens_launches(void **state)
{
    (void)state;
    static const struct {
        const char *threads;
        size_t launches;
    } rows[] = {{"threads=7", 2}, {"threads=5", 3}, {"threads=2", 5}, {"threads=1", 9}};
    for (int i = 0; i < 4; i++) {
        WorkloadResult r = cell_verified(&(Cell){.workload = "queens",
                                                 .parameters = {"size=5", rows[i].threads}});
        assert_int_equal(r.launch_count, rows[i].launches);
        workload_result_free(&r);
    }
}

// The reference is ACGTACGTAC. Reads ACGTAC and CGTACG match as far as they go, from each base;
// ATGCAT and CATGCA match with one base. The tree has 11 leaves, the root, and inner nodes for C,
// AC, TAC, GTAC, CGTAC and ACGTAC.
static void test_mummer(void **state)
{
    (void)state;
    Cell cell = {.workload = "mummer",
                 .parameters = {"reference=10", "reads=4", "length=6", "least=1", "seed=0"}};
    cell_answers(cell, (const CellAnswer[]){{"matches", 4 * 6, 0}, {"matched", 2 * 21 + 2 * 6, 0},
                                            {"longest", 6, 0}, {"nodes", 18, 0}, {0}});
    cell.parameters[3] = "least=4";
    cell_answers(cell, (const CellAnswer[]){{"matches", 2 * 3, 0},
                                            {"matched", 2 * (6 + 5 + 4), 0}, {0}});
}

// Sizes that no block and no tile fits, and one of each.
static void test_odd_sizes(void **state)
{
    (void)state;
    static const Cell cells[] = {
        {.workload = "laplace3d", .parameters = {"rows=13", "columns=67", "planes=7", "steps=3"}},
        {.workload = "laplace3d", .block = 96,
         .parameters = {"rows=7", "columns=33", "planes=4", "steps=2"}},
        {.workload = "laplace3d", .block = 992,
         .parameters = {"rows=65", "columns=31", "planes=3"}},
        {.workload = "laplace3d", .parameters = {"rows=1", "columns=1", "planes=1"}},
        {.workload = "queens", .block = 35, .parameters = {"size=9", "threads=41"}},
        {.workload = "queens", .block = 1, .parameters = {"size=7", "placed=3", "threads=20"}},
        {.workload = "queens", .block = 299, .parameters = {"size=8", "placed=1"}},
        {.workload = "queens", .parameters = {"size=8", "placed=7", "threads=96"}},
        {.workload = "queens", .parameters = {"size=3", "threads=1"}},
        {.workload = "queens", .parameters = {"size=2", "threads=1"}},
        {.workload = "mummer", .block = 35,
         .parameters = {"reference=999", "reads=301", "length=7", "spread=13", "least=3",
                        "errors=50"}},
        {.workload = "mummer",
         .parameters = {"reference=300", "reads=99", "length=60", "least=1", "found=100",
                        "errors=30"}},
        {.workload = "mummer", .block = 1,
         .parameters = {"reference=5000", "reads=9", "length=30", "least=30", "found=100"}},
        {.workload = "mummer",
         .parameters = {"reference=50", "reads=40", "length=100", "least=2", "seed=0"}},
        {.workload = "mummer", .parameters = {"reference=1", "reads=1", "length=1", "least=1"}},
    };
    cells_at_widths(cells, sizeof cells / sizeof *cells);
}

static void test_refusals(void **state)
{
    (void)state;
    static const CellMessage refused[] = {
        {{.workload = "laplace3d", .block = 100},
         "blocks of 100 threads are not whole rows of tiles: expected --block to be a multiple of "
         "32 for this workload"},
        {{.workload = "laplace3d", .block = 64},
         "blocks of 64 threads are fewer than the halo cells of their tiles: expected --block to "
         "be a multiple of 32, at least 96"},
        {{.workload = "laplace3d", .parameters = {"rows=65536", "columns=65536"}},
         "a plane has 65536 by 65536 numbers: expected at most 2147483647"},
        {{.workload = "queens", .block = 300},
         "stacks of 300 threads do not fit 48 KiB of shared memory: expected --block to be at most "
         "299 for this workload"},
        {{.workload = "queens", .parameters = {"size=13", "placed=2"}},
         "--param placed=2 of 13 rows: expected to leave 1 to 10 rows"},
        {{.workload = "queens", .parameters = {"size=8", "placed=8"}},
         "--param placed=8 of 8 rows: expected to leave 1 to 10 rows"},
        {{.workload = "mummer", .parameters = {"length=15"}},
         "--param least=20: expected at most the 15 bases of a read"},
    };
    cells_refused(refused, sizeof refused / sizeof *refused);
}

// Kernels that are wrong, one way each: another factor; cells that are not waited for; attacks that
// cancel each other; sums that are not waited for; the child of $ for the suffix link; edges whose
// bases are not compared; letters that are mixed up.
static void test_wrong_kernels(void **state)
{
    (void)state;
    static const CellMessage wrong[] = {
        {{.workload = "laplace3d", .parameters = {"rows=10", "columns=10", "planes=5"},
          .replace = "0f3E2AAAAB", .with = "0f3E2AAACB"}, "out["},
        {{.workload = "laplace3d", .parameters = {"rows=10", "columns=40", "planes=9"},
          .set = {"core.width=4"}, .replace = "bar.sync", .with = "// bar.sync"}, "out["},
        {{.workload = "queens", .parameters = {"size=7", "threads=96"},
          .replace = "or.b32", .with = "xor.b32"}, "solutions[0] is "},
        {{.workload = "queens", .parameters = {"size=8", "threads=96"}, .set = {"core.width=4"},
          .replace = "bar.sync", .with = "// bar.sync"}, "solutions[0] is "},
        {{.workload = "mummer", .parameters = {"reference=1000", "reads=99", "least=4"},
          .replace = "+12]", .with = "+8]"}, "match["},
        {{.workload = "mummer", .parameters = {"reference=1000", "reads=99", "least=4"},
          .replace = "setp.ne.s16", .with = "setp.eq.s16"}, "match["},
        {{.workload = "mummer", .parameters = {"reference=1000", "reads=99", "least=4"},
          .replace = ", 71;", .with = ", 84;"}, "match["},
    };
    cells_wrong(wrong, sizeof wrong / sizeof *wrong, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace3d),
        cmocka_unit_test(test_laplace3d_border),
        cmocka_unit_test(test_queens),
        cmocka_unit_test(test_queens_launches),
        cmocka_unit_test(test_mummer),
        cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_wrong_kernels),
    };
    return cmocka_run_group_tests_name("lookups", tests, NULL, NULL);
}
