// Balancing of the reorder unit by hand (segura2022iru, section 3.2.2, "balancing issues (i.e
// between request and entries ready)"): which slice answers a request, and when. Entries have 4
// elements. Of s slices, block b is in slice b % s, set b / s.
//
// All arrays begin in the last words of a line that comes at cycle 100. Its elements are classified
// from then on, and inserted from 101 on, one into each bank in a cycle: an entry of which the 4
// elements are the first ones of its bank is full at 104. The rest comes at 5000, so that the data
// do not end before.
#include "rig.h"

enum { LATE, READY }; // balance

static uint64_t latency_of(const EngineRig *rig, uint64_t line)
{
    uint64_t first = *(const uint64_t *)rig->context;
    return line == first ? 100 : 5000 - rig->cycle;
}

// `count` elements of which the first `before` come at 100, all read by slice `from`.
static EngineRig *start(unsigned slices, unsigned from, unsigned balance, const uint32_t *indices,
                        uint32_t before, uint32_t count)
{
    static uint64_t first;
    EngineRig *rig = iru_rig_new(slices);
    engine_rig_set(rig, "balance", balance);
    rig->context = &first;
    rig->latency_of = latency_of;
    unsigned turns = (from + slices - ENGINE_RIG_BASE / 256 % slices) % slices;
    uint64_t at = engine_rig_words(rig, indices, count, 64 * turns + 32 - before);
    first = at / 128 * 128;
    assert_null(iru_rig_configure(rig, at, 0, count, NONE));
    engine_rig_begin(rig, 1u << PLAIN, true);
    return rig;
}
#define START(slices, from, balance, before, ...)                                                  \
    start(slices, from, balance, WORDS(__VA_ARGS__), before, sizeof(WORDS(__VA_ARGS__)) / 4)

static void answered(const EngineRig *rig, uint32_t request, unsigned slice, uint64_t cycle)
{
    assert_int_equal(rig->requests[request].answered, cycle);
    assert_int_equal(rig->requests[request].answered_by, slice);
}

static void replies(const EngineRig *rig, uint64_t by_entry, uint64_t by_timeout, uint64_t by_end)
{
    assert_int_equal(engine_rig_counter(rig, "replies_by_entry"), by_entry);
    assert_int_equal(engine_rig_counter(rig, "replies_by_timeout"), by_timeout);
    assert_int_equal(engine_rig_counter(rig, "replies_by_end"), by_end);
}

// Slice 0 has the request, slice 1 the entry. Slice 1 announces it at 104, slice 0 knows that and
// sends the request at 105, and it is there at 106. Without balancing the request leaves slice 0
// after 500 cycles.
static void test_two_slices(void **state)
{
    (void)state;
    for (unsigned balance = LATE; balance <= READY; balance++) {
        EngineRig *rig = START(2, 1, balance, 4, 32, 33, 34, 35, 36);
        engine_rig_request(rig, 0, 0xf, PLAIN, 0);
        engine_rig_run(rig, 1000);
        HAS(rig, 0, 0, 32, 33, 34, 35);
        answered(rig, 0, 1, balance ? 106 : 501);
        replies(rig, balance, !balance, 0);
        assert_int_equal(engine_rig_counter(rig, "request_hops"), 1);
        assert_int_equal(engine_rig_counter(rig, "seeks"), balance);
        engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
        iru_rig_finish(rig);
    }
}

// Slice 1 has two full entries at 104, and a request of its own, which gets one: the lower set.
// Only the other one is announced.
static void test_own_first(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 1, READY, 8, 32, 33, 34, 35, 96, 97, 98, 99, 36);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_request(rig, 1, 0xf, PLAIN, 0);
    engine_rig_run(rig, 1000);
    HAS(rig, 0, 0, 96, 97, 98, 99);
    HAS(rig, 1, 0, 32, 33, 34, 35);
    answered(rig, 0, 1, 106);
    answered(rig, 1, 1, 104);
    replies(rig, 2, 0, 0);
    engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
    iru_rig_finish(rig);
}

