// The irregular-access reorder unit on streams whose groups follow by hand: elements by lane,
// positions, counters and cycles. Warps and entries have 4 lanes and elements unless a test says
// otherwise.
#include "rig.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// ---- examples ----

// a: three blocks, three requests: each group touches one block instead of three. All elements are
// there when the requests come: of full entries the lowest set goes first.
static void test_groups(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(3, 40, 70, 5, 33, 64, 9, 47, 66, 12, 35, 71), NULL, 12, NONE,
                  POSITION);
    for (unsigned i = 0; i < 3; i++) engine_rig_request(rig, 0, 0xf, POSITION, 300);
    engine_rig_run(rig, 450);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(rig->requests[i].answered, 300 + i);
    HAS(rig, 0, 0, 3, 5, 9, 12);
    HAS(rig, 0, 1, 0, 3, 6, 9);
    HAS(rig, 1, 0, 40, 33, 47, 35);
    HAS(rig, 1, 1, 1, 4, 7, 10);
    HAS(rig, 2, 0, 70, 64, 66, 71);
    HAS(rig, 2, 1, 2, 5, 8, 11);
    assert_int_equal(engine_rig_counter(rig, "replies_by_entry"), 3);
    assert_int_equal(engine_rig_counter(rig, "blocks"), 3);
    assert_int_equal(engine_rig_counter(rig, "beside"), 0);
    assert_int_equal(engine_rig_counter(rig, "read"), 12);
    assert_int_equal(engine_rig_counter(rig, "lines"), 1);
    assert_int_equal(rig->requests[0].reply.bytes[0], 3 * 4 + 4);
    assert_int_equal(rig->requests[0].reply.bytes[1], 3 * 4);
    iru_rig_finish(rig);
}

// The line comes at cycle 100, and its elements are classified from then on, one for each bank in a
// cycle. Each cycle from 101 on inserts one into either bank: set 1 has 40 33 47 35 at cycle 104,
// sets 0 and 2 have 3 70 5 64 9 66 12 71 at cycle 108. So the second group is full first.
static void test_cycles(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(3, 40, 70, 5, 33, 64, 9, 47, 66, 12, 35, 71), NULL, 12, NONE, PLAIN);
    uint32_t first = engine_rig_request(rig, 0, 0xf, PLAIN, 50);
    uint32_t second = engine_rig_request(rig, 0, 0xf, PLAIN, 50);
    uint32_t third = engine_rig_request(rig, 0, 0xf, PLAIN, 50);
    engine_rig_run(rig, 200);
    HAS(rig, first, 0, 40, 33, 47, 35);
    assert_int_equal(rig->requests[first].answered, 104);
    HAS(rig, second, 0, 3, 5, 9, 12);
    assert_int_equal(rig->requests[second].answered, 107);
    HAS(rig, third, 0, 70, 64, 66, 71);
    assert_int_equal(rig->requests[third].answered, 108);
    assert_int_equal(rig->requests[first].reply.bytes[0], 16);
    assert_int_equal(rig->requests[first].reply.bytes[1], 0);
    iru_rig_finish(rig);
}

// b: blocks 0 and 1025 share set 0.
static void test_collision(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(3, 32800, 5, 32801), NULL, 4, NONE, PLAIN);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_run(rig, 450);
    HAS(rig, 0, 0, 3, 32800, 5, 32801);
    assert_int_equal(engine_rig_counter(rig, "blocks"), 2);
    assert_int_equal(engine_rig_counter(rig, "beside"), 3);
    assert_int_equal(engine_rig_counter(rig, "replies_by_entry"), 1);
    iru_rig_finish(rig);
}

// c: the smaller secondary and its position; the lanes without an element come last.
static void test_min(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(7, 7, 40, 7, 8), WORDS(9, 4, 2, 6, 1), 5, MIN, BOTH);
    uint32_t four = engine_rig_request(rig, 0, 0xf, BOTH, 0);
    uint32_t one = engine_rig_request(rig, 0, 1, BOTH, 0);
    engine_rig_run(rig, 10000);
    HAS(rig, four, 0, 7, 8, 40);
    HAS(rig, four, 1, 4, 1, 2);
    HAS(rig, four, 2, 1, 4, 2);
    assert_int_equal(rig->requests[one].reply.predicate, 0);
    assert_int_equal(rig->requests[one].reply.bytes[0], 4);
    assert_int_equal(rig->requests[one].reply.bytes[1], 0);
    assert_int_equal(rig->requests[four].reply.bytes[0], 13);
    assert_int_equal(rig->requests[four].reply.bytes[1], 21);
    assert_int_equal(engine_rig_counter(rig, "merged"), 2);
    assert_int_equal(engine_rig_counter(rig, "disabled"), 2);
    assert_int_equal(engine_rig_counter(rig, "partly_disabled"), 1);
    assert_int_equal(engine_rig_counter(rig, "all_disabled"), 1);
    assert_int_equal(engine_rig_counter(rig, "replies_by_end"), 2);
    iru_rig_finish(rig);
}

