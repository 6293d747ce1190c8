// The Neighbor Access Predictor (lakshminarayana2014, section 4.6.4), with fetches computed from
// the paper by hand. Sectors of a line: 1, 2, 4, 8. Counters begin at 8; one above 7 fetches its
// neighbour. In a cache of one line each fill evicts the line before it.
#include "mechanism_rig.h"

// Fills a line of another instruction, which uses all sectors.
static void evict(Rig *rig)
{
    static unsigned next = 1000;
    rig_load(rig, 30, next++, 15);
}

// Counters are by distance from the missing sector, over all lines of an instruction.
static void test_neighbours(void **state)
{
    (void)state;
    for (unsigned allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++) {
        Rig rig;
        rig_init_cache(&rig, HOOK_L1, "nap", 1, allocate);
        assert_int_equal(rig_load(&rig, 1, 0, 2), 15);
        evict(&rig);
        assert_int_equal(rig_load(&rig, 1, 1, 1), 9); // -1, +1, +2 are at 7; +3 at 8
        assert_int_equal(rig_load(&rig, 1, 1, 2), 2); // its +1, sector 4, neither
        evict(&rig); // sector 1 missed first: +1 to 8, +2 to 6, +3 to 7
        assert_int_equal(rig_load(&rig, 2, 2, 4), 15); // another instruction
        evict(&rig);
        assert_int_equal(rig_load(&rig, 33, 3, 1), 3); // shares the entry of 1
        evict(&rig);
        assert_int_equal(rig_load(&rig, 1, 4, 8), 11); // -3 and -2 at 8, -1 at 7
        assert_int_equal(rig_counter(&rig, "neighbours_fetched"), 3 + 1 + 3 + 1 + 2);
        assert_int_equal(rig_counter(&rig, "neighbours_skipped"), 2 + 1 + 2 + 1);
        assert_int_equal(rig_counter(&rig, "trained"), 8);
        rig_free(&rig);
    }
}

// Counters saturate at 15 and 0: after 20 lines that use +1, 8 lines that do not are enough to turn
// it off; after more lines that do not use +2, 8 lines that do are enough to turn it on.
static void test_saturation(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "nap", 1, ALLOCATE_ON_MISS);
    unsigned line = 0;
    for (unsigned i = 0; i < 20; i++) {
        rig_load(&rig, 1, line++, 3);
        evict(&rig);
    }
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(rig_load(&rig, 1, line++, 1), 3);
        evict(&rig);
    }
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(rig_load(&rig, 1, line, 1), 1);
        rig_load(&rig, 2, line++, 4);
        evict(&rig);
    }
    assert_int_equal(rig_load(&rig, 1, line, 1), 5);
    rig_free(&rig);
}

// Counters that begin at 0: no neighbour is fetched before its first use. With threshold 0 one use
// is enough.
static void test_parameters(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "nap:initial=0,threshold=0", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    assert_int_equal(rig_load(&rig, 2, 0, 8), 8);
    evict(&rig);
    assert_int_equal(rig_load(&rig, 1, 1, 1), 9);
    rig_free(&rig);
}

// At an L2, prefetches and fetches of instructions and constants have no instruction.
static void test_l2(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L2, "nap:levels=l1,l2", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_access(&rig, HD_LOAD, HD_L1C, 1, 0, 3), 3);
    assert_int_equal(rig_access(&rig, HD_ATOMIC, HD_L1D, 1, 1, 2), 15);
    assert_int_equal(rig_counter(&rig, "trained"), 0);
    assert_int_equal(rig_access(&rig, HD_PREFETCH, HD_L1D, HD_NO_PC, 3, 4), 4);
    evict(&rig);
    assert_int_equal(rig_load(&rig, 1, 2, 2), 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_l2)};
    return cmocka_run_group_tests_name("neighbor access predictor", tests, NULL, NULL);
}