// A full entry is for any number of lanes that it suffices for. The request of five lanes stays,
// because no entry suffices; it is the oldest from 105 on, leaves 500 cycles later, and is at slice
// 1 at 606. At slice 1 it keeps the announcement of slice 2 from slice 0.
static void test_lanes(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 1, READY, 8, 32, 33, 34, 35, 96, 97, 98, 99, 36, 37);
    engine_rig_request(rig, 0, 0x7, PLAIN, 0);
    engine_rig_request(rig, 0, 0x1f, PLAIN, 0);
    engine_rig_run(rig, 1000);
    HAS(rig, 0, 0, 32, 33, 34);
    HAS(rig, 1, 0, 96, 97, 98, 99, 35);
    answered(rig, 0, 1, 106);
    answered(rig, 1, 1, 606);
    assert_int_equal(engine_rig_counter(rig, "seeks"), 1);
    engine_rig_request(rig, 0, 0x3, PLAIN, 6000);
    iru_rig_finish(rig);
    rig = START(3, 2, READY, 4, 64, 65, 66, 67, 68);
    engine_rig_request(rig, 0, 0x7, PLAIN, 0);
    engine_rig_request(rig, 1, 0x1f, PLAIN, 0);
    engine_rig_run(rig, 499);
    assert_int_equal(engine_rig_counter(rig, "seeks"), 0);
    iru_rig_finish(rig);
}

// Requests at slices 0 and 1, two full entries at slice 2. The first announcement (104) is for the
// request of the nearest slice, 1, which sends it at 105; slice 2 answers at 106 and announces the
// other entry. Slice 1 has no request any more, and announces it at 107. Slice 0 sends its request
// at 108, slice 1 sends it on at 109.
static void test_nearest(void **state)
{
    (void)state;
    EngineRig *rig = START(3, 2, READY, 8, 64, 65, 66, 67, 160, 161, 162, 163, 68);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_request(rig, 1, 0xf, PLAIN, 0);
    engine_rig_run(rig, 1000);
    HAS(rig, 0, 0, 160, 161, 162, 163);
    HAS(rig, 1, 0, 64, 65, 66, 67);
    answered(rig, 0, 2, 110);
    answered(rig, 1, 2, 106);
    assert_int_equal(engine_rig_counter(rig, "seeks"), 1 + 2);
    engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
    iru_rig_finish(rig);
}

// Announcements end after all slices have them. A request that comes later leaves at once.
static void test_known(void **state)
{
    (void)state;
    EngineRig *rig = START(3, 2, READY, 4, 64, 65, 66, 67, 68);
    engine_rig_run(rig, 150);
    assert_int_equal(rig->cycle, 5000); // nothing is due before
    engine_rig_free(rig);
    rig = START(3, 2, READY, 4, 64, 65, 66, 67, 68);
    engine_rig_request(rig, 0, 0xf, PLAIN, 1000);
    engine_rig_run(rig, 2000);
    HAS(rig, 0, 0, 64, 65, 66, 67);
    answered(rig, 0, 2, 1002);
    engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
    iru_rig_finish(rig);
}

// The entry is taken at 1000, and no slice knows of one after 1002. So a request of slice 0 stays.
static void test_forgotten(void **state)
{
    (void)state;
    EngineRig *rig = START(3, 2, READY, 4, 64, 65, 66, 67, 68);
    engine_rig_request(rig, 2, 0xf, PLAIN, 1000);
    engine_rig_run(rig, 1100);
    assert_int_equal(rig->cycle, 5000);
    assert_int_equal(engine_rig_counter(rig, "replies_by_entry"), 1);
    engine_rig_free(rig);
    rig = START(3, 2, READY, 4, 64, 65, 66, 67, 68);
    engine_rig_request(rig, 2, 0xf, PLAIN, 1000);
    engine_rig_request(rig, 0, 0x1, PLAIN, 1010);
    engine_rig_run(rig, 1500);
    assert_int_equal(engine_rig_counter(rig, "seeks"), 0);
    iru_rig_finish(rig);
}