static void test_add(void **state)
{
    (void)state;
    const uint32_t weights[] = {bits_of(.5f), bits_of(.25f), bits_of(1), bits_of(2)};
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(7, 7, 9, 7), weights, 4, ADD, BOTH);
    engine_rig_request(rig, 0, 0xf, BOTH, 0);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 0, 7, 9);
    HAS(rig, 0, 1, bits_of(2.75f), bits_of(1));
    HAS(rig, 0, 2, 0, 2);
    iru_rig_finish(rig);
}

static void test_none(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(7, 7, 7, 8), NULL, 4, NONE, PLAIN);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_run(rig, 450);
    HAS(rig, 0, 0, 7, 7, 7, 8);
    iru_rig_finish(rig);
}

// Equal secondaries, and none at all: the earlier element stays. Secondaries are unsigned. A sum
// is rounded to even.
static void test_ties(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(7, 7, 8, 8), WORDS(5, 5, UINT32_MAX, 0), 4, MIN, BOTH);
    engine_rig_request(rig, 0, 0xf, BOTH, 0);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 1, 5, 0);
    HAS(rig, 0, 2, 0, 3);
    iru_rig_finish(rig);
    rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(7, 8, 7), NULL, 3, MIN, POSITION);
    engine_rig_request(rig, 0, 0xf, POSITION, 0);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 1, 0, 1);
    iru_rig_finish(rig);
    const uint32_t odd[] = {bits_of(16777217.f), bits_of(1), bits_of(16777218.f), bits_of(1),
                            0x7f800000, 0xff800000};
    rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(7, 7, 8, 8, 9, 9), odd, 6, ADD, SECONDARY);
    engine_rig_request(rig, 0, 0xf, SECONDARY, 0);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 1, bits_of(16777216.f), bits_of(16777220.f), 0x7fffffff);
    iru_rig_finish(rig);
}

// d: what a waiting request takes can no more be merged with; an entry that is full can.
static void test_merge_late(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(1, 2, 3, 4, 1), WORDS(9, 9, 9, 9, 8), 5, MIN, BOTH);
    engine_rig_request(rig, 0, 0xf, BOTH, 0);
    engine_rig_request(rig, 0, 0x1, BOTH, 0);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 0, 1, 2, 3, 4);
    HAS(rig, 0, 2, 0, 1, 2, 3);
    HAS(rig, 1, 0, 1);
    HAS(rig, 1, 2, 4);
    assert_int_equal(engine_rig_counter(rig, "merged"), 0);
    iru_rig_finish(rig);
    rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(1, 2, 3, 4, 1), WORDS(9, 9, 9, 9, 8), 5, MIN, BOTH);
    engine_rig_request(rig, 0, 0xf, BOTH, 300);
    engine_rig_run(rig, 10000);
    HAS(rig, 0, 0, 1, 2, 3, 4);
    HAS(rig, 0, 1, 8, 9, 9, 9);
    HAS(rig, 0, 2, 4, 1, 2, 3);
    assert_int_equal(engine_rig_counter(rig, "merged"), 1);
    iru_rig_finish(rig);
}

// The line at `line` of the array comes at a cycle of the test's choice.
static uint64_t second_line_at;
static uint64_t latency_of(const EngineRig *rig, uint64_t line)
{
    return line == ENGINE_RIG_BASE ? 20 : second_line_at - rig->cycle;
}

// 4 elements at the end of a line, then others that come later. offset: words in front of them.
static EngineRig *start_two_lines(const uint32_t *indices, uint32_t count, unsigned first,
                                  uint64_t second_at)
{
    EngineRig *rig = iru_rig_new(1);
    rig->latency_of = latency_of;
    second_line_at = second_at;
    uint64_t at = engine_rig_words(rig, indices, count, 32 - first);
    assert_null(iru_rig_configure(rig, at, 0, count, NONE));
    engine_rig_begin(rig, 1, true);
    return rig;
}

