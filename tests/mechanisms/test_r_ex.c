// R-EX (lakshminarayana2014, section 4.4.3, Listings 3 and 4): what each table holds, by hand.
// Periods of 1,000 cycles.
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

enum { TRACKED, UNTRACKED, SHARED_REPLIES, PRIVATE_REPLIES, PERIODS, TRAINED, REPLACED, EXCLUSIVE,
       RETURNED, TAKEN };
enum { NEW, SHARED, PRIVATE, BOTH }; // what a reply says of its line

static void rig_init(Rig *rig, const char *text, HookLevel level)
{
    HdError err = {0};
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

// Lines of a region come to slot 1 of the L1D, `times`, in this cycle.
static void fill(Rig *rig, uint16_t array, uint32_t reply, unsigned times, uint64_t cycle)
{
    for (unsigned i = 0; i < times; i++) {
        rig->hooks->filled = (HdAccess){.allocation = array, .line_index = 1, .cycle = cycle};
        rig->hooks->notes = reply;
        cache_hooks_filled(rig->hooks);
    }
}

// Whether a miss in this cycle asks for its region to be exclusive.
static bool exclusive(Rig *rig, uint16_t array, uint64_t cycle)
{
    rig->hooks->access = (HdAccess){.allocation = array, .cycle = cycle, .kind = HD_LOAD};
    return cache_hooks_notes(rig->hooks);
}

static bool goes_back(Rig *rig)
{
    return cache_hooks_sends_back(rig->hooks, &(HdEviction){.line_index = 1});
}

static const char *const fast = "r-ex:period=1000";

// Nothing is known before the first update; then what was used again by its own SM alone is
// exclusive, and its lines go back.
static void test_training(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, fast, HOOK_L1);
    fill(&rig, 1, PRIVATE, 2, 10);
    fill(&rig, 2, SHARED, 2, 10);
    fill(&rig, 3, BOTH, 2, 10);
    fill(&rig, 4, NEW, 2, 10);
    assert_false(exclusive(&rig, 1, 999));
    assert_false(goes_back(&rig));
    assert_true(exclusive(&rig, 1, 1000));
    for (uint16_t array = 2; array <= 5; array++) assert_false(exclusive(&rig, array, 1000));
    assert_false(exclusive(&rig, HD_NO_ALLOCATION, 1000));
    fill(&rig, 1, NEW, 1, 1100);
    assert_true(goes_back(&rig));
    fill(&rig, 2, NEW, 1, 1100); // another line in that slot
    assert_false(goes_back(&rig));
    fill(&rig, 1, NEW, 1, 1100);
    fill(&rig, HD_NO_ALLOCATION, NEW, 1, 1100);
    assert_int_equal(counter(&rig, TRACKED), 11);
    assert_int_equal(counter(&rig, SHARED_REPLIES), 4);
    assert_int_equal(counter(&rig, PRIVATE_REPLIES), 4);
    assert_int_equal(counter(&rig, TRAINED), 4);
    assert_int_equal(counter(&rig, PERIODS), 1);
    assert_int_equal(counter(&rig, EXCLUSIVE), 1);
    assert_int_equal(counter(&rig, RETURNED), 1);
    rig_free(&rig);
}

// More than 1/64 of the accesses, in whole numbers, behind the halving: of 255 (127, / 64 = 1) 3
// (1) are not enough, 4 (2) are. Of 127 (63, 0) 1 (0) is not, 2 (1) are.
static void test_threshold(void **state)
{
    (void)state;
    static const struct {
        unsigned all, private;
        bool exclusive;
    } cases[] = {{255, 3, false}, {255, 4, true}, {127, 1, false}, {127, 2, true}, {128, 3, false},
                 {128, 4, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Rig rig;
        rig_init(&rig, fast, HOOK_L1);
        fill(&rig, 1, PRIVATE, cases[c].private, 0);
        fill(&rig, 1, NEW, cases[c].all - cases[c].private, 0);
        assert_int_equal(exclusive(&rig, 1, 1000), cases[c].exclusive);
        rig_free(&rig);
    }
}

// Counters of 8 bits stay at 255: 1,000 accesses count as 255 (127), so that 4 of them are enough.
static void test_full_counters(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, fast, HOOK_L1);
    fill(&rig, 1, NEW, 996, 0);
    fill(&rig, 1, PRIVATE, 4, 0);
    assert_true(exclusive(&rig, 1, 1000));
    rig_free(&rig);
}

