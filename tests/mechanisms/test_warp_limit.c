// Static warp throttling (khairy2015, section 4.2): of each scheduler's warps that are not at
// a barrier, the oldest may issue.
#include "mechanism_rig.h"

#include "hooks/core_hooks.h"

// Which of slots 0 to 15 are in the set, as bits.
static unsigned low_slots(const HdWarpSet *set)
{
    unsigned bits = 0;
    for (unsigned slot = 0; slot < 16; slot++)
        if (hd_warps_have(set, slot)) bits |= 1U << slot;
    return bits;
}

// Which of the warps in these slots may issue. The oldest is first; one scheduler has the even
// slots, the other the odd ones.
static HdIssuable decide(Rig *rig, const unsigned *slots, unsigned count)
{
    HdIssuable allowed;
    HdWarp warps[16];
    for (unsigned i = 0; i < count; i++)
        warps[i] = (HdWarp){.age = 100 + i, .slot = (uint16_t)slots[i],
                            .scheduler = (uint16_t)(slots[i] % 2)};
    HdWarps all = {.warps = warps, .count = count, .schedulers = 2};
    core_hooks_decide_issuable(rig->hooks, &all, &allowed);
    assert_true(allowed.ask_at == UINT64_MAX);
    return allowed;
}

// Two warps of each scheduler, by age and not by slot. Slot 4 is third of the even ones, 7 of the
// odd ones. After 6 has gone (it exited or reached a barrier), 4 may issue.
static void test_oldest(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "warp-limit:warps=2");
    assert_true(core_hooks_want(rig.hooks, CORE_ISSUABLE));
    assert_false(core_hooks_want(rig.hooks, CORE_BLOCKS | CORE_WARPS));
    HdIssuable allowed = decide(&rig, (const unsigned[]){6, 9, 2, 4, 1, 7}, 6);
    assert_int_equal(low_slots(&allowed.anything), 1 << 6 | 1 << 9 | 1 << 2 | 1 << 1);
    assert_int_equal(low_slots(&allowed.loads), low_slots(&allowed.anything));
    assert_int_equal(rig_counter(&rig, "throttled"), 2);
    allowed = decide(&rig, (const unsigned[]){9, 2, 4, 1, 7}, 5);
    assert_int_equal(low_slots(&allowed.anything), 1 << 9 | 1 << 2 | 1 << 4 | 1 << 1);
    assert_int_equal(rig_counter(&rig, "selections"), 2);
    assert_int_equal(rig_counter(&rig, "throttled"), 3);
    rig_free(&rig);
}

// Fewer warps than may issue: none is throttled.
static void test_enough(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "warp-limit"); // 5 of each scheduler
    HdIssuable allowed = decide(&rig, (const unsigned[]){0, 2, 4, 6, 8, 1}, 6);
    assert_int_equal(low_slots(&allowed.anything), 0x157);
    assert_int_equal(rig_counter(&rig, "throttled"), 0);
    rig_free(&rig);
}

// throttle=loads: every warp may issue anything but loads.
static void test_loads(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "warp-limit:warps=1,throttle=loads");
    HdIssuable allowed = decide(&rig, (const unsigned[]){3, 0, 1, 2}, 4);
    assert_int_equal(low_slots(&allowed.loads), 1 << 3 | 1 << 0);
    assert_int_equal(low_slots(&allowed.anything), 0xf);
    assert_int_equal(rig_counter(&rig, "throttled"), 2);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oldest), cmocka_unit_test(test_enough),
                                       cmocka_unit_test(test_loads)};
    return cmocka_run_group_tests_name("warp-limit", tests, NULL, NULL);
}
