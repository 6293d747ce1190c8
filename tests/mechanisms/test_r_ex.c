// R-EX (lakshminarayana2014, section 4.4.3, Listings 3 and 4): decisions and table contents,
// computed by hand. Periods of 1,000 cycles.
#include "mechanism_rig.h"

enum { NEW, SHARED, PRIVATE, BOTH }; // the tag of a reply

// Lines of a region are filled into slot 1 of the L1D, `times` times, in this cycle.
static void fill(Rig *rig, uint16_t array, uint32_t reply, unsigned times, uint64_t cycle)
{
    for (unsigned i = 0; i < times; i++)
        rig_fill(rig, (HdAccess){
                          .allocation = array, .line_index = 1, .cycle = cycle, .sideband = reply});
}

// Whether a miss in this cycle tags its request as exclusive.
static bool exclusive(Rig *rig, uint16_t array, uint64_t cycle)
{
    return rig_tag(rig, (HdAccess){.allocation = array, .cycle = cycle});
}

static const char *const fast = "r-ex:period=1000";

// No region is exclusive before the first update. After it, a region with private reuse only is
// exclusive, and its lines are sent back.
static void test_training(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, fast);
    fill(&rig, 1, PRIVATE, 2, 10);
    fill(&rig, 2, SHARED, 2, 10);
    fill(&rig, 3, BOTH, 2, 10);
    fill(&rig, 4, NEW, 2, 10);
    assert_false(exclusive(&rig, 1, 999));
    assert_false(rig_sends_back(&rig, 1));
    assert_true(exclusive(&rig, 1, 1000));
    for (uint16_t array = 2; array <= 5; array++) assert_false(exclusive(&rig, array, 1000));
    assert_false(exclusive(&rig, HD_NO_ALLOCATION, 1000));
    fill(&rig, 1, NEW, 1, 1100);
    assert_true(rig_sends_back(&rig, 1));
    fill(&rig, 2, NEW, 1, 1100); // another line in that slot
    assert_false(rig_sends_back(&rig, 1));
    fill(&rig, 1, NEW, 1, 1100);
    fill(&rig, HD_NO_ALLOCATION, NEW, 1, 1100);
    assert_int_equal(rig_counter(&rig, "tracked_fills"), 11);
    assert_int_equal(rig_counter(&rig, "shared_replies"), 4);
    assert_int_equal(rig_counter(&rig, "private_replies"), 4);
    assert_int_equal(rig_counter(&rig, "trained"), 4);
    assert_int_equal(rig_counter(&rig, "periods"), 1);
    assert_int_equal(rig_counter(&rig, "bypassed_l2"), 1);
    assert_int_equal(rig_counter(&rig, "copied_back"), 1);
    rig_free(&rig);
}

// More than 1/64 of the accesses, in integers, after the halving. Of 255 accesses (halved 127, over
// 64: 1), 3 (halved 1) are not enough, 4 (2) are. Of 127 (63, 0), 1 (0) is not enough, 2 (1) are.
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
        rig_init(&rig, HOOK_L1, fast);
        fill(&rig, 1, PRIVATE, cases[c].private, 0);
        fill(&rig, 1, NEW, cases[c].all - cases[c].private, 0);
        assert_int_equal(exclusive(&rig, 1, 1000), cases[c].exclusive);
        rig_free(&rig);
    }
}

// 4 of 1,000 accesses (500, over 64: 7) are not enough. A counter of 8 bits saturates at 255 (127,
// 1), so that they are, unless a full counter halves its entry: five times until the end.
static void test_full_counters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool exclusive;
    } cases[] = {{"r-ex:period=1000", false},
                 {"r-ex:period=1000,counter_bits=8", true},
                 {"r-ex:period=1000,counter_bits=8,overflow=halve", false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, cases[c].text);
        fill(&rig, 1, PRIVATE, 4, 0);
        fill(&rig, 1, NEW, 996, 0);
        assert_int_equal(exclusive(&rig, 1, 1000), cases[c].exclusive);
        rig_free(&rig);
    }
}