// Two requests come at 100 and 101; the table has 3 40 41 70 100 130 160. From the arrival both are
// late in the cycles after 600. From its turn, the second is late 500 cycles after the first has
// gone, and a third one, which comes when there is no other, 500 cycles after it has come.
static void test_since(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 2; turn++) {
        EngineRig *rig = start_two_lines(WORDS(3, 40, 41, 70, 100, 130, 160, 1), 8, 7, 5000);
        engine_rig_set(rig, "since", turn);
        engine_rig_request(rig, 0, 0x7, PLAIN, 100);
        engine_rig_request(rig, 0, 0x3, PLAIN, 101);
        engine_rig_request(rig, 0, 0x3, PLAIN, 1150);
        engine_rig_request(rig, 0, 0x1, PLAIN, 2000);
        engine_rig_run(rig, 2000);
        HAS(rig, 0, 0, 40, 41, 3);
        HAS(rig, 1, 0, 70, 100);
        HAS(rig, 2, 0, 130, 160);
        assert_int_equal(rig->requests[0].answered, 600);
        assert_int_equal(rig->requests[1].answered, turn ? 1100 : 601);
        assert_int_equal(rig->requests[2].answered, 1650);
        iru_rig_finish(rig);
    }
}

// e: at the timeout the entries with most elements, then those of the lowest set.
static void test_timeout(void **state)
{
    (void)state;
    EngineRig *rig = start_two_lines(WORDS(3, 40, 41, 70, 1), 5, 4, 5000);
    engine_rig_request(rig, 0, 0xf, PLAIN, 100);
    engine_rig_run(rig, 599);
    assert_true(rig->requests[0].answered == UINT64_MAX);
    engine_rig_run(rig, 600);
    HAS(rig, 0, 0, 40, 41, 3, 70);
    assert_int_equal(rig->requests[0].answered, 600);
    assert_int_equal(engine_rig_counter(rig, "replies_by_timeout"), 1);
    engine_rig_request(rig, 0, 0x1, PLAIN, 700);
    iru_rig_finish(rig);
    rig = start_two_lines(WORDS(3, 40, 41, 70, 33, 42), 6, 4, 398);
    engine_rig_request(rig, 0, 0xf, PLAIN, 100);
    engine_rig_run(rig, 450);
    HAS(rig, 0, 0, 40, 41, 33, 42);
    assert_int_equal(rig->requests[0].answered, 400);
    engine_rig_request(rig, 0, 0x3, PLAIN, 700);
    iru_rig_finish(rig);
    rig = start_two_lines(WORDS(3, 40, 41, 70), 4, 3, 3000); // three elements
    engine_rig_request(rig, 0, 0xf, PLAIN, 100);
    engine_rig_run(rig, 2999);
    assert_true(rig->requests[0].answered == UINT64_MAX);
    engine_rig_run(rig, 3010);
    HAS(rig, 0, 0, 40, 41, 3, 70);
    iru_rig_finish(rig);
}

// The best entry while elements come: of equal ones the lower set, even if another one was best
// before; and one with more elements.
static void test_best(void **state)
{
    (void)state;
    EngineRig *rig = start_two_lines(WORDS(40, 41, 3, 5, 1), 5, 4, 5000);
    engine_rig_set(rig, "banks", 1); // they come in their order
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_request(rig, 0, 1, PLAIN, 0);
    engine_rig_run(rig, 500);
    HAS(rig, 0, 0, 3, 5, 40, 41);
    iru_rig_finish(rig);
    rig = start_two_lines(WORDS(40, 70, 71, 100, 1), 5, 4, 5000);
    engine_rig_set(rig, "banks", 1);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_request(rig, 0, 1, PLAIN, 0);
    engine_rig_run(rig, 500);
    HAS(rig, 0, 0, 70, 71, 40, 100);
    iru_rig_finish(rig);
    rig = start_two_lines(WORDS(3, 70, 71, 100, 1), 5, 4, 5000);
    engine_rig_set(rig, "banks", 1);
    engine_rig_request(rig, 0, 0x3, PLAIN, 0);
    engine_rig_request(rig, 0, 0x7, PLAIN, 0);
    engine_rig_run(rig, 100);
    HAS(rig, 0, 0, 70, 71);
    assert_int_equal(rig->requests[0].answered, 23);
    iru_rig_finish(rig);
}

