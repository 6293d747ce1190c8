// Tables that are freed together: zeroed, aligned, apart, and present page by page.
#include "base/tables.h"
#include "support/scratch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Bytes of the process that are present in the host's memory.
static size_t present(void)
{
    size_t all, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &all, &pages), 2);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void tables_are_zero_aligned_and_apart(void **state)
{
    (void)state;
    HdTables tables = {0};
    unsigned char *made[300];
    for (size_t i = 0; i < 300; i++) { // several regions of 256 KiB
        size_t bytes = 1 + i * 37 % 5000;
        made[i] = hd_tables_new(&tables, bytes, 1);
        assert_non_null(made[i]);
        assert_int_equal((uintptr_t)made[i] % 64, 0);
        for (size_t k = 0; k < bytes; k++) assert_int_equal(made[i][k], 0);
        memset(made[i], (int)i, bytes);
    }
    for (size_t i = 0; i < 300; i++) // nothing that came later has changed it
        for (size_t k = 0; k < 1 + i * 37 % 5000; k++)
            assert_int_equal(made[i][k], (unsigned char)i);
    assert_non_null(hd_tables_new(&tables, 0, 8));
    hd_tables_free(&tables);
    assert_null(tables.regions);
    assert_non_null(hd_tables_new(&tables, 1, 8)); // and on
    hd_tables_free(&tables);
}

static void impossible_tables_are_refused(void **state)
{
    (void)state;
    HdTables tables = {0};
    volatile size_t half = SIZE_MAX / 2;
    assert_null(hd_tables_new(&tables, half, 3));
    assert_null(hd_tables_new(&tables, half + 1, 1));
    assert_non_null(hd_tables_new(&tables, 1, 1));
    hd_tables_free(&tables);
}

// 1 GiB of tables, of which a page is used. ASan has a byte of its own for each eight.
static void unused_tables_cost_nothing(void **state)
{
    (void)state;
    HdTables tables = {0};
    size_t before = present();
    char *large = hd_tables_new(&tables, 1 << 20, 1 << 10);
    assert_non_null(large);
    large[1 << 29] = 1;
    size_t most = 8 << 20;
#ifdef __SANITIZE_ADDRESS__
    most += (1 << 30) / 8;
#endif
    assert_true(present() < before + most);
    hd_tables_free(&tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_zero_aligned_and_apart),
        cmocka_unit_test(impossible_tables_are_refused),
        cmocka_unit_test(unused_tables_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