// Of a stream in which each 32nd access is to a line with private reuse, every counter sees reuse:
// halved at 256 accesses and then after each 128, the last 128 have 4 hits (64 and 2).
static void test_full_counters_keep_ratio(void **state)
{
    (void)state;
    static const char *const texts[] = {"r-ex:period=1000", "r-ex:period=1000,counter_bits=8",
                                        "r-ex:period=1000,counter_bits=8,overflow=halve"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, texts[t]);
        for (unsigned i = 0; i < 32; i++) {
            fill(&rig, 1, NEW, 31, 0);
            fill(&rig, 1, PRIVATE, 1, 0);
        }
        assert_true(exclusive(&rig, 1, 1000));
        rig_free(&rig);
    }
}

// Each period halves the counters, even without accesses: 200 and 8 become 100 and 4, 50 and 2, 25
// and 1, and after the fourth 12 and 0: the region shows no reuse any more.
static void test_ageing(void **state)
{
    (void)state;
    static const char *const rules[] = {"r-ex:period=1000", "r-ex:period=1000,flags=sticky"};
    for (unsigned sticky = 0; sticky < 2; sticky++)
        for (unsigned at_once = 0; at_once < 2; at_once++) {
            Rig rig;
            rig_init(&rig, HOOK_L1, rules[sticky]);
            fill(&rig, 1, PRIVATE, 8, 500);
            fill(&rig, 1, NEW, 192, 500);
            for (unsigned period = 1; period <= 4; period++) {
                if (at_once && period < 3) continue;
                assert_int_equal(exclusive(&rig, 1, 1000 * period), period < 4 || sticky);
            }
            // A region without accesses does not change.
            assert_int_equal(exclusive(&rig, 1, 1000000), sticky);
            assert_int_equal(rig_counter(&rig, "periods"), 1000);
            rig_free(&rig);
        }
}

// Shared reuse: the region is not exclusive any more.
static void test_sharing_appears(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, fast);
    fill(&rig, 1, PRIVATE, 10, 0);
    assert_true(exclusive(&rig, 1, 1000));
    fill(&rig, 1, SHARED, 2, 1500); // 7 and 5 and 2: 3, 2, 1
    assert_false(exclusive(&rig, 1, 2000));
    rig_free(&rig);
}

// Two entries, so the third region is not tracked. At the end of a period in which the untracked
// ones had more accesses than the tracked region with the fewest, that region loses its entry to
// the next untracked one.
static void test_full_table(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "r-ex:period=1000,regions=2");
    fill(&rig, 1, PRIVATE, 6, 0);
    fill(&rig, 2, PRIVATE, 4, 0);
    fill(&rig, 3, PRIVATE, 4, 0);
    assert_false(rig_sends_back(&rig, 1));
    assert_int_equal(rig_counter(&rig, "untracked_fills"), 4);
    assert_false(exclusive(&rig, 3, 1000)); // 4 are not more than 4; halved
    assert_true(exclusive(&rig, 2, 1000));
    assert_int_equal(rig_counter(&rig, "replaced"), 0);
    fill(&rig, 3, PRIVATE, 1, 1500); // 2 and 1 against 2
    assert_false(exclusive(&rig, 2, 2000));
    assert_true(exclusive(&rig, 1, 2000));
    assert_int_equal(rig_counter(&rig, "replaced"), 1);
    fill(&rig, 4, PRIVATE, 2, 2500); // gets the entry first
    fill(&rig, 2, PRIVATE, 2, 2500);
    assert_true(exclusive(&rig, 4, 3000));
    assert_false(exclusive(&rig, 2, 3000));
    rig_free(&rig);
}

// A kernel begins with empty tables unless launch=keep.
static void test_launches(void **state)
{
    (void)state;
    static const char *const rules[] = {"r-ex:period=1000", "r-ex:period=1000,launch=keep"};
    for (unsigned keep = 0; keep < 2; keep++) {
        Rig rig;
        rig_init(&rig, HOOK_L1, rules[keep]);
        fill(&rig, 1, PRIVATE, 10, 0);
        assert_true(exclusive(&rig, 1, 1000));
        rig_kernel(&rig, true);
        assert_int_equal(exclusive(&rig, 1, 1001), keep);
        rig_free(&rig);
    }
}

