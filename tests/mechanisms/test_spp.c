// The Spatial Pattern Predictor (lakshminarayana2014, section 4.6.2), with fetches computed from
// the paper by hand. Sectors of a line: 1, 2, 4, 8. In a cache of one line each fill evicts the
// line before it.
#include "mechanism_rig.h"

// The pattern of an instruction and sector is that of the last line that they missed. Without one
// the whole line is fetched.
static void test_last_pattern(void **state)
{
    (void)state;
    for (unsigned allocate = ALLOCATE_ON_MISS; allocate <= ALLOCATE_ON_FILL; allocate++) {
        Rig rig;
        rig_init_cache(&rig, HOOK_L1, "spp", 1, allocate);
        assert_int_equal(rig_load(&rig, 1, 0, 1), 15); // unknown
        assert_int_equal(rig_load(&rig, 7, 0, 8), 0);  // line 0: sectors 1 and 8 are used
        assert_int_equal(rig_load(&rig, 9, 1, 1), 15);
        assert_int_equal(rig_counter(&rig, "trained"), 1);
        assert_int_equal(rig_load(&rig, 1, 2, 1), 9);
        assert_int_equal(rig_load(&rig, 1, 3, 2), 15); // another sector: unknown
        assert_int_equal(rig_load(&rig, 1, 4, 1), 1);  // of line 2 only sector 1 was used
        assert_int_equal(rig_load(&rig, 9, 5, 1), 1);
        assert_int_equal(rig_load(&rig, 9, 6, 3), 3);  // needed sectors are always fetched
        assert_int_equal(rig_counter(&rig, "known"), 4);
        assert_int_equal(rig_counter(&rig, "unknown"), 3);
        assert_int_equal(rig_counter(&rig, "trained"), 6);
        assert_int_equal(rig_counter(&rig, "replaced"), 0);
        assert_int_equal(rig.hooks->counted.sectors_evicted, 4 + 4 + 2 + 4 + 1 + 1);
        assert_int_equal(rig.hooks->counted.sectors_used, 2 + 1 + 1 + 1 + 1 + 1);
        rig_free(&rig);
    }
}

// Another sector of a line that is in the cache is predicted by its own entry, and allocates none:
// the line still trains the entry of the miss that filled it.
static void test_sector_miss(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "spp:default=wanted", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_load(&rig, 1, 0, 1), 1);
    assert_int_equal(rig_load(&rig, 2, 0, 4), 4);
    assert_int_equal(rig_load(&rig, 2, 1, 4), 4); // unknown still
    assert_int_equal(rig_load(&rig, 2, 1, 8), 8);
    assert_int_equal(rig_load(&rig, 1, 2, 1), 5); // both of line 0
    assert_int_equal(rig_load(&rig, 2, 2, 12), 8); // the first missing sector is 8: unknown
    assert_int_equal(rig_load(&rig, 2, 3, 4), 12); // of line 1
    assert_int_equal(rig_counter(&rig, "trained"), 3);
    assert_int_equal(rig.hooks->counted.sectors_predicted, 2);
    rig_free(&rig);
}

// Eight instructions share a set with pc 0 (the number times four, modulo 32 sets): the ninth takes
// the place of the one used least recently.
static void test_overflow(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "spp", 1, ALLOCATE_ON_MISS);
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(rig_load(&rig, 8 * i, i, 1), 15);
    assert_int_equal(rig_load(&rig, 0, 8, 1), 1); // known, and used
    assert_int_equal(rig_counter(&rig, "replaced"), 0);
    assert_int_equal(rig_load(&rig, 64, 9, 1), 15); // for 8
    assert_int_equal(rig_counter(&rig, "replaced"), 1);
    assert_int_equal(rig_load(&rig, 0, 10, 1), 1);
    assert_int_equal(rig_load(&rig, 16, 11, 1), 1);
    assert_int_equal(rig_load(&rig, 8, 12, 1), 15); // for 24
    assert_int_equal(rig_load(&rig, 24, 13, 1), 15);
    assert_int_equal(rig_counter(&rig, "replaced"), 3);
    rig_free(&rig);
}

// A line points to an entry of the table: it trains the pattern that is in that entry by then.
static void test_place_of_a_replaced_entry(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L1, "spp", 9, ALLOCATE_ON_MISS);
    for (uint32_t i = 0; i < 9; i++) rig_load(&rig, 8 * i, i, i ? 1 : 3);
    assert_int_equal(rig_counter(&rig, "replaced"), 1); // pc 64 for pc 0
    rig_load(&rig, 1, 9, 1); // evicts line 0
    assert_int_equal(rig_counter(&rig, "trained"), 1);
    assert_int_equal(rig_load(&rig, 64, 10, 1), 3);
    rig_free(&rig);
}

// At an L2 atomics have an instruction; prefetches and fetches of instructions and constants have
// none.
static void test_l2(void **state)
{
    (void)state;
    Rig rig;
    rig_init_cache(&rig, HOOK_L2, "spp:levels=l1,l2", 1, ALLOCATE_ON_MISS);
    assert_int_equal(rig_access(&rig, HD_ATOMIC, HD_L1D, 1, 0, 2), 15);
    assert_int_equal(rig_access(&rig, HD_LOAD, HD_L1C, 1, 1, 3), 3);
    assert_int_equal(rig_access(&rig, HD_LOAD, HD_L1D, 1, 2, 2), 2);
    assert_int_equal(rig_access(&rig, HD_PREFETCH, HD_L1D, HD_NO_PC, 3, 4), 4);
    assert_int_equal(rig_counter(&rig, "trained"), 2);
    assert_int_equal(rig_counter(&rig, "known") + rig_counter(&rig, "unknown"), 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_pattern), cmocka_unit_test(test_sector_miss),
        cmocka_unit_test(test_overflow), cmocka_unit_test(test_place_of_a_replaced_entry),
        cmocka_unit_test(test_l2)};
    return cmocka_run_group_tests_name("spatial pattern predictor", tests, NULL, NULL);
}
