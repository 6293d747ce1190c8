// Tests of `heddle trace`: the command line, and text that does not depend on the host.
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BFS " bfs --impl warp --param chunk=1 --graph rmat:8,8 "

static char *trace(const char *line)
{
    const Command *c = heddle(line);
    if (c->status || *c->err) fail_msg("heddle %s: %d, '%s'", line, c->status, c->err);
    return strdup(c->out);
}

// One warp of the second SM in the second launch, with all lanes. Options may be anywhere.
static void test_same(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "trace --sm=1 --warp 2 --launch 2 --lanes" BFS "--threads 1",
        "trace" BFS "--no-skip --sm 1 --warp=2 --lanes --launch=2",
        "trace --sm 1 --warp 2 --lanes --launch 2" BFS "--shuffle 7 --threads 2",
    };
    char *first = trace(lines[0]);
    static const char head[] =
        "launch 2, bfs_warp: SM 1, warp 2, after 3990 cycles of launch overhead\n";
    assert_ptr_equal(strstr(first, head), first);
    assert_non_null(strstr(first, "ld.global.u32"));
    assert_non_null(strstr(first, " level["));
    for (size_t i = 1; i < sizeof lines / sizeof *lines; i++) {
        char *again = trace(lines[i]);
        assert_string_equal(again, first);
        free(again);
    }
    free(first);
}

static void test_cycles(void **state)
{
    (void)state;
    char *all = trace("trace --cycles 0..100000" BFS), *some = trace("trace --cycles 600..900" BFS);
    const char *part = strchr(some, '\n') + 1;
    assert_true(strlen(part) > 100);
    assert_non_null(strstr(all, part));
    assert_true(strlen(some) < strlen(all));
    free(all);
    free(some);
    char *none = trace("trace --cycles 1..2 --sm 14" BFS);
    assert_non_null(strstr(none, "(no instruction of this warp in these cycles)"));
    free(none);
}

// A full disk is reported, and is no success.
static void test_full_disk(void **state)
{
    (void)state;
    const Command *c = heddle_limited("trace" BFS, 300);
    assert_int_equal(c->status, 2);
    assert_string_equal(c->err, "heddle: the output could not be written\n");
}

// The limit is beyond the traced cycles; it would end the run with another status.
static void test_ends_behind_the_trace(void **state)
{
    (void)state;
    free(trace("trace --cycles 600..900 --max-cycles 2000" BFS));
    assert_int_equal(heddle("trace --max-cycles 2000" BFS)->status, 2);
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("trace", "nothing to run");
    assert_refused("trace --sm 15" BFS, "SM 15: expected 0 to 14");
    assert_refused("trace --sm -1" BFS, "--sm '-1': expected a whole number");
    assert_refused("trace --warp 48" BFS, "warp 48: expected 0 to 47");
    assert_refused("trace --warp 47 --block 32" BFS, "expected 0 to 7");
    assert_refused("trace --cycles 9..8" BFS, "--cycles '9..8': expected 8..9");
    assert_refused("trace --cycles 9" BFS, "--cycles '9': expected A..B, whole numbers");
    assert_refused("trace --cycles 9..x" BFS, "--cycles '9..x'");
    assert_refused("trace --launch 1000" BFS, "--launch 1000: there were ");
    assert_refused("trace --launch 0" BFS, "--launch '0': expected a whole number from 1");
    assert_refused("trace --launch 2" BFS "--skip-kernels 2", "launch 2 is functional");
    assert_refused("trace" BFS "--cycles", "--cycles needs a value");
    assert_refused("trace" BFS "--out $T/run.json",
                   "heddle trace takes no --out (see heddle trace --help)");
    assert_refused("trace" BFS "--grip 3", "unknown option --grip");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_ends_behind_the_trace),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