// ---- the L2 ----

enum { SLOT = 5 };

// An access of an SM whose L1D keeps the data, to the line of SLOT.
static HdAccess by_sm(HdKind kind, uint16_t sm)
{
    return (HdAccess){.kind = (uint8_t)kind, .sm = sm, .line_index = SLOT, .inserted_in_l1 = true};
}

// An SM hits the line. Returns the tag of the reply; *removed: the line is removed.
static uint32_t hit(Rig *rig, HdKind kind, uint16_t sm, bool *removed)
{
    HdAccess access = by_sm(kind, sm);
    rig_serve(rig, access, HD_HIT);
    uint32_t tag = rig_tag(rig, access);
    *removed = kind == HD_LOAD && cache_hooks_decide_after_hit(rig->hooks);
    return tag;
}

// Used again by its own SM: private. Used by another SM: shared; the line keeps its SM.
static void test_lines(void **state)
{
    (void)state;
    Rig rig;
    bool removed;
    rig_init(&rig, HOOK_L2, fast);
    rig_fill(&rig, by_sm(HD_LOAD, 3));
    assert_int_equal(rig_tag(&rig, by_sm(HD_LOAD, 3)), NEW);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &removed), SHARED);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &removed), SHARED);
    assert_int_equal(hit(&rig, HD_ATOMIC, 3, &removed), BOTH);
    assert_int_equal(hit(&rig, HD_LOAD, 3, &removed), BOTH);
    assert_false(removed);
    rig_fill(&rig, by_sm(HD_LOAD, 4));
    assert_int_equal(hit(&rig, HD_STORE, 9, &removed), NEW);
    assert_int_equal(hit(&rig, HD_LOAD, 4, &removed), PRIVATE);
    rig_free(&rig);
}

// A line that was copied back is removed on a hit of the SM that sent it. On hits of other SMs it
// stays, and is shared.
static void test_copied_back(void **state)
{
    (void)state;
    Rig rig;
    bool removed;
    rig_init(&rig, HOOK_L2, fast);
    rig_fill(&rig, by_sm(HD_COPY_BACK, 3));
    assert_int_equal(hit(&rig, HD_LOAD, 4, &removed), SHARED);
    assert_false(removed);
    assert_int_equal(hit(&rig, HD_LOAD, 3, &removed), BOTH);
    assert_true(removed);
    rig_fill(&rig, by_sm(HD_COPY_BACK, 4));
    assert_int_equal(hit(&rig, HD_LOAD, 4, &removed), PRIVATE);
    assert_true(removed);
    assert_int_equal(rig_counter(&rig, "removed_on_hit"), 2);
    rig_free(&rig);
}

static HdInsertion decide(Rig *rig, HdKind kind, uint32_t tag, bool kept_in_l1)
{
    HdAccess access = {.kind = (uint8_t)kind, .inserted_in_l1 = kept_in_l1, .sideband = tag};
    return rig_decide_insert(rig, access, HD_NO_LINE);
}

// Data whose request is tagged, and that an L1D keeps, bypass. Other data and copy-backs do not.
static void test_fill(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, fast);
    assert_int_equal(decide(&rig, HD_LOAD, 1, true), HD_BYPASS);
    assert_int_equal(decide(&rig, HD_LOAD, 0, true), HD_INSERT);
    assert_int_equal(decide(&rig, HD_LOAD, 1, false), HD_INSERT);
    assert_int_equal(decide(&rig, HD_COPY_BACK, 0, false), HD_INSERT);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_training),      cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_full_counters), cmocka_unit_test(test_full_counters_keep_ratio),
        cmocka_unit_test(test_ageing),        cmocka_unit_test(test_sharing_appears),
        cmocka_unit_test(test_full_table),    cmocka_unit_test(test_launches),
        cmocka_unit_test(test_lines),         cmocka_unit_test(test_copied_back),
        cmocka_unit_test(test_fill)};
    return cmocka_run_group_tests_name("region-based exclusion", tests, NULL, NULL);
}
