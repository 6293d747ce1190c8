// Heads of ring buffers that wait for a full entry or a busy bank, or that move aside
// (segura2022iru, section 3.2.1: "retrieves elements from both the smaller FIFO queues and the
// ring, prioritizing the latter"). Entries have 4 elements. Of s slices, block b is in slice b % s,
// set b / s. Requests stay at their slice until the timeout (balance=late).
#include "rig.h"

#include "mechanisms/iru/queue.h"

enum { WAIT, ASIDE }; // head

static EngineRig *new_rig(unsigned slices, unsigned head)
{
    EngineRig *rig = iru_rig_new(slices);
    engine_rig_set(rig, "balance", 0);
    engine_rig_set(rig, "head", head);
    return rig;
}

static EngineRig *start(unsigned slices, unsigned head, const uint32_t *indices, uint32_t count)
{
    EngineRig *rig = new_rig(slices, head);
    iru_rig_begin(rig, indices, NULL, count, NONE, PLAIN);
    return rig;
}
#define START(slices, head, ...)                                                                   \
    start(slices, head, WORDS(__VA_ARGS__), sizeof(WORDS(__VA_ARGS__)) / 4)

// Four slices. Slice 0 reads 5 elements of an entry of slice 1, and one of slice 2. They come at
// 100, and leave slice 0 from 101 to 106, so they are at slice 1 from 102 to 107. Its entry is full
// at 105. The fifth is at the head at 106. If it moves aside, the sixth is at the head at 107, and
// at slice 2 at 108, where a request of one lane waits. If it waits, a request at 300 empties the
// entry, it is inserted at 301, and the sixth leaves slice 1 at 302.
static void test_passing(void **state)
{
    (void)state;
    for (unsigned head = WAIT; head <= ASIDE; head++) {
        EngineRig *rig = START(4, head, 32, 33, 34, 35, 36, 64);
        uint32_t passing = engine_rig_request(rig, 2, 0x1, PLAIN, 0);
        uint32_t full = engine_rig_request(rig, 1, 0xf, PLAIN, 300);
        uint32_t rest = engine_rig_request(rig, 1, 0x1, PLAIN, 400);
        engine_rig_run(rig, 1000);
        HAS(rig, passing, 0, 64);
        assert_int_equal(rig->requests[passing].answered, head == ASIDE ? 108 : 303);
        HAS(rig, full, 0, 32, 33, 34, 35);
        HAS(rig, rest, 0, 36);
        assert_int_equal(engine_rig_counter(rig, "stalls_ring"), head == WAIT);
        iru_rig_finish(rig);
    }
}

// As above, but the FIFO of the bank has one place. The sixth element, of the same entry, waits at
// the head of the ring, and the seventh behind it, until the request at 300. At 301 the sixth is
// inserted, because the ring comes before the FIFO, and at 302 the fifth.
static void test_full_fifo(void **state)
{
    (void)state;
    EngineRig *rig = new_rig(4, ASIDE);
    engine_rig_set(rig, "classifier", 1);
    iru_rig_begin(rig, WORDS(32, 33, 34, 35, 36, 37, 64), NULL, 7, NONE, PLAIN);
    const HdPlace *place = &rig->slice[1].place;
    uint32_t passing = engine_rig_request(rig, 2, 0x1, PLAIN, 0);
    engine_rig_request(rig, 1, 0xf, PLAIN, 300);
    engine_rig_run(rig, 299);
    assert_int_equal(iru_queue(place, 0)->count, 1);
    assert_int_equal(iru_fifo_head(place, 0)->index, 36);
    assert_int_equal(engine_rig_counter(rig, "stalls_ring"), 1);
    engine_rig_run(rig, 1000);
    assert_int_equal(rig->requests[passing].answered, 303);
    engine_rig_request(rig, 1, 0x3, PLAIN, 1000);
    engine_rig_run(rig, 2000);
    HAS(rig, 2, 0, 37, 36);
    iru_rig_finish(rig);
}

// Two slices, and 16 elements of an entry of slice 1. It reads 10 itself, which its classifier puts
// into the FIFO of the bank, one in a cycle from 100 on. The other 6 come from slice 0, from 102
// on. At 101 the first own element is inserted, then those of the ring, until the entry is full at
// 104. From 105 to 107 one from the ring goes to the FIFO in each cycle, and none of the
// classifier.
static void test_classifier(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 1, 2, 3, 4, 5, 6, 7, 8}; // after cycles 100, 101, ...
    EngineRig *rig = new_rig(2, ASIDE);
    uint32_t indices[16];
    for (unsigned i = 0; i < 16; i++) indices[i] = 32 + i;
    uint64_t at = engine_rig_words(rig, indices, 16, 58); // the last 6 words of a line of slice 0
    assert_null(iru_rig_configure(rig, at, 0, 16, NONE));
    engine_rig_begin(rig, 1u << PLAIN, true);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        engine_rig_run(rig, 100 + i);
        assert_int_equal(iru_queue(&rig->slice[1].place, 0)->count, counts[i]);
    }
    for (unsigned i = 0; i < 4; i++) engine_rig_request(rig, 1, 0xf, PLAIN, 200);
    iru_rig_finish(rig);
}

// Three slices. 5 elements of an entry of slice 1 come from either side, one in a cycle each, from
// 102 on. The bank takes one in a cycle, of the forward buffer; the FIFO takes that of the backward
// buffer. The entry is full at 105. At 106 both buffers have an element for the FIFO, which takes
// one in a cycle: the forward one, and the backward one at 107.
static void test_one_write(void **state)
{
    (void)state;
    EngineRig *rig = new_rig(3, ASIDE);
    // Words from 64 on are in slice 2, from 128 on in slice 0.
    uint64_t at = engine_rig_words(rig, WORDS(32, 33, 34, 35, 36, 37, 38, 39, 40, 41), 10, 123);
    assert_null(iru_rig_configure(rig, at, 0, 10, NONE));
    engine_rig_begin(rig, 1u << PLAIN, true);
    for (uint64_t cycle = 101; cycle <= 107; cycle++) {
        engine_rig_run(rig, cycle);
        assert_int_equal(iru_queue(&rig->slice[1].place, 0)->count, cycle - 101);
    }
    for (unsigned i = 0; i < 3; i++) engine_rig_request(rig, 1, i < 2 ? 0xf : 0x3, PLAIN, 200);
    engine_rig_run(rig, 1000);
    HAS(rig, 0, 0, 37, 38, 39, 40);
    HAS(rig, 1, 0, 32, 33, 34, 35);
    HAS(rig, 2, 0, 41, 36);
    iru_rig_finish(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passing),    cmocka_unit_test(test_full_fifo),
        cmocka_unit_test(test_classifier), cmocka_unit_test(test_one_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
