// Column walks of a matrix map to one set of a linear index, but to many sets of a polynomial
// index: misses derived by hand. khairy2015, Figure 6.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

// 32 sets of 4 lines. A row of 1,024 columns is 32 lines, so with a linear index each column maps
// to one set. The polynomial of 32 sets maps neighbouring rows to different sets.
#define MACHINE                                                                                    \
    "--machine fermi-gtx480 --set l1d.size=16KiB --set l1d.line=128B --set l1d.ways=4 "
enum { WAYS = 4, COLUMNS = 1024, LINES = 32 };

static double load_misses(const char *run, const char *index)
{
    char line[512];
    snprintf(line, sizeof line,
             "run %s --block 32 " MACHINE "--set l1d.index=%s --quiet --out $T/run.json", run,
             index);
    const Command *c = heddle(line);
    if (c->status) fail_msg("heddle %s: %d, %s", line, c->status, c->err);
    json_t *whole = result_value("run.json");
    json_t *l1d = json_object_get(json_object_get(whole, "result"), "l1d");
    double misses = json_number_value(json_object_get(l1d, "load_misses"));
    json_decref(whole);
    return misses;
}

// C has 8 rows, each with a block and an SM. The only warp of an SM has 8 active lanes, which walk
// along the 8 rows of A in lockstep. All lanes also read row i.
static void test_syrk(void **state)
{
    (void)state;
    static const char run[] = "syrk --param rows=8 --param columns=1024";
    enum { ROWS = 8 };
    // Each SM fetches each line once, because the 8 lines in use at a time map to 8 sets, and its
    // line of C once.
    assert_true(load_misses(run, "polynomial") == ROWS * (ROWS * LINES + 1));
    // Each of the 1,024 steps reads 8 lines of one set, of which at most 4 hit.
    assert_true(load_misses(run, "linear") >= ROWS * COLUMNS * (ROWS - WAYS));
}

// One warp of 16 lanes, which walk along 16 rows of A and of B. All lanes also read x.
static void test_gesummv(void **state)
{
    (void)state;
    static const char run[] = "gesummv --param rows=16 --param columns=1024";
    enum { ROWS = 16 };
    assert_true(load_misses(run, "polynomial") == 2 * ROWS * LINES + LINES);
    assert_true(load_misses(run, "linear") >= 2 * COLUMNS * (ROWS - WAYS));
}

// With rows one line longer, a column maps to successive sets: no two of the 16 rows of a matrix
// share a set, and each line is fetched once.
static void test_longer_rows(void **state)
{
    (void)state;
    static const char run[] = "gesummv --param rows=16 --param columns=1056";
    enum { ROWS = 16 };
    assert_true(load_misses(run, "linear") == (2 * ROWS + 1) * (LINES + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syrk),
        cmocka_unit_test(test_gesummv),
        cmocka_unit_test(test_longer_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
