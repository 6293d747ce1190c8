// Loads by who touched their line last, on streams whose classes follow from khairy2015, section
// 3.1, by hand.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

static void rig_init(Rig *rig, HookLevel level)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, "locality", mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, 0, 1, &err))
        fail_msg("%s", err.text);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static void kernel(Rig *rig, bool begins)
{
    cache_hooks_kernel(rig->hooks, &(HdKernel){.name = "k"}, begins);
}

// Who accesses.
typedef struct Who {
    unsigned sm, block, warp;
    uint32_t lanes;
} Who;

static void touch(Rig *rig, HdKind kind, uint64_t line, HdOutcome outcome, Who who)
{
    rig->hooks->access = (HdAccess){.line = line * 128, .kind = (uint8_t)kind, .cache = HD_L1D,
                                    .sm = (uint16_t)who.sm, .block = who.block,
                                    .warp = (uint16_t)who.warp, .lanes = who.lanes,
                                    .launch = rig->hooks->launch};
    cache_hooks_served(rig->hooks, outcome, HD_NO_INDEX);
}
static void load(Rig *rig, uint64_t line, HdOutcome outcome, Who who)
{
    touch(rig, HD_LOAD, line, outcome, who);
}

static uint64_t counter(const Rig *rig, const char *name)
{
    const HdCounter *c = rig->plan.items[0].mechanism->counters;
    for (size_t i = 0; c[i].name; i++)
        if (strcmp(c[i].name, name) == 0)
            return cache_hooks_counter(rig->hooks, &rig->plan.items[0], i);
    fail_msg("no counter %s", name);
    return 0;
}

// These counters are 1 each, in the order of the list, and all others 0.
static void check_ones(const Rig *rig, const char *const *names)
{
    const HdCounter *c = rig->plan.items[0].mechanism->counters;
    for (size_t i = 0; c[i].name; i++) {
        bool one = false;
        for (size_t n = 0; names[n]; n++) one |= strcmp(names[n], c[i].name) == 0;
        uint64_t value = cache_hooks_counter(rig->hooks, &rig->plan.items[0], i);
        if (value != one) fail_msg("%s is %d, not %d", c[i].name, (int)value, one);
    }
}

static const Who FIRST = {0, 0, 0, 0xff};

// Each class once, by the one thing in which the second access differs from the first.
static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        Who again;
    } cases[] = {
        {"hits_intra_thread", {0, 0, 0, 0x80}},  // a lane among those of the first
        {"hits_inter_thread", {0, 0, 0, 0x100}}, // another
        {"hits_intra_block", {0, 0, 1, 0xff}},
        {"hits_intra_core", {0, 1, 0, 0xff}},
        {"hits_inter_core", {1, 1, 0, 0xff}},
    };
    for (HookLevel level = 0; level < HOOK_LEVELS; level++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            Rig rig;
            rig_init(&rig, level);
            kernel(&rig, true);
            load(&rig, 5, HD_MISS, FIRST);
            load(&rig, 5, HD_HIT, cases[i].again);
            check_ones(&rig, (const char *const[]){"misses_cold", cases[i].name, NULL});
            rig_free(&rig);
        }
}

// The last one counts, not the first; what waits for data is classified like what finds them.
static void test_last(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1);
    kernel(&rig, true);
    load(&rig, 5, HD_MISS, FIRST);
    load(&rig, 5, HD_PENDING_HIT, (Who){0, 0, 3, 1}); // of the block
    load(&rig, 5, HD_HIT, (Who){0, 0, 3, 1});    // the same thread
    load(&rig, 5, HD_HIT, FIRST);                // not its own line any more: the other warp's
    load(&rig, 6, HD_MISS, FIRST);               // another line
    assert_int_equal(counter(&rig, "pending_intra_block"), 1);
    assert_int_equal(counter(&rig, "hits_intra_thread"), 1);
    assert_int_equal(counter(&rig, "hits_intra_block"), 1);
    assert_int_equal(counter(&rig, "misses_cold"), 2);
    rig_free(&rig);
}

// A later kernel's hit is inter-kernel once, whoever it is; stores and atomics touch, and are not
// classified.
static void test_kernels_and_stores(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2);
    kernel(&rig, true);
    touch(&rig, HD_STORE, 5, HD_MISS, FIRST);
    touch(&rig, HD_ATOMIC, 6, HD_HIT, FIRST);
    kernel(&rig, false);
    kernel(&rig, true);
    load(&rig, 5, HD_HIT, FIRST);
    load(&rig, 5, HD_HIT, FIRST);
    load(&rig, 6, HD_PENDING_HIT, (Who){1, 9, 9, 1});
    check_ones(&rig, (const char *const[]){"hits_inter_kernel", "hits_intra_thread",
                                           "pending_inter_kernel", NULL});
    rig_free(&rig);
}

// A miss is cold, or of a line that an earlier kernel, or this one, had touched. What the host or a
// prefetch brought nobody had touched. Instructions and constants are no data.
static void test_misses_and_others(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2);
    kernel(&rig, true);
    load(&rig, 5, HD_MISS, FIRST);
    load(&rig, 5, HD_MISS, FIRST);
    kernel(&rig, false);
    kernel(&rig, true);
    load(&rig, 5, HD_MISS, FIRST);
    load(&rig, 7, HD_HIT, FIRST);
    rig.hooks->access = (HdAccess){.line = 9 * 128, .cache = HD_L1I};
    cache_hooks_served(rig.hooks, HD_MISS, HD_NO_INDEX);
    rig.hooks->access = (HdAccess){.line = 9 * 128, .cache = HD_L1C, .lanes = 1};
    cache_hooks_served(rig.hooks, HD_HIT, HD_NO_INDEX);
    rig.hooks->access = (HdAccess){.line = 9 * 128, .cache = HD_L1D, .kind = HD_STORE};
    cache_hooks_served(rig.hooks, HD_HIT, HD_NO_INDEX); // a write-back
    load(&rig, 9, HD_HIT, FIRST);
    assert_int_equal(counter(&rig, "misses_cold"), 1);
    assert_int_equal(counter(&rig, "misses_repeated"), 1);
    assert_int_equal(counter(&rig, "misses_kernel"), 1);
    assert_int_equal(counter(&rig, "hits_untouched"), 2);
    assert_int_equal(counter(&rig, "other_misses"), 1);
    assert_int_equal(counter(&rig, "other_hits"), 1);
    rig_free(&rig);
}

// More lines than the memory that it begins with; sectors of a line are remembered apart.
static void test_many(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    Rig rig;
    rig_init(&rig, HOOK_L1);
    kernel(&rig, true);
    for (uint64_t n = 0; n < LINES; n++) load(&rig, n, HD_MISS, (Who){0, (unsigned)n, 0, 1});
    for (uint64_t n = 0; n < LINES; n++) load(&rig, n, HD_HIT, (Who){0, (unsigned)n, 0, 1});
    assert_int_equal(counter(&rig, "hits_intra_thread"), LINES);
    rig.hooks->access.sector = 1;
    cache_hooks_served(rig.hooks, HD_MISS, HD_NO_INDEX);
    assert_int_equal(counter(&rig, "misses_cold"), LINES + 1);
    assert_true(cache_hooks_whole(rig.hooks));
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),             cmocka_unit_test(test_last),
        cmocka_unit_test(test_kernels_and_stores),  cmocka_unit_test(test_misses_and_others),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests_name("locality", tests, NULL, NULL);
}
