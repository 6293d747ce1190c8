// Loads classified by the last access to their line (khairy2015, section 3.1), with classes
// computed by hand.
#include "mechanism_rig.h"

#include <string.h>

// The warp and lanes of an access.
typedef struct Who {
    unsigned sm, block, warp;
    uint32_t lanes;
} Who;

static void access_line(Rig *rig, HdKind kind, uint64_t line, HdOutcome outcome, Who who)
{
    HdAccess access = {.line = line * RIG_LINE, .kind = (uint8_t)kind, .cache = HD_L1D,
                       .sm = (uint16_t)who.sm, .block = who.block, .warp = (uint16_t)who.warp,
                       .lanes = who.lanes};
    rig_serve(rig, access, outcome);
}
static void load(Rig *rig, uint64_t line, HdOutcome outcome, Who who)
{
    access_line(rig, HD_LOAD, line, outcome, who);
}

// These counters are 1 each, in the order of the list, and all others 0.
static void check_ones(const Rig *rig, const char *const *names)
{
    const HdCounter *c = rig->plan.items[0].mechanism->counters;
    for (size_t i = 0; c[i].name; i++) {
        bool one = false;
        for (size_t n = 0; names[n]; n++) one |= strcmp(names[n], c[i].name) == 0;
        uint64_t value = rig_counter(rig, c[i].name);
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
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            Rig rig;
            rig_init(&rig, level, "locality");
            rig_kernel(&rig, true);
            load(&rig, 5, HD_MISS, FIRST);
            load(&rig, 5, HD_HIT, cases[i].again);
            check_ones(&rig, (const char *const[]){"misses_cold", cases[i].name, NULL});
            rig_free(&rig);
        }
}

// The last access counts, not the first. A pending hit is classified as a hit is.
static void test_last(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L1, "locality");
    rig_kernel(&rig, true);
    load(&rig, 5, HD_MISS, FIRST);
    load(&rig, 5, HD_PENDING_HIT, (Who){0, 0, 3, 1}); // another warp of the block
    load(&rig, 5, HD_HIT, (Who){0, 0, 3, 1});    // the same thread
    load(&rig, 5, HD_HIT, FIRST);                // the other warp accessed it last
    load(&rig, 6, HD_MISS, FIRST);               // another line
    assert_int_equal(rig_counter(&rig, "pending_intra_block"), 1);
    assert_int_equal(rig_counter(&rig, "hits_intra_thread"), 1);
    assert_int_equal(rig_counter(&rig, "hits_intra_block"), 1);
    assert_int_equal(rig_counter(&rig, "misses_cold"), 2);
    rig_free(&rig);
}

// The first hit in a line since an earlier kernel is inter-kernel, by any warp. Stores and
// atomics count as accesses, but are not classified.
static void test_kernels_and_stores(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "locality");
    rig_kernel(&rig, true);
    access_line(&rig, HD_STORE, 5, HD_MISS, FIRST);
    access_line(&rig, HD_ATOMIC, 6, HD_HIT, FIRST);
    rig_kernel(&rig, false);
    rig_kernel(&rig, true);
    load(&rig, 5, HD_HIT, FIRST);
    load(&rig, 5, HD_HIT, FIRST);
    load(&rig, 6, HD_PENDING_HIT, (Who){1, 9, 9, 1});
    check_ones(&rig, (const char *const[]){"hits_inter_kernel", "hits_intra_thread",
                                           "pending_inter_kernel", NULL});
    rig_free(&rig);
}

// A miss is cold, or of a line that an earlier kernel, or this one, had accessed. A line that the
// host or a prefetch brought is untouched. Fetches of instructions and constants are no data.
static void test_misses_and_others(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "locality");
    rig_kernel(&rig, true);
    load(&rig, 5, HD_MISS, FIRST);
    load(&rig, 5, HD_MISS, FIRST);
    rig_kernel(&rig, false);
    rig_kernel(&rig, true);
    load(&rig, 5, HD_MISS, FIRST);
    load(&rig, 7, HD_HIT, FIRST);
    uint64_t line = 9 * RIG_LINE;
    rig_serve(&rig, (HdAccess){.line = line, .cache = HD_L1I}, HD_MISS);
    rig_serve(&rig, (HdAccess){.line = line, .cache = HD_L1C, .lanes = 1}, HD_HIT);
    rig_serve(&rig, (HdAccess){.line = line, .kind = HD_STORE}, HD_HIT); // a write-back
    load(&rig, 9, HD_HIT, FIRST);
    assert_int_equal(rig_counter(&rig, "misses_cold"), 1);
    assert_int_equal(rig_counter(&rig, "misses_repeated"), 1);
    assert_int_equal(rig_counter(&rig, "misses_inter_kernel"), 1);
    assert_int_equal(rig_counter(&rig, "hits_untouched"), 2);
    assert_int_equal(rig_counter(&rig, "other_misses"), 1);
    assert_int_equal(rig_counter(&rig, "other_hits"), 1);
    rig_free(&rig);
}

// More lines than the table is first allocated for. Sectors of a line are remembered apart.
static void test_many(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    Rig rig;
    rig_init(&rig, HOOK_L1, "locality");
    rig_kernel(&rig, true);
    for (uint64_t n = 0; n < LINES; n++) load(&rig, n, HD_MISS, (Who){0, (unsigned)n, 0, 1});
    for (uint64_t n = 0; n < LINES; n++) load(&rig, n, HD_HIT, (Who){0, (unsigned)n, 0, 1});
    assert_int_equal(rig_counter(&rig, "hits_intra_thread"), LINES);
    rig_serve(&rig, (HdAccess){.line = 0, .lanes = 1, .sector = 1}, HD_MISS);
    assert_int_equal(rig_counter(&rig, "misses_cold"), LINES + 1);
    assert_true(cache_hooks_complete(rig.hooks));
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