// Each period that passes halves once more, whether or not anything happens in it: 200 and 8 are
// 100 and 4, 50 and 2, 25 and 1, and behind the fourth 12 and 0: known no more.
static void test_ageing(void **state)
{
    (void)state;
    static const char *const rules[] = {"r-ex:period=1000", "r-ex:period=1000,flags=sticky"};
    for (unsigned sticky = 0; sticky < 2; sticky++)
        for (unsigned at_once = 0; at_once < 2; at_once++) {
            Rig rig;
            rig_init(&rig, rules[sticky], HOOK_L1);
            fill(&rig, 1, PRIVATE, 8, 500);
            fill(&rig, 1, NEW, 192, 500);
            for (unsigned period = 1; period <= 4; period++) {
                if (at_once && period < 3) continue;
                assert_int_equal(exclusive(&rig, 1, 1000 * period), period < 4 || sticky);
            }
            // A region that is not accessed stays as it is, however long.
            assert_int_equal(exclusive(&rig, 1, 1000000), sticky);
            assert_int_equal(counter(&rig, PERIODS), 1000);
            rig_free(&rig);
        }
}

// Others' use of a line that was found private makes the region one like any other again.
static void test_sharing_appears(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, fast, HOOK_L1);
    fill(&rig, 1, PRIVATE, 10, 0);
    assert_true(exclusive(&rig, 1, 1000));
    fill(&rig, 1, SHARED, 2, 1500); // 7 and 5 and 2: 3, 2, 1
    assert_false(exclusive(&rig, 1, 2000));
    rig_free(&rig);
}

// Two entries. The third region is not tracked; at the end of a period in which it had more
// accesses than the one with the fewest, that gives way to the next that comes.
static void test_full_table(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, "r-ex:period=1000,regions=2", HOOK_L1);
    fill(&rig, 1, PRIVATE, 6, 0);
    fill(&rig, 2, PRIVATE, 4, 0);
    fill(&rig, 3, PRIVATE, 4, 0);
    assert_false(goes_back(&rig));
    assert_int_equal(counter(&rig, UNTRACKED), 4);
    assert_false(exclusive(&rig, 3, 1000)); // 4 are no more than 4; halved
    assert_true(exclusive(&rig, 2, 1000));
    assert_int_equal(counter(&rig, REPLACED), 0);
    fill(&rig, 3, PRIVATE, 1, 1500); // 2 and 1 against 2
    assert_false(exclusive(&rig, 2, 2000));
    assert_true(exclusive(&rig, 1, 2000));
    assert_int_equal(counter(&rig, REPLACED), 1);
    fill(&rig, 4, PRIVATE, 2, 2500); // is the first
    fill(&rig, 2, PRIVATE, 2, 2500);
    assert_true(exclusive(&rig, 4, 3000));
    assert_false(exclusive(&rig, 2, 3000));
    rig_free(&rig);
}

// A kernel begins with empty tables, unless told otherwise.
static void test_launches(void **state)
{
    (void)state;
    static const char *const rules[] = {"r-ex:period=1000", "r-ex:period=1000,launch=keep"};
    for (unsigned keep = 0; keep < 2; keep++) {
        Rig rig;
        rig_init(&rig, rules[keep], HOOK_L1);
        fill(&rig, 1, PRIVATE, 10, 0);
        assert_true(exclusive(&rig, 1, 1000));
        cache_hooks_kernel(rig.hooks, &(HdKernel){.name = "k"}, true);
        assert_int_equal(exclusive(&rig, 1, 1001), keep);
        rig_free(&rig);
    }
}

