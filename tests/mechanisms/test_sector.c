// The sector cache (lakshminarayana2014, section 4.6.1), with fetches and hits computed from the
// paper by hand.
#include "mechanism_rig.h"

// Sections 4.6.1 and 4.6.2: sub-block A is fetched alone, so that B of the same line misses later.
static void test_stream(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "sector", 2, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    assert_int_equal(rig_load(&rig, 1, 0, 2), 2);
    assert_int_equal(rig_load(&rig, 1, 0, 3), 0);   // both hit
    assert_int_equal(rig_load(&rig, 1, 0, 15), 12); // the missing ones
    assert_int_equal(rig_load(&rig, 1, 1, 8), 8);
    assert_int_equal(rig_load(&rig, 1, 2, 8), 8);   // evicts line 0
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    const HookCounters *counted = &rig.hooks->counted;
    assert_int_equal(counted->inserted, 4);
    assert_int_equal(counted->sector_misses, 2);
    assert_int_equal(counted->sectors_fetched, 7);
    assert_int_equal(counted->sectors_predicted, 0);
    rig_free(&rig);
}

// The L2 fetches the requested sectors, whether the mechanism is at the L1 alone or at both.
static void test_l2(void **state)
{
    (void)state;
    static const char *const options[] = {"sector:levels=l1", "sector:levels=l1,l2"};
    for (unsigned i = 0; i < 2; i++) {
        Rig rig;
        rig_init_cache(&rig, HOOK_L2, options[i], 2, ALLOCATE_ON_MISS);
        assert_int_equal(rig_load(&rig, 1, 0, 6), 6);
        assert_int_equal(rig_load(&rig, 1, 0, 12), 8);
        assert_int_equal(rig.hooks->counted.sector_misses, 1);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stream), cmocka_unit_test(test_l2)};
    return cmocka_run_group_tests_name("sector cache", tests, NULL, NULL);
}
