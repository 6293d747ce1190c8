// Exclusion (lakshminarayana2014, section 4.4.2): each decision of the mechanism, after Fig. 20.
// Whole machines: tests/gpu/test_copy_backs.c.
#include "mechanism_rig.h"

static HdInsertion decide(Rig *rig, HdKind kind, bool kept_in_l1)
{
    HdAccess access = {.line = RIG_LINE, .kind = (uint8_t)kind, .inserted_in_l1 = kept_in_l1};
    return rig_decide_insert(rig, access, HD_NO_LINE);
}

// Data for an L1D bypass the L2. Data that no L1D keeps, and copy-backs, are inserted.
static void test_fill(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "exclusive");
    assert_int_equal(decide(&rig, HD_LOAD, true), HD_BYPASS);
    assert_int_equal(decide(&rig, HD_PREFETCH, true), HD_BYPASS);
    assert_int_equal(decide(&rig, HD_LOAD, false), HD_INSERT);
    assert_int_equal(decide(&rig, HD_COPY_BACK, false), HD_INSERT);
    assert_true(cache_hooks_decide_after_hit(rig.hooks));
    assert_int_equal(rig_counter(&rig, "removed_on_hit"), 1);
    rig_free(&rig);
}

// Each line that an L1D evicts is sent back, through a queue of `queue` lines.
static void test_copy_back(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "exclusive");
    assert_int_equal(rig.hooks->copy_backs.queue, 8);
    for (uint32_t slot = 0; slot < 3; slot++) assert_true(rig_sends_back(&rig, slot));
    assert_int_equal(rig_counter(&rig, "copied_back"), 3);
    rig_free(&rig);
    rig_init(&rig, HOOK_L1, "exclusive:queue=2");
    assert_int_equal(rig.hooks->copy_backs.queue, 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fill),
                                       cmocka_unit_test(test_copy_back)};
    return cmocka_run_group_tests_name("exclusive", tests, NULL, NULL);
}