// ---- the L2 ----

enum { SLOT = 5 };

static void line_comes(Rig *rig, HdKind kind, uint16_t sm)
{
    rig->hooks->filled = (HdAccess){.kind = (uint8_t)kind, .sm = sm, .line_index = SLOT};
    cache_hooks_filled(rig->hooks);
}

// An SM finds the line. Returns what the reply says; *leaves: the line goes.
static uint32_t hit(Rig *rig, HdKind kind, uint16_t sm, bool *leaves)
{
    rig->hooks->access = (HdAccess){.kind = (uint8_t)kind, .sm = sm, .cached_in_l1 = true};
    rig->hooks->notes = 0;
    cache_hooks_served(rig->hooks, HD_HIT, SLOT);
    uint32_t notes = cache_hooks_notes(rig->hooks);
    *leaves = kind == HD_LOAD && cache_hooks_leaves_hit(rig->hooks);
    return notes;
}

// Used again by its own SM: private; by another: shared, which does not make it the other's.
static void test_lines(void **state)
{
    (void)state;
    Rig rig;
    bool leaves;
    rig_init(&rig, fast, HOOK_L2);
    line_comes(&rig, HD_LOAD, 3);
    rig.hooks->access = (HdAccess){.sm = 3, .line_index = SLOT};
    assert_int_equal(cache_hooks_notes(rig.hooks), NEW);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &leaves), SHARED);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &leaves), SHARED);
    assert_int_equal(hit(&rig, HD_ATOMIC, 3, &leaves), BOTH);
    assert_int_equal(hit(&rig, HD_LOAD, 3, &leaves), BOTH);
    assert_false(leaves);
    line_comes(&rig, HD_LOAD, 4);
    assert_int_equal(hit(&rig, HD_STORE, 9, &leaves), NEW);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &leaves), PRIVATE);
    rig_free(&rig);
}

// A line that came back leaves with the SM that gave it; for others it stays, and is shared.
static void test_copied_back(void **state)
{
    (void)state;
    Rig rig;
    bool leaves;
    rig_init(&rig, fast, HOOK_L2);
    line_comes(&rig, HD_COPY_BACK, 3);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &leaves), SHARED);
    assert_false(leaves);
    assert_int_equal(hit(&rig, HD_LOAD, 3, &leaves), BOTH);
    assert_true(leaves);
    line_comes(&rig, HD_COPY_BACK, 4);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &leaves), PRIVATE);
    assert_true(leaves);
    assert_int_equal(counter(&rig, TAKEN), 2);
    rig_free(&rig);
}

static HdInsertion ask(Rig *rig, HdKind kind, uint32_t note, bool keeps)
{
    rig->hooks->access = (HdAccess){.kind = (uint8_t)kind, .cached_in_l1 = keeps};
    rig->hooks->notes = note;
    return cache_hooks_fill(rig->hooks, NULL);
}

// What the SM has asked for, and an L1D keeps, goes past; all else, and what comes back, does not.
static void test_fill(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, fast, HOOK_L2);
    assert_int_equal(ask(&rig, HD_LOAD, 1, true), HD_BYPASS);
    assert_int_equal(ask(&rig, HD_LOAD, 0, true), HD_INSERT);
    assert_int_equal(ask(&rig, HD_LOAD, 1, false), HD_INSERT);
    assert_int_equal(ask(&rig, HD_COPY_BACK, 0, false), HD_INSERT);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_training),   cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_full_counters), cmocka_unit_test(test_ageing),
        cmocka_unit_test(test_sharing_appears), cmocka_unit_test(test_full_table),
        cmocka_unit_test(test_launches),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_copied_back), cmocka_unit_test(test_fill)};
    return cmocka_run_group_tests_name("region-based exclusion", tests, NULL, NULL);
}
