// Streaming bypass (khairy2015, section 4.1) on a stream of accesses whose fate follows from the
// paper by hand. Periods of 100 cycles, threshold 90 %.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

static void rig_init(Rig *rig)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, "streaming-bypass:levels=l1,period=100", mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, HOOK_L1, 0, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

// A load at this cycle; returns where its data would go where it misses.
static HdInsertion load(Rig *rig, uint64_t cycle, HdOutcome outcome, bool tag_hit)
{
    rig->hooks->access = (HdAccess){.cycle = cycle, .kind = HD_LOAD, .tag_hit = tag_hit};
    HdInsertion where = outcome == HD_MISS ? cache_hooks_fill(rig->hooks, NULL) : HD_INSERT;
    cache_hooks_served(rig->hooks, outcome, HD_NO_INDEX);
    return where;
}

static uint64_t counter(const Rig *rig, size_t index)
{
    return cache_hooks_counter(rig->hooks, &rig->plan.items[0], index);
}
enum { PERIODS, CLOSED, CHANGES };

// 10 loads, 10 misses: above 90 %, closed from the first load of the next period on. There 9 of 10
// miss the tags as well: not above 90 %, open again.
static void test_closes_and_opens(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(load(&rig, i, HD_MISS, false), HD_INSERT);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(load(&rig, 100 + i, HD_MISS, i == 4), HD_TAGS_ONLY);
    assert_int_equal(load(&rig, 200, HD_MISS, false), HD_INSERT);
    assert_int_equal(counter(&rig, PERIODS), 3);
    assert_int_equal(counter(&rig, CLOSED), 1);
    assert_int_equal(counter(&rig, CHANGES), 2);
    rig_free(&rig);
}

// Exactly the threshold does not close; data that are on their way are no miss of their own.
static void test_threshold(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    for (unsigned i = 0; i < 10; i++) load(&rig, i, i ? HD_MISS : HD_HIT, false);
    assert_int_equal(load(&rig, 100, HD_MISS, false), HD_INSERT);
    load(&rig, 101, HD_PENDING_HIT, false);
    assert_int_equal(load(&rig, 200, HD_MISS, false), HD_INSERT); // 1 of 2
    assert_int_equal(load(&rig, 300, HD_MISS, false), HD_TAGS_ONLY); // 1 of 1
    rig_free(&rig);
}

// A period without loads changes nothing, however long; stores are not looked at; being asked
// changes nothing either.
static void test_silence(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    load(&rig, 0, HD_MISS, false);
    rig.hooks->access = (HdAccess){.cycle = 50, .kind = HD_STORE};
    for (unsigned i = 0; i < 20; i++) cache_hooks_served(rig.hooks, HD_HIT, HD_NO_INDEX);
    rig.hooks->access = (HdAccess){.cycle = 900, .kind = HD_LOAD};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_TAGS_ONLY);
    assert_int_equal(counter(&rig, PERIODS), 1);
    assert_int_equal(load(&rig, 950, HD_HIT, false), HD_INSERT);
    assert_int_equal(counter(&rig, CLOSED), 1);
    assert_int_equal(load(&rig, 1000, HD_MISS, false), HD_INSERT); // 0 of 1
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closes_and_opens),
                                       cmocka_unit_test(test_threshold),
                                       cmocka_unit_test(test_silence)};
    return cmocka_run_group_tests_name("streaming bypass", tests, NULL, NULL);
}
