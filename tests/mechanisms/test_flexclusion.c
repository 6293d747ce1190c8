// Flexclusion (lakshminarayana2014, section 4.4.2 and Table 11): a slice of 128 sets, one of six,
// so that of 16 sets of either kind it has 3; a selector of 11 bits that starts in the middle.
#include "hooks/hooks.h"
#include "mechanisms/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SETS = 128, SLICES = 6 };
enum { RETURNED, TAKEN, EXCLUSIVE_MISSES, INCLUSIVE_MISSES, EXCLUDED, INCLUDED };

typedef struct Rig {
    HookPlan plan;
    CacheHooks *hooks;
} Rig;

static void rig_init(Rig *rig, const char *text, HookLevel level, unsigned slice)
{
    HdError err = {0};
    if (!plan_read(&rig->plan, text, mechanism_find, &err) ||
        !cache_hooks_new(&rig->hooks, &rig->plan, level, slice, 1, &err) ||
        !cache_hooks_size(rig->hooks, SETS * 8, SETS, &err))
        fail_msg("%s", err.text);
    cache_hooks_count(rig->hooks, SLICES);
}

static void rig_free(Rig *rig)
{
    cache_hooks_free(rig->hooks);
    plan_free(&rig->plan);
}

static void at(Rig *rig, HdKind kind, uint32_t set)
{
    rig->hooks->access = (HdAccess){.kind = (uint8_t)kind, .set = set, .cached_in_l1 = true};
}

// Whether data for an L1D go past this set.
static bool past(Rig *rig, uint32_t set)
{
    at(rig, HD_LOAD, set);
    return cache_hooks_fill(rig->hooks, NULL) == HD_BYPASS;
}

static void miss(Rig *rig, uint32_t set, unsigned times)
{
    at(rig, HD_LOAD, set);
    for (unsigned i = 0; i < times; i++) cache_hooks_served(rig->hooks, HD_MISS, HD_NO_INDEX);
}

static unsigned sets_past(Rig *rig)
{
    unsigned count = 0;
    for (uint32_t set = 0; set < SETS; set++) count += past(rig, set);
    return count;
}

// A set that is always exclusive, and one that never is: what they are shows when they miss.
static void find_leaders(Rig *rig, uint32_t *always, uint32_t *never)
{
    *always = *never = SETS;
    for (uint32_t set = 0; set < SETS; set++)
        if (past(rig, set)) *always = set;
    for (uint32_t set = 0; set < SETS && *never == SETS; set++) {
        miss(rig, set, 1);
        if (sets_past(rig) > SETS / 2) *never = set;
        else if (past(rig, set)) miss(rig, set, 0);
    }
    assert_true(*always < SETS && *never < SETS);
}

// Three sets of either kind in each slice, at other places in each; the rest follow.
static void test_sets(void **state)
{
    (void)state;
    uint32_t first = SETS;
    for (unsigned slice = 0; slice < 2; slice++) {
        Rig rig;
        rig_init(&rig, "flexclusion", HOOK_L2, slice);
        assert_int_equal(sets_past(&rig), 3);
        uint32_t always = 0, never = SETS;
        while (!past(&rig, always)) always++;
        assert_int_not_equal(always, first);
        first = always;
        for (uint32_t set = 0; set < SETS && never == SETS; set++) {
            if (past(&rig, set)) continue;
            miss(&rig, set, 1);
            if (sets_past(&rig) > 3) never = set;
        }
        assert_true(never < SETS);
        assert_int_equal(sets_past(&rig), SETS - 3); // all but those that never are
        rig_free(&rig);
    }
    Rig rig;
    rig_init(&rig, "flexclusion:sets=1000", HOOK_L2, 0); // more than there are: every set leads
    assert_int_equal(sets_past(&rig), SETS / 2);
    rig_free(&rig);
}

