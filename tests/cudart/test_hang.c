// When a launch is suspected to hang.
#include "cudart/launch/hang_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_a_minute_without_a_block(void **state)
{
    (void)state;
    HangWatch watch = {0};
    assert_false(hang_suspected(&watch, 1, 0, 1000));
    assert_false(hang_suspected(&watch, 1, 0, 1059));
    assert_false(hang_suspected(&watch, 1, 1, 1061)); // a block has ended
    assert_false(hang_suspected(&watch, 1, 1, 1120));
    assert_false(hang_suspected(&watch, 2, 1, 1122)); // another launch
    assert_false(hang_suspected(&watch, 2, 1, 1181));
    assert_true(hang_suspected(&watch, 2, 1, 1182));
    assert_false(hang_suspected(&watch, 2, 1, 1300)); // reported once
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_minute_without_a_block)};
    return cmocka_run_group_tests_name("cudart hang", tests, NULL, NULL);
}
