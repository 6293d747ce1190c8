// Static warp throttling (khairy2015, section 4.2): of each scheduler's warps that are not at a
// barrier, the oldest issue.
#include "hooks/core_hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CHOICES, HELD };

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
    HdIssuable allowed;
} Rig;

static void rig_init(Rig *rig, const char *text)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, HOOK_L1, 0, 1, &err))
        fail_msg("%s", err.text);
    assert_true(core_hooks_want(rig->hooks, CORE_ALLOW));
    assert_false(core_hooks_want(rig->hooks, CORE_BLOCKS | CORE_WARPS));
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

// Which of slots 0 to 15 are in the set, as bits.
static unsigned low_slots(const HdWarpSet *set)
{
    unsigned bits = 0;
    for (unsigned slot = 0; slot < 16; slot++)
        if (hd_warps_have(set, slot)) bits |= 1U << slot;
    return bits;
}

// Asks about warps in these slots, the oldest first; of two schedulers, those of the even slots and
// those of the odd.
static void ask(Rig *rig, const unsigned *slots, unsigned count)
{
    HdWarp warps[16];
    for (unsigned i = 0; i < count; i++)
        warps[i] = (HdWarp){.age = 100 + i, .slot = (uint16_t)slots[i],
                            .scheduler = (uint16_t)(slots[i] % 2)};
    HdWarps all = {.warps = warps, .count = count, .schedulers = 2};
    core_hooks_allow(rig->hooks, &all, &rig->allowed);
    assert_true(rig->allowed.ask_at == UINT64_MAX);
}

static uint64_t counter(const Rig *rig, size_t index)
{
    return cache_hooks_counter(rig->hooks, &rig->plan.items[0], index);
}

// Two of each scheduler: by age, not by slot. Slot 4 comes third of the even ones, 7 of the odd
// ones; when 6 has gone (to its end or a barrier), 4 comes up.
static void test_oldest(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "warp-limit:warps=2");
    ask(&rig, (const unsigned[]){6, 9, 2, 4, 1, 7}, 6);
    assert_int_equal(low_slots(&rig.allowed.anything), 1 << 6 | 1 << 9 | 1 << 2 | 1 << 1);
    assert_int_equal(low_slots(&rig.allowed.loads), low_slots(&rig.allowed.anything));
    assert_int_equal(counter(&rig, HELD), 2);
    ask(&rig, (const unsigned[]){9, 2, 4, 1, 7}, 5);
    assert_int_equal(low_slots(&rig.allowed.anything), 1 << 9 | 1 << 2 | 1 << 4 | 1 << 1);
    assert_int_equal(counter(&rig, CHOICES), 2);
    assert_int_equal(counter(&rig, HELD), 3);
    rig_free(&rig);
}

// Fewer warps than may issue: none is held back.
static void test_enough(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "warp-limit"); // 5 of each
    ask(&rig, (const unsigned[]){0, 2, 4, 6, 8, 1}, 6);
    assert_int_equal(low_slots(&rig.allowed.anything), 0x157);
    assert_int_equal(counter(&rig, HELD), 0);
    rig_free(&rig);
}

// throttle=loads: what is no load issues from every warp.
static void test_loads(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "warp-limit:warps=1,throttle=loads");
    ask(&rig, (const unsigned[]){3, 0, 1, 2}, 4);
    assert_int_equal(low_slots(&rig.allowed.loads), 1 << 3 | 1 << 0);
    assert_int_equal(low_slots(&rig.allowed.anything), 0xf);
    assert_int_equal(counter(&rig, HELD), 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oldest), cmocka_unit_test(test_enough),
                                       cmocka_unit_test(test_loads)};
    return cmocka_run_group_tests_name("warp-limit", tests, NULL, NULL);
}