// The shorter way; of two equal ones, forward: 0 to 2 by slice 1, and 2 to 0 by slice 3.
static void test_way(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 0; to < 4; to++) {
            EngineRig *rig = iru_rig_new(4);
            uint32_t index = 32 * to;
            uint64_t at = engine_rig_words(rig, &index, 1, 64 * from);
            assert_null(iru_rig_configure(rig, at, 0, 1, NONE));
            engine_rig_begin(rig, 1, true);
            engine_rig_request(rig, to, 1, PLAIN, 0);
            engine_rig_run(rig, 400);
            unsigned hops = (to + 4 - from) % 4;
            uint64_t of_slice[4];
            for (unsigned n = 0; n < 4; n++) {
                const IruCounted *counted = (const void *)rig->slice[n].counters;
                of_slice[n] = counted->hops;
            }
            for (unsigned n = 0; n < 4; n++) {
                bool sends = hops == 3 ? n == from : (n + 4 - from) % 4 < hops;
                assert_int_equal(of_slice[n], sends);
            }
            assert_int_equal(rig->requests[0].answered, 101 + (hops == 3 ? 1 : hops));
            iru_rig_finish(rig);
        }
}

// One element goes into each bank in a cycle, though the ring and the own FIFO have one.
static void test_banks(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(3);
    uint32_t indices[192]; // 64 in each slice, all for bank 0 of slice 1
    for (unsigned i = 0; i < 192; i++) indices[i] = 32 * (7 + 6 * (i % 60));
    iru_rig_begin(rig, indices, NULL, 192, NONE, PLAIN);
    const IruLaunch *launch = rig->slice[1].structures[IRU_LAUNCHES];
    uint32_t placed = 0, cycles = 0;
    while (launch->placed < 192) {
        engine_rig_run(rig, rig->cycle);
        assert_true(rig->cycle < 1000 && launch->placed <= placed + 1);
        cycles += placed > 0;
        placed = launch->placed;
    }
    assert_int_equal(cycles, 191);
    for (unsigned i = 0; i < 48; i++) engine_rig_request(rig, 1, 0xf, PLAIN, 1000);
    iru_rig_finish(rig);
}

// Two lines, the first all in bank 0, the second all in bank 1. They come at cycles 100 and 101. Of
// a window of one line the second is classified from 132 on, behind the 32 cycles of the first. Of
// two lines each bank gets an element in each cycle.
static void test_window(void **state)
{
    (void)state;
    for (unsigned window = 1; window <= 2; window++) {
        EngineRig *rig = iru_rig_new(1);
        engine_rig_set(rig, "entry", 32);
        engine_rig_set(rig, "window", window);
        uint32_t indices[64];
        for (unsigned i = 0; i < 64; i++) indices[i] = i;
        iru_rig_begin(rig, indices, NULL, 64, NONE, PLAIN);
        uint32_t first = engine_rig_request(rig, 0, UINT32_MAX, PLAIN, 0);
        uint32_t second = engine_rig_request(rig, 0, UINT32_MAX, PLAIN, 0);
        engine_rig_run(rig, 400);
        assert_int_equal(rig->requests[first].answered, 132);
        assert_int_equal(rig->requests[second].answered, window == 1 ? 164 : 133);
        iru_rig_has(rig, second, 0, 32, indices + 32);
        iru_rig_finish(rig);
    }
}

// f: four slices, 8 elements in each: one reply with all lanes.
static void test_tails(void **state)
{
    (void)state;
    for (unsigned slice = 0; slice < 4; slice++) {
        EngineRig *rig = iru_rig_new(4);
        engine_rig_set(rig, "entry", 32);
        uint32_t indices[32];
        for (unsigned i = 0; i < 32; i++) indices[i] = 32 * i;
        iru_rig_begin(rig, indices, NULL, 32, NONE, PLAIN);
        engine_rig_request(rig, slice, UINT32_MAX, PLAIN, 0);
        engine_rig_run(rig, 2000);
        const EngineRigRequest *r = &rig->requests[0];
        assert_int_equal(r->reply.predicate, UINT32_MAX);
        uint32_t seen = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            seen |= UINT32_C(1) << r->reply.values[0][lane] / 32;
            assert_int_equal(r->reply.values[0][lane] % 32, 0);
        }
        assert_int_equal(seen, UINT32_MAX);
        for (unsigned n = 0; n < 4; n++) {
            const IruLaunch *launch = rig->slice[n].structures[IRU_LAUNCHES];
            assert_int_equal(launch->placed, 8);
        }
        assert_int_equal(engine_rig_counter(rig, "request_hops"), 3);
        assert_int_equal(engine_rig_counter(rig, "request_elements"), 8 + 16 + 24);
        assert_int_equal(engine_rig_counter(rig, "blocks"), 32);
        assert_int_equal(engine_rig_counter(rig, "partly_disabled"), 0);
        iru_rig_finish(rig);
    }
}

