// The Neighbor Access Predictor (lakshminarayana2014, section 4.6.4) on accesses whose fetches
// follow from the paper by hand. Parts of a line: 1, 2, 4, 8. Counters begin at 8; above 7 a
// neighbour comes. In a cache of one line each line that comes evicts the one before it.
#include "parts_rig.h"

// Another instruction's line comes, which has all that it wants.
static void evict(PartsRig *rig)
{
    static unsigned next = 1000;
    rig_load(rig, 30, next++, 15);
}

// Counters are by place beside the missing part, over all lines of an instruction.
static void test_neighbours(void **state)
{
    (void)state;
    for (unsigned allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++) {
        PartsRig rig;
        rig_init(&rig, HOOK_L1, "nap", 1, allocate);
        assert_int_equal(rig_load(&rig, 1, 0, 2), 15);
        evict(&rig);
        assert_int_equal(rig_load(&rig, 1, 1, 1), 9); // -1, +1, +2 are at 7; +3 at 8
        assert_int_equal(rig_load(&rig, 1, 1, 2), 2); // its +1, part 4, neither
        evict(&rig); // the line was brought by part 1: +1 to 8, +2 to 6, +3 to 7
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

// Counters end at 15 and at 0: of 20 lines that use +1 no more than 8 that do not are to be made up
// for, and of more that do not use +2 no more than 8 that do.
static void test_saturation(void **state)
{
    (void)state;
    PartsRig rig;
    rig_init(&rig, HOOK_L1, "nap", 1, ALLOCATE_ON_MISS);
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

// From 0 on nothing comes until it is learnt; above a threshold of 0 one use is enough.
static void test_parameters(void **state)
{
    (void)state;
    PartsRig rig;
    rig_init(&rig, HOOK_L1, "nap:initial=0,threshold=0", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    assert_int_equal(rig_load(&rig, 2, 0, 8), 8);
    evict(&rig);
    assert_int_equal(rig_load(&rig, 1, 1, 1), 9);
    rig_free(&rig);
}

// At an L2, prefetches and lines of instructions and constants are brought by no instruction.
static void test_l2(void **state)
{
    (void)state;
    PartsRig rig;
    rig_init(&rig, HOOK_L2, "nap:levels=l1,l2", 1, ALLOCATE_ON_MISS);
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
