// The values of ratios of counters.
#include "hooks/counter_ratio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const HdCounter counters[] = {
    {"hit", "lines", "A."}, {"hits-late", "lines", "B."}, {"hits", "lines", "C."}, {0}};
static const HdMechanism mechanism = {.counters = counters};

static uint64_t value(const void *context, unsigned index)
{
    return ((const uint64_t *)context)[index];
}

static double of(const char *part, const char *whole, const uint64_t *values)
{
    const HdRatio ratio = {"rate", part, whole, "D."};
    int length;
    assert_null(counter_ratio_check(&mechanism, &ratio, &length));
    return counter_ratio(&mechanism, &ratio, value, values);
}

static void test_values(void **state)
{
    (void)state;
    const uint64_t values[] = {1, 20, 300};
    assert_float_equal(of("hit", "hits-late", values), 0.05, 0);
    assert_float_equal(of("hits", "hits-late", values), 15, 0);
    assert_float_equal(of("hit + hits-late", "hits - hit + hit", values), 21.0 / 300, 0);
    assert_float_equal(of("hit - hits-late", "hits", values), -19.0 / 300, 0);
    assert_float_equal(of("hits - hit - hits-late", "hits", values), 279.0 / 300, 0);
    assert_float_equal(of("hits", "hit + hits-late + hits", values), 300.0 / 321, 0);
}

static void test_no_whole(void **state)
{
    (void)state;
    const uint64_t values[] = {7, 0, 7};
    assert_float_equal(of("hit", "hits-late", values), 0, 0);
    assert_float_equal(of("hit", "hits - hit", values), 0, 0);
}

static void test_unknown_names(void **state)
{
    (void)state;
    const HdRatio wrong = {"rate", "hits + hi - hit", "hits", "D."};
    int length;
    assert_ptr_equal(counter_ratio_check(&mechanism, &wrong, &length), wrong.part + 7);
    assert_int_equal(length, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_no_whole),
        cmocka_unit_test(test_unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
