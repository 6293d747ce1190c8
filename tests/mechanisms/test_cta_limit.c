// Static block throttling: an SM holds at most a given number of blocks.
#include "mechanism_rig.h"

#include "hooks/core_hooks.h"

// 3 of the 8 blocks that fit, twice; where 3 or 2 fit, none is left out.
static void test_limit(void **state)
{
    (void)state;
    Rig rig;
    HdKernel kernel = {.name = "k"};
    rig_init(&rig, HOOK_L1, "cta-limit:blocks=3");
    assert_false(core_hooks_want(rig.hooks, CORE_ISSUABLE));
    assert_int_equal(core_hooks_decide_block_limit(rig.hooks, &kernel, 8), 3);
    assert_int_equal(core_hooks_decide_block_limit(rig.hooks, &kernel, 3), 3);
    assert_int_equal(core_hooks_decide_block_limit(rig.hooks, &kernel, 2), 2);
    assert_int_equal(core_hooks_decide_block_limit(rig.hooks, &kernel, 8), 3);
    assert_int_equal(rig_counter(&rig, "kernels"), 2);
    assert_int_equal(rig_counter(&rig, "throttled"), 10);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests_name("cta-limit", tests, NULL, NULL);
}
