// The bimodal granularity predictor (lakshminarayana2014, section 4.6.3), with fetches computed
// from the paper by hand. Sectors of a line: 1, 2, 4, 8. In a cache of one line each fill evicts
// the line before it. In a fine line at most two sectors are used.
#include "mechanism_rig.h"

// All lines are coarse at first. A line that was fine is fetched by sectors until it is not.
static void test_granularity(void **state)
{
    (void)state;
    for (unsigned allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++) {
        Rig rig;
        rig_init_cache(&rig, HOOK_L1, "bimodal", 1, allocate);
        assert_int_equal(rig_load(&rig, 1, 0, 3), 15);
        assert_int_equal(rig_load(&rig, 1, 1, 7), 15); // line 0 was fine
        assert_int_equal(rig_counter(&rig, "filter_insertions"), 1);
        assert_int_equal(rig_load(&rig, 1, 0, 1), 1);  // line 1 was coarse
        assert_int_equal(rig_load(&rig, 1, 0, 2), 2);  // and so is each sector that misses
        assert_int_equal(rig_load(&rig, 1, 1, 1), 15);
        assert_int_equal(rig_load(&rig, 2, 2, 1), 15); // line 1 is fine now
        assert_int_equal(rig_load(&rig, 1, 1, 1), 1);
        assert_int_equal(rig_counter(&rig, "fine_misses"), 3);
        assert_int_equal(rig_counter(&rig, "coarse_misses"), 4);
        assert_int_equal(rig_counter(&rig, "filter_insertions"), 4);
        assert_int_equal(rig_counter(&rig, "periods"), 0);
        rig_free(&rig);
    }
}

// After a period with two insertions from two evicted lines, fine lines are expected, and the
// filter, which is emptied, holds coarse lines. After two of these it flips back.
static void test_flip(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "bimodal:period=2", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 15);
    assert_int_equal(rig_load(&rig, 1, 1, 1), 15);
    assert_int_equal(rig_load(&rig, 1, 2, 1), 15); // evicts line 1: 2 of 2
    assert_int_equal(rig_counter(&rig, "flips"), 1);
    assert_int_equal(rig_load(&rig, 1, 3, 7), 7);  // evicts line 2: as expected
    assert_int_equal(rig_load(&rig, 1, 4, 7), 7);  // line 3: coarse, 1 of 2
    assert_int_equal(rig_load(&rig, 1, 3, 7), 15); // line 4: 2 of 3, below 0.7: no flip
    assert_int_equal(rig_counter(&rig, "periods"), 2);
    assert_int_equal(rig_counter(&rig, "flips"), 1);
    assert_int_equal(rig_load(&rig, 1, 5, 7), 7);  // line 3: 1 of 1
    assert_int_equal(rig_load(&rig, 1, 6, 1), 1);  // line 5: 2 of 2
    assert_int_equal(rig_counter(&rig, "flips"), 2);
    assert_int_equal(rig_load(&rig, 1, 3, 1), 15); // nothing is in the filter
    rig_free(&rig);
}

// A line stays in the filter for the rest of its period and the next. In periods of two, lines 0
// and 1 are there while 2 and 3 are inserted, and gone after that.
static void test_ageing(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "bimodal:period=2,skew=1", 1, ALLOCATE_ON_MISS);
    for (unsigned line = 0; line < 4; line++) assert_int_equal(rig_load(&rig, 1, line, 1), 15);
    assert_int_equal(rig_counter(&rig, "periods"), 1);
    assert_int_equal(rig_counter(&rig, "filter_insertions"), 3); // 0, 1, 2
    assert_int_equal(rig_load(&rig, 1, 0, 7), 7);       // evicts line 3
    assert_int_equal(rig_counter(&rig, "periods"), 2);
    assert_int_equal(rig_load(&rig, 1, 1, 7), 15); // coarse lines are evicted from now on
    assert_int_equal(rig_load(&rig, 1, 0, 7), 15);
    assert_int_equal(rig_load(&rig, 1, 2, 7), 7);
    assert_int_equal(rig_load(&rig, 1, 3, 7), 7);
    assert_int_equal(rig_counter(&rig, "flips"), 0);
    assert_int_equal(rig_counter(&rig, "filter_insertions"), 4);
    rig_free(&rig);
}

// fine_sectors=3: a line with three used sectors is fine.
static void test_fine(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L2, "bimodal:levels=l1,l2,fine_sectors=3", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 7), 15);
    assert_int_equal(rig_load(&rig, 1, 1, 15), 15);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    assert_int_equal(rig_load(&rig, 1, 1, 1), 15);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_granularity), cmocka_unit_test(test_flip),
        cmocka_unit_test(test_ageing), cmocka_unit_test(test_fine)};
    return cmocka_run_group_tests_name("bimodal granularity predictor", tests, NULL, NULL);
}
