// Streaming bypass (khairy2015, section 4.1), with decisions computed from the paper by hand.
// Periods of 100 cycles, threshold 90 %.
#include "mechanism_rig.h"

static const char *const bypass = "streaming-bypass:levels=l1,period=100";

// A load at this cycle. Returns where its data go if it misses.
static HdInsertion load(Rig *rig, uint64_t cycle, HdOutcome outcome, bool tag_hit)
{
    HdAccess access = {.cycle = cycle, .tag_hit = tag_hit};
    if (outcome == HD_MISS) return rig_miss(rig, access, HD_NO_LINE);
    rig_serve(rig, access, outcome);
    return HD_INSERT;
}

// 10 loads, 10 misses: above 90 %, so the cache is closed from the first load of the next period
// on. In that period 9 of 10 miss the tags as well: not above 90 %, so it opens again.
static void test_closes_and_opens(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, bypass);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(load(&rig, i, HD_MISS, false), HD_INSERT);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(load(&rig, 100 + i, HD_MISS, i == 4), HD_TAGS_ONLY);
    assert_int_equal(load(&rig, 200, HD_MISS, false), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "periods"), 3);
    assert_int_equal(rig_counter(&rig, "closed"), 1);
    assert_int_equal(rig_counter(&rig, "changes"), 2);
    rig_free(&rig);
}

// Exactly the threshold does not close. A pending hit is no miss.
static void test_threshold(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, bypass);
    for (unsigned i = 0; i < 10; i++) load(&rig, i, i ? HD_MISS : HD_HIT, false);
    assert_int_equal(load(&rig, 100, HD_MISS, false), HD_INSERT);
    load(&rig, 101, HD_PENDING_HIT, false);
    assert_int_equal(load(&rig, 200, HD_MISS, false), HD_INSERT); // 1 of 2
    assert_int_equal(load(&rig, 300, HD_MISS, false), HD_TAGS_ONLY); // 1 of 1
    rig_free(&rig);
}

// Periods without loads change nothing. Stores do not count, and a decision changes nothing.
static void test_silence(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, bypass);
    load(&rig, 0, HD_MISS, false);
    for (unsigned i = 0; i < 20; i++)
        rig_serve(&rig, (HdAccess){.cycle = 50, .kind = HD_STORE}, HD_HIT);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(rig_decide_insert(&rig, (HdAccess){.cycle = 900}, HD_NO_LINE),
                         HD_TAGS_ONLY);
    assert_int_equal(rig_counter(&rig, "periods"), 1);
    assert_int_equal(load(&rig, 950, HD_HIT, false), HD_INSERT);
    assert_int_equal(rig_counter(&rig, "closed"), 1);
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
