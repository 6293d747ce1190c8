// Bypass and copy-back (lakshminarayana2014, section 4.5.4, Listings 5 and 6, Table 12): decisions
// and table contents, computed by hand. Periods of 1,000 cycles. Regions alone: test_r_ex.c.
#include "mechanism_rig.h"

#include <stdio.h>

enum { NEW, SHARED, PRIVATE, BOTH }; // the tag of a reply

static void init_l1(Rig *rig, const char *options)
{
    char text[128];
    snprintf(text, sizeof text, "bypass-copyback:period=1000,%s", options);
    rig_init(rig, HOOK_L1, text);
}

static HdAccess load(uint32_t pc, uint16_t array, uint64_t cycle)
{
    return (HdAccess){.pc = pc, .allocation = array, .cycle = cycle};
}

// Loads of an instruction that miss. Returns whether the last one bypassed the L1D.
static bool misses(Rig *rig, uint32_t pc, uint16_t array, unsigned times, uint64_t cycle)
{
    HdInsertion decision = HD_PASS;
    for (unsigned i = 0; i < times; i++)
        decision = rig_miss(rig, load(pc, array, cycle), HD_NO_LINE);
    return decision == HD_BYPASS;
}

static void hits(Rig *rig, uint32_t pc, uint32_t slot, unsigned times, uint64_t cycle)
{
    HdAccess access = load(pc, HD_NO_ALLOCATION, cycle);
    access.line_index = slot;
    for (unsigned i = 0; i < times; i++) rig_serve(rig, access, HD_HIT);
}

// Data of an instruction's load are filled into a slot, or (HD_NO_INDEX) bypass the L1D.
static void fill(Rig *rig, uint32_t pc, uint16_t array, uint32_t reply, uint32_t slot,
                  uint64_t cycle)
{
    HdAccess access = load(pc, array, cycle);
    access.line_index = slot;
    access.sideband = reply;
    rig_fill(rig, access);
}

static bool bypasses_l1(Rig *rig, uint32_t pc, uint16_t array, uint64_t cycle)
{
    return rig_decide_insert(rig, load(pc, array, cycle), HD_NO_LINE) == HD_BYPASS;
}

// Whether a miss tags its request, so that its data bypass the L2.
static bool bypasses_l2(Rig *rig, uint32_t pc, uint16_t array, uint64_t cycle)
{
    return rig_tag(rig, load(pc, array, cycle));
}

// Hits count for the instruction that fetched the line: instruction 8 hits lines that 7 has
// fetched. So data of 7 are inserted. Data of 8 bypass once 8 is trained.
static void test_who_provides(void **state)
{
    (void)state;
    Rig rig;
    init_l1(&rig, "sample_interval=0");
    assert_false(misses(&rig, 7, HD_NO_ALLOCATION, 4, 10));
    fill(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 20);
    hits(&rig, 8, 3, 2, 30);
    assert_false(bypasses_l1(&rig, 8, HD_NO_ALLOCATION, 999));
    assert_true(bypasses_l1(&rig, 8, HD_NO_ALLOCATION, 1000));
    assert_false(bypasses_l1(&rig, 7, HD_NO_ALLOCATION, 1000));
    assert_false(bypasses_l1(&rig, 9, HD_NO_ALLOCATION, 1000)); // not trained
    assert_int_equal(rig_counter(&rig, "provided_hits"), 2);
    assert_int_equal(rig_counter(&rig, "trained_pcs"), 2);
    assert_true(misses(&rig, 8, HD_NO_ALLOCATION, 3, 1000));
    assert_int_equal(rig_counter(&rig, "bypassed_l1"), 3);
    // A new line in the slot without an instruction: its hits count for none.
    cache_hooks_clear_line(rig.hooks, 3);
    hits(&rig, 8, 3, 2, 1030);
    assert_int_equal(rig_counter(&rig, "provided_hits"), 2);
    rig_free(&rig);
}

