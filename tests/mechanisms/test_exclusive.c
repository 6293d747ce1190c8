// Exclusion (lakshminarayana2014, section 4.4.2): what the mechanism says to each question, as Fig.
// 20 has it. Whole machines: tests/gpu/test_copy_backs.c.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

enum { RETURNED, TAKEN };

static void rig_init(Rig *rig, const char *text, HookLevel level)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static HdInsertion ask(Rig *rig, HdKind kind, bool keeps)
{
    rig->hooks->access = (HdAccess){.line = 128, .kind = (uint8_t)kind, .cached_in_l1 = keeps};
    return cache_hooks_fill(rig->hooks, NULL);
}

// Data for an L1D go past the L2. What no L1D keeps, and what comes back from one, goes in.
static void test_fill(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "exclusive", HOOK_L2);
    assert_int_equal(ask(&rig, HD_LOAD, true), HD_BYPASS);
    assert_int_equal(ask(&rig, HD_PREFETCH, true), HD_BYPASS);
    assert_int_equal(ask(&rig, HD_LOAD, false), HD_INSERT);
    assert_int_equal(ask(&rig, HD_COPY_BACK, false), HD_INSERT);
    assert_true(cache_hooks_leaves_hit(rig.hooks));
    assert_int_equal(cache_hooks_counter(rig.hooks, &rig.plan.items[0], TAKEN), 1);
    rig_free(&rig);
}

// Every line that leaves goes back, and waits in a queue of `queue` lines.
static void test_leaves(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "exclusive", HOOK_L1);
    assert_int_equal(rig.hooks->queue, 8);
    for (unsigned i = 0; i < 3; i++)
        assert_true(cache_hooks_sends_back(rig.hooks, &(HdEviction){.line = 128 * i}));
    assert_int_equal(cache_hooks_counter(rig.hooks, &rig.plan.items[0], RETURNED), 3);
    rig_free(&rig);
    rig_init(&rig, "exclusive:queue=2", HOOK_L1);
    assert_int_equal(rig.hooks->queue, 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fill), cmocka_unit_test(test_leaves)};
    return cmocka_run_group_tests_name("exclusive", tests, NULL, NULL);
}