// g: all elements in one slice, all requests at another one.
static void test_one_slice(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(4);
    uint32_t indices[300];
    for (unsigned i = 0; i < 300; i++) indices[i] = 32 + i % 32;
    iru_rig_begin(rig, indices, NULL, 300, NONE, PLAIN);
    for (unsigned i = 0; i < 75; i++) engine_rig_request(rig, 3, 0xf, PLAIN, i);
    engine_rig_run(rig, 100000);
    for (unsigned i = 0; i < 75; i++) {
        assert_int_equal(rig->requests[i].reply.predicate, 0xf);
        assert_true(rig->requests[i].answered_by == 1);
    }
    iru_rig_finish(rig);
}

// ---- lanes and counts ----

// Elements go to lanes in ascending order, and lanes behind the count get none.
static void test_lanes(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(9, 8, 7), NULL, 3, NONE, POSITION);
    engine_rig_request(rig, 0, 0x92, POSITION, 0); // lanes 1, 4 and 7
    engine_rig_request(rig, 0, 0x80000001, POSITION, 0);
    engine_rig_run(rig, 10000);
    const HdEngineReply *reply = &rig->requests[0].reply;
    assert_int_equal(reply->predicate, 0x92);
    assert_int_equal(reply->values[0][1], 9);
    assert_int_equal(reply->values[0][4], 8);
    assert_int_equal(reply->values[0][7], 7);
    assert_int_equal(reply->values[1][7], 2);
    assert_int_equal(rig->requests[1].reply.predicate, 0);
    assert_int_equal(engine_rig_counter(rig, "asked"), 5);
    assert_int_equal(engine_rig_counter(rig, "enabled"), 3);
    assert_int_equal(engine_rig_counter(rig, "disabled"), 2);
    iru_rig_finish(rig);
}

static void test_no_elements(void **state)
{
    (void)state;
    for (unsigned filter = NONE; filter <= ADD; filter++)
        for (unsigned slices = 1; slices <= 4; slices += 3) {
            EngineRig *rig = iru_rig_new(slices);
            assert_null(iru_rig_configure(rig, 0, 0, 0, filter));
            engine_rig_begin(rig, 1u << (filter ? BOTH : PLAIN), true);
            for (unsigned i = 0; i < 8; i++)
                engine_rig_request(rig, i % slices, 0xff, filter ? BOTH : PLAIN, i);
            engine_rig_run(rig, 10000);
            for (unsigned i = 0; i < 8; i++) assert_true(rig->requests[i].answered < 500);
            assert_int_equal(engine_rig_counter(rig, "disabled"), 64);
            iru_rig_finish(rig);
        }
}

// Index and secondary in different slices: the words come over the ring.
static void test_foreign(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(4);
    uint32_t indices[128], secondaries[128];
    for (unsigned i = 0; i < 128; i++) {
        indices[i] = 2 * i;
        secondaries[i] = 1000 + i;
    }
    uint64_t at = engine_rig_words(rig, indices, 128, 0);          // slices 0 and 1
    uint64_t secondary = engine_rig_words(rig, secondaries, 128, 5); // slices 2, 3; 20 bytes later
    assert_null(iru_rig_configure(rig, at, secondary, 128, NONE));
    assert_int_equal(hd_slice_of(&rig->slice[0].place, at), 0);
    engine_rig_begin(rig, 1u << BOTH, true);
    for (unsigned i = 0; i < 32; i++) engine_rig_request(rig, i % 4, 0xf, BOTH, i);
    engine_rig_run(rig, 100000);
    for (unsigned i = 0; i < 32; i++)
        for (unsigned lane = 0; lane < 4; lane++) {
            const HdEngineReply *reply = &rig->requests[i].reply;
            assert_int_equal(reply->values[0][lane], 2 * reply->values[2][lane]);
            assert_int_equal(reply->values[1][lane], 1000 + reply->values[2][lane]);
        }
    assert_int_equal(engine_rig_counter(rig, "foreign"), 128);
    iru_rig_finish(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_collision),
        cmocka_unit_test(test_min),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_merge_late),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_since),
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_way),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_one_slice),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