// Listing 6: more than 1/64, in integers after the halving. Of 1,000 accesses (500, over 64: 7) 16
// hits (8) are enough. A counter of 8 bits saturates at 255, so that 4 hits (2) are.
static void test_pc_threshold(void **state)
{
    (void)state;
    static const struct {
        unsigned bits, all, hits;
        bool reuse;
    } cases[] = {{16, 255, 3, false}, {16, 255, 4, true},    {16, 127, 1, false},
                 {16, 127, 2, true},  {16, 1000, 15, false}, {16, 1000, 16, true},
                 {8, 1000, 3, false}, {8, 1000, 4, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Rig rig;
        init_l1(&rig, cases[c].bits == 8 ? "sample_interval=0,counter_bits=8"
                                         : "sample_interval=0");
        misses(&rig, 7, HD_NO_ALLOCATION, 1, 0);
        fill(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 0);
        hits(&rig, 7, 3, cases[c].hits, 0);
        misses(&rig, 7, HD_NO_ALLOCATION, cases[c].all - cases[c].hits - 1, 0);
        assert_int_equal(bypasses_l1(&rig, 7, HD_NO_ALLOCATION, 1000), !cases[c].reuse);
        rig_free(&rig);
    }
}

// Counters of 4 bits that halve their entry when they are full keep the ratio. 4 hits, then 12
// misses: the 16th access makes 15 and 4 accesses and hits 8 and 2, and the update 4 and 1. 8 more
// misses make 8 and 1, and the update 4 and 0. Saturated, 15 and 4 become 7 and 2 in both cases.
static void test_pc_overflow(void **state)
{
    (void)state;
    for (unsigned halve = 0; halve < 2; halve++)
        for (unsigned more = 0; more < 2; more++) {
            Rig rig;
            init_l1(&rig, halve ? "sample_interval=0,counter_bits=4,overflow=halve"
                                : "sample_interval=0,counter_bits=4");
            misses(&rig, 7, HD_NO_ALLOCATION, 1, 0);
            fill(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 0);
            hits(&rig, 7, 3, 4, 0);
            misses(&rig, 7, HD_NO_ALLOCATION, more ? 19 : 11, 0);
            assert_int_equal(bypasses_l1(&rig, 7, HD_NO_ALLOCATION, 1000), halve && more);
            rig_free(&rig);
        }
}

// An instruction bypasses after its first period, which leaves 1 access. Of the next 40 misses
// every fourth is inserted; then come 2 hits. If all count, the update makes 43 and 2 accesses and
// hits 21 and 1, which is not more than 21/16. Without the 30 that bypassed, 13 and 2 become 6 and
// 1.
static void test_count_bypassed(void **state)
{
    (void)state;
    for (unsigned counts = 0; counts < 2; counts++) {
        Rig rig;
        init_l1(&rig, counts ? "sample_interval=4,reuse_divisor=16,count_bypassed=yes"
                             : "sample_interval=4,reuse_divisor=16");
        misses(&rig, 7, HD_NO_ALLOCATION, 2, 0);
        assert_true(bypasses_l1(&rig, 7, HD_NO_ALLOCATION, 1000));
        misses(&rig, 7, HD_NO_ALLOCATION, 40, 1000);
        assert_int_equal(rig_counter(&rig, "sampled_l1"), 10);
        fill(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 1000);
        hits(&rig, 7, 3, 2, 1000);
        assert_int_equal(bypasses_l1(&rig, 7, HD_NO_ALLOCATION, 2000), counts);
        rig_free(&rig);
    }
}

// Counters age in idle periods too: 8 accesses and 8 hits show reuse after the third halving (1 and
// 1) and not after the fourth (0 and 0), unless flags are sticky.
static void test_ageing(void **state)
{
    (void)state;
    static const char *const rules[] = {"sample_interval=0", "sample_interval=0,flags=sticky"};
    for (unsigned sticky = 0; sticky < 2; sticky++)
        for (unsigned period = 3; period <= 5; period++) {
            Rig rig;
            init_l1(&rig, rules[sticky]);
            misses(&rig, 7, HD_NO_ALLOCATION, 1, 0);
            fill(&rig, 7, HD_NO_ALLOCATION, NEW, 3, 0);
            hits(&rig, 7, 3, 8, 0);
            assert_int_equal(bypasses_l1(&rig, 7, HD_NO_ALLOCATION, 1000 * period),
                             period > 3 && !sticky);
            assert_int_equal(rig_counter(&rig, "periods"), period);
            rig_free(&rig);
        }
}

// The states of an instruction and of a region in the tables.
enum { NO, YES, UNKNOWN };

static void learn(Rig *rig)
{
    // Instructions 10 (no reuse) and 11 (reuse); 12 is not trained.
    misses(rig, 10, HD_NO_ALLOCATION, 8, 0);
    misses(rig, 11, HD_NO_ALLOCATION, 1, 0);
    fill(rig, 11, HD_NO_ALLOCATION, NEW, 3, 0);
    hits(rig, 11, 3, 7, 0);
    // Allocations 20 to 23 by the tags of their replies; 24 is not trained.
    for (uint32_t reply = NEW; reply <= BOTH; reply++)
        for (unsigned i = 0; i < 8; i++)
            fill(rig, 11, (uint16_t)(20 + reply), reply, HD_NO_INDEX, 0);
}

// Table 12, with its sixth row read as "L1 reuse unknown", and the rows that it leaves out as "-".
static void test_table_12(void **state)
{
    (void)state;
    static const struct {
        unsigned l1, shared, private;
        bool bypasses_l2, bypasses_l1, back;
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
            init_l1(&rig, both ? "sample_interval=0" : "sample_interval=0,bypass=l2");
            learn(&rig);
            uint32_t pc = 10 + rows[r].l1;
            uint16_t array = (uint16_t)(rows[r].shared == UNKNOWN
                                            ? 24
                                            : 20 + rows[r].shared * SHARED +
                                                  rows[r].private * PRIVATE);
            assert_int_equal(bypasses_l1(&rig, pc, array, 1000), rows[r].bypasses_l1 && both);
            assert_int_equal(bypasses_l2(&rig, pc, array, 1000), rows[r].bypasses_l2);
            fill(&rig, pc, array, NEW, 5, 1000);
            assert_int_equal(rig_sends_back(&rig, 5), rows[r].back);
            rig_free(&rig);
        }
}

// One in four of the loads that would bypass is inserted. Decisions of stalled tries do not count.
static void test_samples(void **state)
{
    (void)state;
    Rig rig;
    init_l1(&rig, "sample_interval=4");
    learn(&rig);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 3; i++) assert_true(misses(&rig, 10, 24, 1, 1000));
        for (unsigned i = 0; i < 5; i++) assert_false(bypasses_l1(&rig, 10, 24, 1000));
        assert_false(misses(&rig, 10, 24, 1, 1000));
    }
    assert_int_equal(rig_counter(&rig, "bypassed_l1"), 9);
    assert_int_equal(rig_counter(&rig, "sampled_l1"), 3);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 3; i++) assert_true(bypasses_l2(&rig, 11, 20, 1000));
        assert_false(bypasses_l2(&rig, 11, 20, 1000));
    }
    // Private lines are copied back and counted then: no sample is needed.
    for (unsigned i = 0; i < 9; i++) assert_true(bypasses_l2(&rig, 11, 22, 1000));
    assert_int_equal(rig_counter(&rig, "bypassed_l2"), 18);
    assert_int_equal(rig_counter(&rig, "sampled_l2"), 3);
    rig_free(&rig);
}

