// The atomic unit of a slice: alone, and in a slice whose cycles are computed by hand (rig.h). A
// request of one sector with data has two flits: sent at t, it is looked up at t + 10 + 2 + 20.
#include "memory/slice/atomic_unit.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

// ---- the unit alone ----

static HdTables tables; // freed at the end of each test

static AtomicUnit unit_with(uint32_t words, uint32_t word_cycles)
{
    AtomicUnit unit;
    if (!atomic_unit_init(&unit, &(AtomicsConfig){.words = words, .word_cycles = word_cycles},
                          &tables))
        fail_msg("out of memory");
    return unit;
}

// A request with a lane on a word for each letter: 'a' is word 0.
static AtomicLanes lanes_on(const char *words)
{
    AtomicLanes lanes = {.type = PTX_U32};
    for (unsigned l = 0; words[l]; l++) {
        lanes.address[l] = 4 * (uint64_t)(words[l] - 'a');
        lanes.lanes |= (LaneMask)1 << l;
    }
    return lanes;
}

static uint64_t perform(AtomicUnit *unit, const char *words, uint64_t cycle)
{
    AtomicLanes lanes = lanes_on(words);
    return atomic_unit_perform(unit, &lanes, lanes.lanes, cycle);
}

static void takes_no_time(void **state)
{
    (void)state;
    AtomicUnit unit = unit_with(0, 0);
    assert_int_equal(perform(&unit, "aaaabcdefgh", 5), 5);
    assert_int_equal(perform(&unit, "a", 5), 5);
    assert_int_equal(unit.busy, 0);
    hd_tables_free(&tables);
}

// Two words per cycle, lanes on a word combined: five words take 3 cycles, eight lanes on one word
// take one. A request that comes while the unit is busy starts after it.
static void words_per_cycle(void **state)
{
    (void)state;
    AtomicUnit unit = unit_with(2, 0);
    assert_int_equal(perform(&unit, "abcdeabc", 10), 12);
    assert_int_equal(perform(&unit, "aaaaaaaa", 11), 13);
    assert_int_equal(perform(&unit, "ab", 20), 20);
    assert_int_equal(unit.busy, 3 + 1 + 1 + 1 - 1);
    hd_tables_free(&tables);
}

// One lane on a word per cycle, any number of words: as many passes as lanes on the fullest word.
static void a_pass_for_each_lane(void **state)
{
    (void)state;
    AtomicUnit unit = unit_with(0, 1);
    assert_int_equal(perform(&unit, "aaaaaaaa", 0), 7);
    assert_int_equal(perform(&unit, "abcdefgh", 8), 8);
    assert_int_equal(perform(&unit, "aabbbc", 9), 11);
    assert_int_equal(unit.busy, 12);
    hd_tables_free(&tables);
}

// Nine cycles between two lanes on a word, and two words per cycle. Words a (3 lanes), b and c: the
// first pass takes 0 and 1, the next ones start at 9 and 18. Then b is free, and a is not until 27.
static void words_that_wait(void **state)
{
    (void)state;
    AtomicUnit unit = unit_with(2, 9);
    assert_int_equal(perform(&unit, "abcaa", 0), 18);
    assert_int_equal(unit.free, 19);
    assert_int_equal(perform(&unit, "db", 19), 19);
    assert_int_equal(perform(&unit, "a", 20), 27);
    assert_int_equal(perform(&unit, "b", 28), 28);
    assert_int_equal(unit.busy, 19 + 1 + 8 + 1);
    hd_tables_free(&tables);
}

// The unit remembers all words of the last 3 cycles. Two requests of 32 words take turns: one may
// start 3 cycles after it started last, so that two take 3 cycles.
static void many_words_wait(void **state)
{
    (void)state;
    AtomicUnit unit = unit_with(0, 3);
    AtomicLanes lanes[2] = {{.lanes = ~(LaneMask)0}, {.lanes = ~(LaneMask)0}};
    for (unsigned l = 0; l < 32; l++) {
        lanes[0].address[l] = 4 * l;
        lanes[1].address[l] = 1024 + 4 * l;
    }
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(atomic_unit_perform(&unit, &lanes[i % 2], lanes[0].lanes, unit.free),
                         i / 2 * 3 + i % 2);
    hd_tables_free(&tables);
}

// ---- in a slice ----