// The selector is 1024 at first: the others are inclusive. A miss in a set that never is exclusive
// makes it 1023: they are. It holds from 0 to 2047.
static void test_selector(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "flexclusion", HOOK_L2, 0);
    uint32_t always, never;
    find_leaders(&rig, &always, &never);
    assert_int_equal(sets_past(&rig), SETS - 3);
    miss(&rig, always, 1);
    assert_int_equal(sets_past(&rig), 3);
    miss(&rig, always, 1022);
    miss(&rig, never, 1022);
    assert_int_equal(sets_past(&rig), 3); // 1024
    miss(&rig, never, 1);
    assert_int_equal(sets_past(&rig), SETS - 3);
    miss(&rig, always, 5000);
    miss(&rig, never, 1023); // from 2047
    assert_int_equal(sets_past(&rig), 3);
    miss(&rig, never, 1);
    assert_int_equal(sets_past(&rig), SETS - 3);
    miss(&rig, never, 5000);
    miss(&rig, always, 1023); // from 0
    assert_int_equal(sets_past(&rig), SETS - 3);
    miss(&rig, always, 1);
    assert_int_equal(sets_past(&rig), 3);
    rig_free(&rig);
}

// What counts: misses of loads and atomics. Hits, merged accesses and stores do not.
static void test_what_counts(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "flexclusion", HOOK_L2, 0);
    uint32_t always, never;
    find_leaders(&rig, &always, &never);
    miss(&rig, always, 1);
    uint64_t before = cache_hooks_counter(rig.hooks, &rig.plan.items[0], INCLUSIVE_MISSES);
    at(&rig, HD_LOAD, never);
    cache_hooks_served(rig.hooks, HD_HIT, 0);
    cache_hooks_served(rig.hooks, HD_PENDING_HIT, 0);
    at(&rig, HD_STORE, never);
    cache_hooks_served(rig.hooks, HD_MISS, HD_NO_INDEX);
    assert_int_equal(sets_past(&rig), 3);
    at(&rig, HD_ATOMIC, never);
    cache_hooks_served(rig.hooks, HD_MISS, HD_NO_INDEX);
    assert_int_equal(sets_past(&rig), SETS - 3);
    assert_int_equal(cache_hooks_counter(rig.hooks, &rig.plan.items[0], INCLUSIVE_MISSES),
                     before + 1);
    rig_free(&rig);
}

// An exclusive set lets lines go on hits, marks its replies, and takes back what comes.
static void test_exclusive_set(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "flexclusion", HOOK_L2, 0);
    uint32_t always = 0;
    while (!past(&rig, always)) always++;
    uint32_t other = always ? always - 1 : 1;
    at(&rig, HD_LOAD, always);
    assert_int_equal(cache_hooks_notes(rig.hooks), 1);
    assert_true(cache_hooks_leaves_hit(rig.hooks));
    at(&rig, HD_COPY_BACK, always);
    assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_INSERT);
    at(&rig, HD_LOAD, other);
    assert_int_equal(cache_hooks_notes(rig.hooks), 0);
    assert_false(cache_hooks_leaves_hit(rig.hooks));
    at(&rig, HD_LOAD, always);
    rig.hooks->access.cached_in_l1 = false;
    assert_int_equal(cache_hooks_fill(rig.hooks, NULL), HD_INSERT);
    rig_free(&rig);
}

// The mark stays with the L1D's line and sends it back.
static void test_l1(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "flexclusion", HOOK_L1, 0);
    for (uint32_t slot = 0; slot < 2; slot++) {
        rig.hooks->filled = (HdAccess){.line_index = slot};
        rig.hooks->notes = slot;
        cache_hooks_filled(rig.hooks);
    }
    rig.hooks->filled = (HdAccess){.line_index = HD_NO_INDEX}; // past the L1D
    cache_hooks_filled(rig.hooks);
    assert_false(cache_hooks_sends_back(rig.hooks, &(HdEviction){.line_index = 0}));
    assert_true(cache_hooks_sends_back(rig.hooks, &(HdEviction){.line_index = 1}));
    assert_int_equal(cache_hooks_counter(rig.hooks, &rig.plan.items[0], RETURNED), 1);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets), cmocka_unit_test(test_selector),
        cmocka_unit_test(test_what_counts), cmocka_unit_test(test_exclusive_set),
        cmocka_unit_test(test_l1)};
    return cmocka_run_group_tests_name("flexclusion", tests, NULL, NULL);
}
