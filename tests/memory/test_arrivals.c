// Transits leave in the order of (time, sender), those of one sender and time in the order in which
// they came: against a plain search.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "memory/network/arrivals.h"

enum { TRANSITS = 400, SENDERS = 5 };

// Random times around a clock that advances with what leaves: many equal ones, some beyond all
// buckets, none before what has left.
static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        static Transit transits[TRANSITS];
        bool inside[TRANSITS] = {false};
        Arrivals arrivals;
        arrivals_init(&arrivals, 1u << seed % 12);
        Tick now = random_draw(seed, 0, 0, 9) % 100000;
        unsigned added = 0, taken = 0;
        for (unsigned step = 0; taken < TRANSITS; step++) {
            bool add = added < TRANSITS && random_draw(seed, step, 0, 0) % 3;
            if (add) {
                uint64_t span = random_draw(seed, step, 0, 1) % 8 ? 40 : 40000;
                transits[added].time = now + random_draw(seed, step, 0, 2) % span;
                transits[added].from = (uint16_t)(random_draw(seed, step, 0, 3) % SENDERS);
                inside[added] = true;
                arrivals_add(&arrivals, &transits[added++]);
            }
            assert_int_equal(arrivals.count, added - taken);
            if (add || added == taken) {
                if (added == taken) assert_null(arrivals_first(&arrivals));
                continue;
            }
            const Transit *first = NULL;
            for (unsigned i = 0; i < added; i++) {
                const Transit *t = &transits[i];
                if (inside[i] && (!first || t->time < first->time ||
                                  (t->time == first->time && t->from < first->from)))
                    first = t;
            }
            assert_ptr_equal(arrivals_first(&arrivals), first);
            assert_ptr_equal(arrivals_first(&arrivals), first); // nothing has changed
            arrivals_remove(&arrivals, first);
            inside[first - transits] = false;
            now = first->time;
            taken++;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