// A request that comes to slice 1 at 105 takes the announced entry, as slice 0 sends its own for
// it, request 1, which waits at slice 1. Request 2 of slice 2 is late at 500: it passes slice 0 at
// 501, and takes what is at slice 1 at 502, though request 1 waits there, of which the timeout
// counts from 105. Meanwhile nothing is due.
static void test_taken(void **state)
{
    (void)state;
    EngineRig *rig = START(3, 1, READY, 12, 32, 33, 34, 35, 128, 129, 224, 225, 320, 321, 416, 417,
                           36);
    engine_rig_request(rig, 1, 0xf, PLAIN, 105);
    engine_rig_request(rig, 0, 0xf, PLAIN, 105);
    engine_rig_request(rig, 2, 0xf, PLAIN, 0);
    engine_rig_run(rig, 200);
    HAS(rig, 0, 0, 32, 33, 34, 35);
    answered(rig, 0, 1, 105);
    assert_int_equal(rig->cycle, 500);
    engine_rig_run(rig, 1000);
    HAS(rig, 2, 0, 128, 129, 224, 225);
    answered(rig, 2, 1, 502);
    HAS(rig, 1, 0, 320, 321, 416, 417);
    answered(rig, 1, 1, 605);
    replies(rig, 1, 2, 0);
    engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
    iru_rig_finish(rig);
}

// Request 1 of slice 0 waits at slice 1, as above, and request 2 is an own one there. The entry
// that is full at 5004 is for request 1.
static void test_before_own(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 1, READY, 4, 32, 33, 34, 35, 96, 97, 98, 99);
    engine_rig_set(rig, "timeout", 10000);
    engine_rig_request(rig, 1, 0xf, PLAIN, 105);
    engine_rig_request(rig, 0, 0xf, PLAIN, 105);
    engine_rig_request(rig, 1, 0xf, PLAIN, 110);
    engine_rig_run(rig, 5004);
    HAS(rig, 1, 0, 96, 97, 98, 99);
    answered(rig, 1, 1, 5004);
    iru_rig_finish(rig);
}

// Replies of slice 0 leave after 10,000 cycles. Its request 0 is answered at 104, request 1 waits
// with an entry, and request 2 behind it is late at 500. Slice 1 has a full entry at 5106, but
// request 2 does not seek any more.
static void test_late_stays(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 0, READY, 8, 0, 1, 2, 3, 64, 65, 66, 67, 32, 33, 34, 35);
    rig->reply_places = 1;
    rig->reply_cycles = 10000;
    for (unsigned i = 0; i < 3; i++) engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_run(rig, 10000);
    answered(rig, 0, 0, 104);
    assert_true(rig->requests[2].answered == UINT64_MAX);
    assert_int_equal(engine_rig_counter(rig, "seeks"), 0);
    engine_rig_run(rig, 100000);
    HAS(rig, 2, 0, 32, 33, 34, 35);
    replies(rig, 2, 0, 1);
    iru_rig_finish(rig);
}

// As above, but slice 0 has an entry for request 2, which is not late. It does not seek another.
static void test_own_entry(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 0, READY, 12, 0, 1, 2, 3, 64, 65, 66, 67, 128, 129, 130, 131, 32, 33,
                           34, 35);
    engine_rig_set(rig, "timeout", 100000);
    rig->reply_places = 1;
    rig->reply_cycles = 10000;
    for (unsigned i = 0; i < 3; i++) engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_request(rig, 1, 0xf, PLAIN, 40000);
    engine_rig_run(rig, 100000);
    HAS(rig, 2, 0, 128, 129, 130, 131);
    answered(rig, 2, 0, 104 + 2 * 10000);
    assert_int_equal(engine_rig_counter(rig, "seeks"), 0);
    iru_rig_finish(rig);
}