// Two entries, and 8 counters for the other instructions, by the xor of their octal digits: 3 and
// 0o12 are in group 3. The group had 5 accesses, instruction 2 had 4, so 2 loses its entry to the
// next instruction of group 3. Others do not get it.
static void test_full_table(void **state)
{
    (void)state;
    Rig rig;
    init_l1(&rig, "sample_interval=0,pcs=2");
    misses(&rig, 1, HD_NO_ALLOCATION, 6, 0);
    misses(&rig, 2, HD_NO_ALLOCATION, 4, 0);
    misses(&rig, 3, HD_NO_ALLOCATION, 3, 0);
    misses(&rig, 012, HD_NO_ALLOCATION, 2, 0);
    misses(&rig, 4, HD_NO_ALLOCATION, 4, 0);
    assert_int_equal(rig_counter(&rig, "untracked_pcs"), 9);
    assert_true(bypasses_l1(&rig, 1, HD_NO_ALLOCATION, 1000));
    assert_false(bypasses_l1(&rig, 2, HD_NO_ALLOCATION, 1000)); // no longer tracked
    assert_int_equal(rig_counter(&rig, "replaced_pcs"), 1);
    misses(&rig, 4, HD_NO_ALLOCATION, 1, 1100);
    misses(&rig, 2, HD_NO_ALLOCATION, 1, 1100);
    assert_int_equal(rig_counter(&rig, "untracked_pcs"), 11);
    misses(&rig, 012, HD_NO_ALLOCATION, 8, 1100);
    misses(&rig, 3, HD_NO_ALLOCATION, 1, 1100);
    assert_int_equal(rig_counter(&rig, "untracked_pcs"), 12);
    assert_true(bypasses_l1(&rig, 012, HD_NO_ALLOCATION, 2000));
    assert_int_equal(rig_counter(&rig, "replaced_pcs"), 1); // 3 are not more than 3
    rig_free(&rig);
}