static void send(Rig *rig, unsigned sm, Tick time, uint64_t line, uint32_t token,
                 AtomicLanes *lanes)
{
    for (LaneMask m = lanes->lanes; m; m &= m - 1) lanes->address[lanes_first(m)] += line;
    rig_send(rig, sm, MEM_ATOMIC, time, line, 1, token)->atomic = lanes;
}

// Four cycles between two lanes on a word. The first atomic has 3 lanes on a word: passes at 32, 36
// and 40, and the hit latency of 7; its reply has two flits. The second one, to another line, waits
// at the tags from 34 to 41. A load is looked up after that. The replies leave at 47, 49 and 51.
static void an_atomic_waits_for_the_unit(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.atomics.word_cycles = 4;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 256);
    AtomicLanes first = lanes_on("aaa"), second = lanes_on("b");
    send(&rig, 0, 0, 0, 1, &first);
    send(&rig, 1, 2, 128, 2, &second);
    rig_send(&rig, 2, MEM_LOAD, 4, 0, 1, 3);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 47 + 2 + 10);
    assert_int_equal(rig_reply(&rig, 1, 2)->time, 49 + 2 + 10);
    assert_int_equal(rig_reply(&rig, 2, 3)->time, 51 + 2 + 10);
    assert_int_equal(rig.in[1].credits[0].time, 41 + 11);
    assert_int_equal(rig.in[2].credits[0].time, 42 + 11);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_atomic_unit, 41 - 34);
    assert_int_equal(rig.l2_counters.atomic_lanes, 4);
    assert_int_equal(rig.l2_counters.atomic_unit_cycles, 9 + 1);
    rig_stop(&rig);
}

// Two atomics, of two lanes each on the same word, wait for one fill at 93: passes at 93, 97, 101
// and 105. The replies have no hit latency. A load that hits meanwhile is not delayed.
static void atomics_wait_for_a_fill(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.atomics.word_cycles = 4;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 128, 128);
    AtomicLanes first = lanes_on("aa"), second = lanes_on("aa");
    send(&rig, 0, 0, 0, 1, &first);
    send(&rig, 1, 2, 0, 2, &second);
    rig_send(&rig, 2, MEM_LOAD, 95 - 31, 128, 1, 3);
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 97 + 2 + 10);
    assert_int_equal(rig_reply(&rig, 1, 2)->time, 105 + 2 + 10);
    assert_int_equal(rig_reply(&rig, 2, 3)->time, 95 + 7 + 2 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_atomic_unit, 0);
    assert_int_equal(rig.l2_counters.atomic_lanes, 4);
    assert_int_equal(rig.l2_counters.atomic_unit_cycles, 5 + 8);
    rig_stop(&rig);
}

// A packet with four sectors of a line: a request to the unit for each, two words per cycle. Looked
// up at 10 + 5 + 20 = 35, 37, 39, 41, four words each. Ready at 42 + 7; the reply has 16 old values
// of 4 bytes: 72 bytes with the header, 3 flits.
static void sectors_one_after_the_other(void **state)
{
    (void)state;
    Rig rig;
    rig_init(&rig);
    rig.atomics.words = 2;
    rig_start(&rig, NULL);
    memory_side_warm(rig.memory, 0, 128);
    AtomicLanes lanes = {.type = PTX_U32, .lanes = 0xffff};
    for (unsigned l = 0; l < 16; l++) lanes.address[l] = 8 * l;
    rig_send(&rig, 0, MEM_ATOMIC, 0, 0, 15, 1)->atomic = &lanes;
    rig_finish(&rig, 1000);
    assert_int_equal(rig_reply(&rig, 0, 1)->time, 42 + 7 + 3 + 10);
    rig_count(&rig, 1000);
    assert_int_equal(rig.icnt_counters.stall_atomic_unit, 3);
    assert_int_equal(rig.l2_counters.atomic_unit_cycles, 8);
    assert_int_equal(rig.l2_counters.atomic_accesses, 4);
    rig_stop(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_no_time),        cmocka_unit_test(words_per_cycle),
        cmocka_unit_test(a_pass_for_each_lane), cmocka_unit_test(words_that_wait),
        cmocka_unit_test(many_words_wait),      cmocka_unit_test(an_atomic_waits_for_the_unit),
        cmocka_unit_test(atomics_wait_for_a_fill), cmocka_unit_test(sectors_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