// Request 1 of slice 0 waits at slice 1, as above. Slice 1 cannot fill it at its timeout, 605: it
// takes the 3 elements there, and finds the one that it lacks at slice 0. The elements follow it
// in a cycle each, from 605 on.
static void test_late_seeker(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 1, READY, 8, 32, 33, 34, 35, 96, 97, 160, 0, 36);
    engine_rig_request(rig, 1, 0xf, PLAIN, 105);
    engine_rig_request(rig, 0, 0xf, PLAIN, 105);
    engine_rig_run(rig, 1000);
    HAS(rig, 1, 0, 96, 97, 160, 0);
    answered(rig, 1, 0, 608);
    replies(rig, 1, 1, 0);
    assert_int_equal(engine_rig_counter(rig, "request_hops"), 2);
    assert_int_equal(engine_rig_counter(rig, "request_elements"), 3);
    engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
    iru_rig_finish(rig);
}

// The oldest request of slice 0 leaves at 105. From its turn, the next one is late 500 cycles after
// that, from its arrival at 500. It finds 4 elements at slice 1 a cycle later.
static void test_next_turn(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 2; turn++) {
        EngineRig *rig = START(2, 1, READY, 8, 32, 33, 34, 35, 96, 97, 160, 161, 36);
        engine_rig_set(rig, "since", turn);
        engine_rig_request(rig, 0, 0xf, PLAIN, 0);
        engine_rig_request(rig, 0, 0xf, PLAIN, 0);
        engine_rig_run(rig, 1000);
        answered(rig, 0, 1, 106);
        HAS(rig, 1, 0, 96, 97, 160, 161);
        answered(rig, 1, 1, turn ? 606 : 501);
        engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
        iru_rig_finish(rig);
    }
}

// The data end while request 1 waits at slice 1, as above: 36 is inserted at 106, where request 0
// has made room. The token leaves slice 1 with the sum 5 at 106, and reports the end to slice 0 at
// 107 and slice 1 at 108. At 109 the request takes 36, and goes to slice 0 (110), to slice 1 (111)
// and to slice 0 (112), which the token has reached at 111, after all tables were empty.
static void test_end(void **state)
{
    (void)state;
    EngineRig *rig = START(2, 1, READY, 5, 32, 33, 34, 35, 36);
    engine_rig_request(rig, 1, 0xf, PLAIN, 105);
    engine_rig_request(rig, 0, 0xf, PLAIN, 105);
    engine_rig_run(rig, 1000);
    HAS(rig, 1, 0, 36);
    answered(rig, 1, 0, 112);
    replies(rig, 1, 0, 1);
    assert_int_equal(engine_rig_counter(rig, "partly_disabled"), 1);
    iru_rig_finish(rig);
}

// One slice seeks nothing.
static void test_one_slice(void **state)
{
    (void)state;
    EngineRig *rig = START(1, 0, READY, 3, 3, 4, 40, 41);
    engine_rig_request(rig, 0, 0x7, PLAIN, 0);
    engine_rig_run(rig, 1000);
    HAS(rig, 0, 0, 3, 4, 40);
    answered(rig, 0, 0, 500);
    engine_rig_request(rig, 0, 0x1, PLAIN, 6000);
    iru_rig_finish(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_slices), cmocka_unit_test(test_own_first),
        cmocka_unit_test(test_lanes),      cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_known),      cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_taken),      cmocka_unit_test(test_before_own),
        cmocka_unit_test(test_late_stays), cmocka_unit_test(test_own_entry),
        cmocka_unit_test(test_late_seeker), cmocka_unit_test(test_next_turn),
        cmocka_unit_test(test_end),        cmocka_unit_test(test_one_slice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