// A group's counter of 8 bits saturates at 255, which is not more than the 255 of the tracked
// instruction.
static void test_full_group(void **state)
{
    (void)state;
    Rig rig;
    init_l1(&rig, "sample_interval=0,pcs=1,counter_bits=8");
    misses(&rig, 1, HD_NO_ALLOCATION, 300, 0);
    misses(&rig, 2, HD_NO_ALLOCATION, 1000, 0);
    assert_true(bypasses_l1(&rig, 1, HD_NO_ALLOCATION, 1000));
    assert_int_equal(rig_counter(&rig, "replaced_pcs"), 0);
    rig_free(&rig);
}

static void test_launches(void **state)
{
    (void)state;
    static const char *const rules[] = {"sample_interval=0", "sample_interval=0,launch=keep"};
    for (unsigned keep = 0; keep < 2; keep++) {
        Rig rig;
        init_l1(&rig, rules[keep]);
        learn(&rig);
        assert_true(bypasses_l1(&rig, 10, 24, 1000));
        rig_kernel(&rig, true);
        assert_int_equal(bypasses_l1(&rig, 10, 24, 1001), keep);
        assert_int_equal(bypasses_l2(&rig, 10, 20, 1001), keep);
        rig_free(&rig);
    }
}

// At the L2: data of a tagged request bypass it. A line that was copied back is removed on a hit of
// the SM that sent it.
static void test_l2(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig, HOOK_L2, "bypass-copyback:period=1000,sample_interval=0");
    assert_int_equal(rig_decide_insert(&rig, (HdAccess){.sideband = 1}, HD_NO_LINE), HD_BYPASS);
    assert_int_equal(rig_decide_insert(&rig, (HdAccess){.sideband = 0}, HD_NO_LINE), HD_INSERT);
    rig_fill(&rig, (HdAccess){.kind = HD_COPY_BACK, .sm = 3, .line_index = 5});
    for (uint16_t sm = 4; sm >= 3; sm--) {
        HdAccess access = {.sm = sm, .line_index = 5, .inserted_in_l1 = true};
        rig_serve(&rig, access, HD_HIT);
        assert_int_equal(rig_tag(&rig, access), sm == 4 ? SHARED : BOTH);
        assert_int_equal(cache_hooks_decide_after_hit(rig.hooks), sm == 3);
    }
    assert_int_equal(rig_counter(&rig, "removed_on_hit"), 1);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_provides), cmocka_unit_test(test_pc_threshold),
        cmocka_unit_test(test_pc_overflow),  cmocka_unit_test(test_count_bypassed),
        cmocka_unit_test(test_ageing),       cmocka_unit_test(test_table_12),
        cmocka_unit_test(test_samples),      cmocka_unit_test(test_full_table),
        cmocka_unit_test(test_full_group),   cmocka_unit_test(test_launches),
        cmocka_unit_test(test_l2)};
    return cmocka_run_group_tests_name("bypass and copy-back", tests, NULL, NULL);
}
