// Static block throttling: an SM holds so many blocks at most.
#include "hooks/core_hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { KERNELS, LEFT_OUT };

// 3 of the 8 that fit, twice; where 3 or 2 fit, nothing is left out.
static void test_limit(void **state)
{
    (void)state;
    HookPlan plan;
    CacheHooks *hooks = NULL;
    HdError err = {0};
    HdKernel kernel = {.name = "k"};
    if (!plan_read(&plan, "cta-limit:blocks=3", mechanism_find, &err) ||
        !cache_hooks_new(&hooks, &plan, HOOK_L1, 0, 1, &err))
        fail_msg("%s", err.text);
    assert_false(core_hooks_want(hooks, CORE_ALLOW));
    assert_int_equal(core_hooks_limit(hooks, &kernel, 8), 3);
    assert_int_equal(core_hooks_limit(hooks, &kernel, 3), 3);
    assert_int_equal(core_hooks_limit(hooks, &kernel, 2), 2);
    assert_int_equal(core_hooks_limit(hooks, &kernel, 8), 3);
    assert_int_equal(cache_hooks_counter(hooks, &plan.items[0], KERNELS), 2);
    assert_int_equal(cache_hooks_counter(hooks, &plan.items[0], LEFT_OUT), 10);
    cache_hooks_free(hooks);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests_name("cta-limit", tests, NULL, NULL);
}
