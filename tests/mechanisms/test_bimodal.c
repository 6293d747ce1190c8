// The bimodal granularity predictor (lakshminarayana2014, section 4.6.3) on accesses whose fetches
// follow from the paper by hand. Parts of a line: 1, 2, 4, 8. In a cache of one line each line that
// comes evicts the one before it. A fine line is one of which two parts or fewer are used.
#include "parts_rig.h"

// Everything is coarse at first; a line that was fine is fetched by parts until it is not.
static void test_granularity(void **state)
{
    (void)state;
    for (unsigned allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++) {
        PartsRig rig;
        rig_init(&rig, HOOK_L1, "bimodal", 1, allocate);
        assert_int_equal(rig_load(&rig, 1, 0, 3), 15);
        assert_int_equal(rig_load(&rig, 1, 1, 7), 15); // line 0 was fine
        assert_int_equal(rig_counter(&rig, "inserted"), 1);
        assert_int_equal(rig_load(&rig, 1, 0, 1), 1);  // line 1 was coarse
        assert_int_equal(rig_load(&rig, 1, 0, 2), 2);  // and so is each part that it misses
        assert_int_equal(rig_load(&rig, 1, 1, 1), 15);
        assert_int_equal(rig_load(&rig, 2, 2, 1), 15); // line 1 is fine now
        assert_int_equal(rig_load(&rig, 1, 1, 1), 1);
        assert_int_equal(rig_counter(&rig, "fine_misses"), 3);
        assert_int_equal(rig_counter(&rig, "coarse_misses"), 4);
        assert_int_equal(rig_counter(&rig, "inserted"), 4);
        assert_int_equal(rig_counter(&rig, "periods"), 0);
        rig_free(&rig);
    }
}

// After a period of two insertions of two evicted lines, fine is what is expected, and the filter,
// empty at first, holds coarse lines; after two of these it is the other way again.
static void test_flip(void **state)
{
    (void)state;
    PartsRig rig;
    rig_init(&rig, HOOK_L1, "bimodal:period=2", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 15);
    assert_int_equal(rig_load(&rig, 1, 1, 1), 15);
    assert_int_equal(rig_load(&rig, 1, 2, 1), 15); // line 1 leaves: 2 of 2
    assert_int_equal(rig_counter(&rig, "flips"), 1);
    assert_int_equal(rig_load(&rig, 1, 3, 7), 7);  // line 2 leaves: as expected
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

// What was put in is known for the rest of its period and the next: in periods of two, lines 0 and
// 1 are known while 2 and 3 come in, and forgotten when these are in.
static void test_ageing(void **state)
{
    (void)state;
    PartsRig rig;
    rig_init(&rig, HOOK_L1, "bimodal:period=2,skew=1", 1, ALLOCATE_ON_MISS);
    for (unsigned line = 0; line < 4; line++) assert_int_equal(rig_load(&rig, 1, line, 1), 15);
    assert_int_equal(rig_counter(&rig, "periods"), 1);
    assert_int_equal(rig_counter(&rig, "inserted"), 3); // 0, 1, 2
    assert_int_equal(rig_load(&rig, 1, 0, 7), 7);       // 3 leaves
    assert_int_equal(rig_counter(&rig, "periods"), 2);
    assert_int_equal(rig_load(&rig, 1, 1, 7), 15); // coarse lines leave from now on
    assert_int_equal(rig_load(&rig, 1, 0, 7), 15);
    assert_int_equal(rig_load(&rig, 1, 2, 7), 7);
    assert_int_equal(rig_load(&rig, 1, 3, 7), 7);
    assert_int_equal(rig_counter(&rig, "flips"), 0);
    assert_int_equal(rig_counter(&rig, "inserted"), 4);
    rig_free(&rig);
}

// With three parts as the most of a fine line, three are few.
static void test_fine(void **state)
{
    (void)state;
    PartsRig rig;
    rig_init(&rig, HOOK_L2, "bimodal:levels=l1,l2,fine_sectors=3", 1, ALLOCATE_ON_MISS);
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
