// Clock domains: periods in ticks, crossings, and frequencies that are not supported.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "memory/clock.h"
#include "memory/packets.h"

// 700 and 924 MHz: their least common multiple is 23.1 GHz, of which they take every 33rd and 25th.
static void test_gtx480(void **state)
{
    (void)state;
    Clocks c = {.khz = {700000, 700000, 700000, 924000}};
    assert_true(clocks_derive(&c, NULL));
    assert_int_equal(c.period[CLOCK_CORE], 33);
    assert_int_equal(c.period[CLOCK_ICNT], 33);
    assert_int_equal(c.period[CLOCK_L2], 33);
    assert_int_equal(c.period[CLOCK_DRAM], 25);
    assert_true(c.tick_seconds > 4.329e-11 && c.tick_seconds < 4.330e-11); // 1 / 23.1 GHz

    assert_int_equal(clock_tick(&c, CLOCK_CORE, 25), 825);
    assert_int_equal(clock_cycle(&c, CLOCK_DRAM, 825), 33); // exactly then
    assert_int_equal(clock_cycle(&c, CLOCK_DRAM, 826), 34); // the next to start
    assert_int_equal(clock_cycle(&c, CLOCK_DRAM, 33), 2);
    assert_int_equal(clock_cycle(&c, CLOCK_DRAM, 0), 0);
}

static void test_coprime(void **state)
{
    (void)state;
    Clocks c = {.khz = {1447000, 1447000, 1447000, 850000}};
    assert_true(clocks_derive(&c, NULL));
    assert_int_equal(c.period[CLOCK_CORE], 850);
    assert_int_equal(c.period[CLOCK_DRAM], 1447);
    Clocks same = {.khz = {1000000, 1000000, 1000000, 1000000}};
    assert_true(clocks_derive(&same, NULL));
    for (int d = 0; d < CLOCK_DOMAINS; d++) assert_int_equal(same.period[d], 1);
}

static void test_unrelated(void **state)
{
    (void)state;
    HdError err = {0};
    Clocks c = {.khz = {1447000, 1447000, 1132000, 850001}};
    assert_false(clocks_derive(&c, &err));
    assert_string_equal(err.text, "the clock frequencies have too little in common for exact "
                                  "time: the DRAM clock at 850.001 MHz does not fit the others: "
                                  "expected, for example, 850 MHz");
    c.khz[CLOCK_DRAM] = 850000;
    assert_true(clocks_derive(&c, &err));

    Clocks all_odd = {.khz = {1447001, 1447003, 1447007, 850001}};
    assert_false(clocks_derive(&all_odd, &err));
    assert_non_null(strstr(err.text, "round them to whole multiples of 10 MHz"));
    Clocks huge = {.khz = {UINT64_MAX, UINT64_MAX - 2, 3, 1}};
    assert_false(clocks_derive(&huge, &err));
}

static void test_zero(void **state)
{
    (void)state;
    HdError err = {0};
    Clocks c = {.khz = {700000, 0, 700000, 924000}};
    assert_false(clocks_derive(&c, &err));
    assert_string_equal(err.text, "the network clock has frequency 0: expected at least 1 kHz");
}

static void test_kind_names(void **state)
{
    (void)state;
    for (int k = 0; k < MEM_KINDS; k++)
        for (int other = 0; other < k; other++)
            assert_string_not_equal(mem_kind_name((MemKind)k), mem_kind_name((MemKind)other));
    assert_string_equal(mem_kind_name(MEM_REDUCE), "reduce");
    assert_string_equal(mem_kind_name(MEM_KINDS), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gtx480),    cmocka_unit_test(test_coprime),
        cmocka_unit_test(test_unrelated), cmocka_unit_test(test_zero),
        cmocka_unit_test(test_kind_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
