// Bypass and copy-back (lakshminarayana2014, section 4.5.4, Listings 5 and 6, Table 12): what is
// decided and kept, by hand. Periods of 1,000 cycles. Regions as such: test_r_ex.c.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

enum { PAST_L1, SAMPLES_L1, PAST_L2, SAMPLES_L2, PROVIDED, UNTRACKED_PCS, TRAINED_PCS, REPLACED_PCS,
       UNTRACKED, TRAINED, REPLACED, PERIODS, RETURNED, TAKEN };
enum { NEW, SHARED, PRIVATE, BOTH }; // what a reply says of its line

static void rig_init(Rig *rig, const char *options, HookLevel level)
{
    char text[128];
    HdError err = {0};
    snprintf(text, sizeof text, "bypass-copyback:period=1000,%s", options);
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err) ||
        !cache_hooks_size(rig->hooks, 64, 8, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static uint64_t counter(const Rig *rig, size_t index)
{
    return cache_hooks_counter(rig->hooks, &rig->plan.items[0], index);
}

static HdAccess *load(Rig *rig, uint32_t pc, uint16_t array, uint64_t cycle)
{
    rig->hooks->notes = 0;
    rig->hooks->access = (HdAccess){.pc = pc, .allocation = array, .cycle = cycle, .kind = HD_LOAD};
    return &rig->hooks->access;
}

// Loads of an instruction that miss, with data that go where it is decided. Whether the last one's
// went past the L1D.
static bool misses(Rig *rig, uint32_t pc, uint16_t array, unsigned times, uint64_t cycle)
{
    HdInsertion fill = HD_PASS;
    for (unsigned i = 0; i < times; i++) {
        HdAccess *access = load(rig, pc, array, cycle);
        fill = cache_hooks_fill(rig->hooks, NULL);
        access->insertion = (uint8_t)fill;
        cache_hooks_served(rig->hooks, HD_MISS, HD_NO_INDEX);
    }
    return fill == HD_BYPASS;
}

static void hits(Rig *rig, uint32_t pc, uint32_t slot, unsigned times, uint64_t cycle)
{
    for (unsigned i = 0; i < times; i++) {
        load(rig, pc, HD_NO_ALLOCATION, cycle);
        cache_hooks_served(rig->hooks, HD_HIT, slot);
    }
}

// Data of an instruction's load come to a slot, or past the L1D.
static void comes(Rig *rig, uint32_t pc, uint16_t array, uint32_t reply, uint32_t slot,
                  uint64_t cycle)
{
    rig->hooks->notes = reply;
    rig->hooks->filled =
        (HdAccess){.pc = pc, .allocation = array, .line_index = slot, .cycle = cycle};
    cache_hooks_filled(rig->hooks);
}

static bool bypassed_l1(Rig *rig, uint32_t pc, uint16_t array, uint64_t cycle)
{
    load(rig, pc, array, cycle);
    return cache_hooks_fill(rig->hooks, NULL) == HD_BYPASS;
}

static bool bypassed_l2(Rig *rig, uint32_t pc, uint16_t array, uint64_t cycle)
{
    load(rig, pc, array, cycle);
    return cache_hooks_notes(rig->hooks);
}

static bool goes_back(Rig *rig, uint32_t slot)
{
    return cache_hooks_sends_back(rig->hooks, &(HdEviction){.line_index = slot});
}

// The instruction that fetched a line gets its hits, not the one that has them: 7 has fetched what
// 8 finds. So 7 goes in and 8 past, once something is known of it.
static void test_who_provides(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "sample_interval=0", HOOK_L1);
    assert_false(misses(&rig, 7, HD_NO_ALLOCATION, 4, 10));
    comes(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 20);
    hits(&rig, 8, 3, 2, 30);
    assert_false(bypassed_l1(&rig, 8, HD_NO_ALLOCATION, 999));
    assert_true(bypassed_l1(&rig, 8, HD_NO_ALLOCATION, 1000));
    assert_false(bypassed_l1(&rig, 7, HD_NO_ALLOCATION, 1000));
    assert_false(bypassed_l1(&rig, 9, HD_NO_ALLOCATION, 1000)); // not known
    assert_int_equal(counter(&rig, PROVIDED), 2);
    assert_int_equal(counter(&rig, TRAINED_PCS), 2);
    assert_true(misses(&rig, 8, HD_NO_ALLOCATION, 3, 1000));
    assert_int_equal(counter(&rig, PAST_L1), 3);
    // A line whose slot has been taken anew is nobody's.
    cache_hooks_clear(rig.hooks, 3);
    hits(&rig, 8, 3, 2, 1030);
    assert_int_equal(counter(&rig, PROVIDED), 2);
    rig_free(&rig);
}

