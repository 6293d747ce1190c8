// What slices send is taken in the order of (time, slice): against a plain search.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "memory/arrivals.h"

enum { SLICES = 7, EACH = 50 };

// Each slice sends at times that do not decrease, many of them equal to those of others.
static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Tick times[SLICES][EACH];
        unsigned head[SLICES] = {0}, count[SLICES], left = 0;
        Arrivals arrivals;
        arrivals_clear(&arrivals);
        for (unsigned s = 0; s < SLICES; s++) {
            Tick time = 0;
            count[s] = (unsigned)(random_draw(seed, s, 0, 0) % EACH);
            for (unsigned i = 0; i < count[s]; i++)
                times[s][i] = time += random_draw(seed, s, i, 1) % 3;
            if (count[s]) arrivals_add(&arrivals, times[s][0], s);
            left += count[s];
        }
        for (; left; left--) {
            unsigned first = SLICES;
            for (unsigned s = 0; s < SLICES; s++)
                if (head[s] < count[s] &&
                    (first == SLICES || times[s][head[s]] < times[first][head[first]]))
                    first = s;
            assert_true(arrivals.count);
            assert_int_equal(arrivals.first[0].slice, first);
            assert_int_equal(arrivals.first[0].time, times[first][head[first]]);
            bool more = ++head[first] < count[first];
            arrivals_next(&arrivals, more ? times[first][head[first]] : TICK_NEVER);
        }
        assert_int_equal(arrivals.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