// Listing 6: more than 1/64, in whole numbers behind the halving; full counters stay at 255.
static void test_pc_threshold(void **state)
{
    (void)state;
    static const struct {
        unsigned all, hits;
        bool reuse;
    } cases[] = {{255, 3, false}, {255, 4, true}, {1000, 4, true}, {127, 1, false}, {127, 2, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Rig rig;
        rig_init(&rig, "sample_interval=0", HOOK_L1);
        misses(&rig, 7, HD_NO_ALLOCATION, 1, 0);
        comes(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 0);
        hits(&rig, 7, 3, cases[c].hits, 0);
        misses(&rig, 7, HD_NO_ALLOCATION, cases[c].all - cases[c].hits - 1, 0);
        assert_int_equal(bypassed_l1(&rig, 7, HD_NO_ALLOCATION, 1000), !cases[c].reuse);
        rig_free(&rig);
    }
}

// Periods in which nothing happens age too: 8 and 8 hits have reuse behind the third halving (1 and
// 1) and not behind the fourth (0 and 0), unless flags are sticky.
static void test_ageing(void **state)
{
    (void)state;
    static const char *const rules[] = {"sample_interval=0", "sample_interval=0,flags=sticky"};
    for (unsigned sticky = 0; sticky < 2; sticky++)
        for (unsigned period = 3; period <= 5; period++) {
            Rig rig;
            rig_init(&rig, rules[sticky], HOOK_L1);
            misses(&rig, 7, HD_NO_ALLOCATION, 1, 0);
            comes(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 0);
            hits(&rig, 7, 3, 8, 0);
            assert_int_equal(bypassed_l1(&rig, 7, HD_NO_ALLOCATION, 1000 * period),
                             period > 3 && !sticky);
            assert_int_equal(counter(&rig, PERIODS), period);
            rig_free(&rig);
        }
}

// What each table says of an instruction and a region.
enum { NO, YES, UNKNOWN };

static void learn(Rig *rig)
{
    // Instructions 10 (no) and 11 (yes); 12 is not known.
    misses(rig, 10, HD_NO_ALLOCATION, 8, 0);
    misses(rig, 11, HD_NO_ALLOCATION, 1, 0);
    comes(rig, 11, HD_NO_ALLOCATION, NEW, 3, 0);
    hits(rig, 11, 3, 7, 0);
    // Arrays 20 to 23 by what their replies say; 24 is not known.
    for (uint32_t reply = NEW; reply <= BOTH; reply++)
        for (unsigned i = 0; i < 8; i++)
            comes(rig, 11, (uint16_t)(20 + reply), reply, HD_NO_INDEX, 0);
}

// Table 12, with its sixth row read as "L1 reuse unknown", and what it leaves out as "-".
static void test_table_12(void **state)
{
    (void)state;
    static const struct {
        unsigned l1, shared, private;
        bool bypassed_l2, bypassed_l1, back;
    } rows[] = {
        {NO, NO, NO, true, true, false},
        {NO, NO, YES, true, false, true},
        {NO, YES, NO, false, true, false},
        {NO, YES, YES, false, true, false},
        {YES, NO, NO, true, false, false},
        {UNKNOWN, NO, NO, true, false, false},
        {YES, NO, YES, true, false, true},
        {YES, YES, NO, false, false, false},
        {YES, YES, YES, false, false, false},
        {NO, UNKNOWN, UNKNOWN, false, true, false},
        {UNKNOWN, NO, YES, true, false, true},
        {UNKNOWN, YES, NO, false, false, false},
        {UNKNOWN, YES, YES, false, false, false},
        {YES, UNKNOWN, UNKNOWN, false, false, false},
        {UNKNOWN, UNKNOWN, UNKNOWN, false, false, false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (unsigned both = 0; both < 2; both++) {
            Rig rig;
            rig_init(&rig, both ? "sample_interval=0" : "sample_interval=0,bypass=l2", HOOK_L1);
            learn(&rig);
            uint32_t pc = 10 + rows[r].l1;
            uint16_t array = (uint16_t)(rows[r].shared == UNKNOWN
                                            ? 24
                                            : 20 + rows[r].shared * SHARED +
                                                  rows[r].private * PRIVATE);
            assert_int_equal(bypassed_l1(&rig, pc, array, 1000), rows[r].bypassed_l1 && both);
            assert_int_equal(bypassed_l2(&rig, pc, array, 1000), rows[r].bypassed_l2);
            comes(&rig, pc, array, NEW, 5, 1000);
            assert_int_equal(goes_back(&rig, 5), rows[r].back);
            rig_free(&rig);
        }
}

// One in four of what would go past goes in. Refused tries do not count.
static void test_samples(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "sample_interval=4", HOOK_L1);
    learn(&rig);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 3; i++) assert_true(misses(&rig, 10, 24, 1, 1000));
        for (unsigned i = 0; i < 5; i++) assert_false(bypassed_l1(&rig, 10, 24, 1000));
        assert_false(misses(&rig, 10, 24, 1, 1000));
    }
    assert_int_equal(counter(&rig, PAST_L1), 9);
    assert_int_equal(counter(&rig, SAMPLES_L1), 3);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 3; i++) assert_true(bypassed_l2(&rig, 11, 20, 1000));
        assert_false(bypassed_l2(&rig, 11, 20, 1000));
    }
    // What comes back is seen then: no sample is needed.
    for (unsigned i = 0; i < 9; i++) assert_true(bypassed_l2(&rig, 11, 22, 1000));
    assert_int_equal(counter(&rig, PAST_L2), 18);
    assert_int_equal(counter(&rig, SAMPLES_L2), 3);
    rig_free(&rig);
}

// Two entries, and 8 counters for the rest, by the instruction's octal digits combined: 3 and 0o12
// are of group 3. The group had 5 accesses, instruction 2 had 4: it gives way, and the next of
// group 3 has its entry; others wait.
static void test_full_table(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "sample_interval=0,pcs=2", HOOK_L1);
    misses(&rig, 1, HD_NO_ALLOCATION, 6, 0);
    misses(&rig, 2, HD_NO_ALLOCATION, 4, 0);
    misses(&rig, 3, HD_NO_ALLOCATION, 3, 0);
    misses(&rig, 012, HD_NO_ALLOCATION, 2, 0);
    misses(&rig, 4, HD_NO_ALLOCATION, 4, 0);
    assert_int_equal(counter(&rig, UNTRACKED_PCS), 9);
    assert_true(bypassed_l1(&rig, 1, HD_NO_ALLOCATION, 1000));
    assert_false(bypassed_l1(&rig, 2, HD_NO_ALLOCATION, 1000)); // no longer tracked
    assert_int_equal(counter(&rig, REPLACED_PCS), 1);
    misses(&rig, 4, HD_NO_ALLOCATION, 1, 1100);
    misses(&rig, 2, HD_NO_ALLOCATION, 1, 1100);
    assert_int_equal(counter(&rig, UNTRACKED_PCS), 11);
    misses(&rig, 012, HD_NO_ALLOCATION, 8, 1100);
    misses(&rig, 3, HD_NO_ALLOCATION, 1, 1100);
    assert_int_equal(counter(&rig, UNTRACKED_PCS), 12);
    assert_true(bypassed_l1(&rig, 012, HD_NO_ALLOCATION, 2000));
    assert_int_equal(counter(&rig, REPLACED_PCS), 1); // 3 against 3 of instruction 1, and no more
    rig_free(&rig);
}

// 255 is the most that a group counts: not more than the 255 of who is tracked.
static void test_full_group(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "sample_interval=0,pcs=1", HOOK_L1);
    misses(&rig, 1, HD_NO_ALLOCATION, 300, 0);
    misses(&rig, 2, HD_NO_ALLOCATION, 1000, 0);
    assert_true(bypassed_l1(&rig, 1, HD_NO_ALLOCATION, 1000));
    assert_int_equal(counter(&rig, REPLACED_PCS), 0);
    rig_free(&rig);
}

static void test_launches(void **state)
{
    (void)state;
    static const char *const rules[] = {"sample_interval=0", "sample_interval=0,launch=keep"};
    for (unsigned keep = 0; keep < 2; keep++) {
        Rig rig;
        rig_init(&rig, rules[keep], HOOK_L1);
        learn(&rig);
        assert_true(bypassed_l1(&rig, 10, 24, 1000));
        cache_hooks_kernel(rig.hooks, &(HdKernel){.name = "k"}, true);
        assert_int_equal(bypassed_l1(&rig, 10, 24, 1001), keep);
        assert_int_equal(bypassed_l2(&rig, 10, 20, 1001), keep);
        rig_free(&rig);
    }
}

// At the L2: what goes past both caches goes past it; what comes back leaves with the SM that gave
// it.
static void test_l2(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "sample_interval=0", HOOK_L2);
    rig.hooks->access = (HdAccess){.kind = HD_LOAD};
    rig.hooks->notes = 1;
    assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_BYPASS);
    rig.hooks->notes = 0;
    assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_INSERT);
    rig.hooks->filled = (HdAccess){.kind = HD_COPY_BACK, .sm = 3, .line_index = 5};
    cache_hooks_filled(rig.hooks);
    for (uint16_t sm = 4; sm >= 3; sm--) {
        rig.hooks->access = (HdAccess){.kind = HD_LOAD, .sm = sm, .cached_in_l1 = true};
        cache_hooks_served(rig.hooks, HD_HIT, 5);
        assert_int_equal(cache_hooks_notes(rig.hooks), sm == 4 ? SHARED : BOTH);
        assert_int_equal(cache_hooks_leaves_hit(rig.hooks), sm == 3);
    }
    assert_int_equal(counter(&rig, TAKEN), 1);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_provides), cmocka_unit_test(test_pc_threshold),
        cmocka_unit_test(test_ageing),       cmocka_unit_test(test_table_12),
        cmocka_unit_test(test_samples),      cmocka_unit_test(test_full_table),
        cmocka_unit_test(test_full_group),   cmocka_unit_test(test_launches),
        cmocka_unit_test(test_l2)};
    return cmocka_run_group_tests_name("bypass and copy-back", tests, NULL, NULL);
}
