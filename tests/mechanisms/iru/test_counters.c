// Counters of the reorder unit that follow by hand, parameters that only counters show, and the
// invariants that are checked at the end of a launch.
#include "rig.h"

#include <string.h>

// ---- stalls ----

// Six elements of one block, of which an entry holds four. The fifth waits in its bank's FIFO,
// which has one place, and the sixth in its line.
static void test_full_entry(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    engine_rig_set(rig, "classifier", 1);
    iru_rig_begin(rig, WORDS(0, 1, 2, 3, 4, 5), NULL, 6, NONE, PLAIN);
    engine_rig_run(rig, 400);
    assert_int_equal(engine_rig_counter(rig, "stalls_table"), 1);
    assert_int_equal(engine_rig_counter(rig, "stalls_classifier"), 1);
    engine_rig_request(rig, 0, 0xf, PLAIN, 500);
    engine_rig_request(rig, 0, 0x3, PLAIN, 500);
    iru_rig_finish(rig);
}

// Seven elements of slice 0 for one block of slice 1: four fill the entry, two are in the ring
// buffer of two places, and the last one waits for the link.
static void test_full_ring(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(2);
    engine_rig_set(rig, "ring", 2);
    iru_rig_begin(rig, WORDS(32, 33, 34, 35, 36, 37, 38), NULL, 7, NONE, PLAIN);
    engine_rig_run(rig, 400);
    assert_int_equal(engine_rig_counter(rig, "stalls_ring"), 1);
    assert_int_equal(engine_rig_counter(rig, "stalls_link"), 1);
    assert_int_equal(engine_rig_counter(rig, "stalls_table"), 0);
    assert_int_equal(engine_rig_counter(rig, "hops"), 6);
    engine_rig_request(rig, 1, 0xf, PLAIN, 500);
    engine_rig_request(rig, 1, 0x7, PLAIN, 500);
    iru_rig_finish(rig);
}

// A buffer for one request, and a reply queue of one packet that leaves after 50 cycles: the second
// and the third request wait for each.
static void test_full_buffers(void **state)
{
    (void)state;
    for (unsigned requests = 1; requests <= 256; requests += 255) {
        EngineRig *rig = iru_rig_new(1);
        engine_rig_set(rig, "requests", requests);
        if (requests > 1) {
            rig->reply_places = 1;
            rig->reply_cycles = 50;
        }
        iru_rig_begin(rig, WORDS(3, 40, 70, 5, 33, 64, 9, 47, 66, 12, 35, 71), NULL, 12, NONE,
                      PLAIN);
        for (unsigned i = 0; i < 3; i++) engine_rig_request(rig, 0, 0xf, PLAIN, 0);
        engine_rig_run(rig, 1000);
        assert_int_equal(engine_rig_counter(rig, "stalls_requests"), requests == 1 ? 2 : 0);
        assert_int_equal(engine_rig_counter(rig, "stalls_replies"), requests == 1 ? 0 : 2);
        assert_int_equal(rig->requests[2].answered - rig->requests[1].answered,
                         requests == 1 ? 1 : 50);
        iru_rig_finish(rig);
    }
}

// ---- parameters ----

// Each line of indices takes one read, and with secondaries two. All have been asked for, one in a
// cycle, before the first comes.
static void test_prefetches(void **state)
{
    (void)state;
    uint32_t indices[640];
    for (unsigned i = 0; i < 640; i++) indices[i] = 32 * i;
    for (unsigned secondary = 0; secondary < 2; secondary++)
        for (unsigned lines = 3; lines <= 8; lines += 5)
            for (unsigned reads = 5; reads <= 16; reads += 11) {
                EngineRig *rig = iru_rig_new(1);
                engine_rig_set(rig, "prefetches", lines);
                engine_rig_set(rig, "reads", reads);
                rig->latency = 1000;
                iru_rig_begin(rig, indices, secondary ? indices : NULL, 640, NONE, PLAIN);
                engine_rig_run(rig, 500);
                unsigned most = lines << secondary;
                assert_int_equal(rig->slice[0].read_count, most < reads ? most : reads);
                engine_rig_free(rig);
            }
}

// 20 lines of one bank, 8 buffers, 3 lines on the fly (segura2022iru, section 3.2.1: "a limited
// number of on-the-fly prefetch requests"; "When a reply comes back, the retrieved data is stored
// in a FIFO queue to be later processed"). Three reads leave at 0, 1 and 2. Each that comes is
// followed by another one in that cycle, until 8 lines have buffers: 3 at 1000, 2 at 2000. The
// entry of the elements is full, so the bank's FIFO takes 32 of them, and no line leaves its buffer
// but the first. Its buffer gets the ninth line. With as many buffers as lines on the fly, 3 lines
// are read, and then 1 more.
static void test_lines(void **state)
{
    (void)state;
    static const struct {
        unsigned lines, buffers, read[3]; // read: before the cycles 1000, 2000 and 9000
    } cases[] = {{0, 3, {3, 4, 4}}, {3, 3, {3, 4, 4}}, {8, 8, {3, 6, 9}}, {2, 2, {2, 3, 3}}};
    static const uint64_t cycles[] = {999, 1999, 8999};
    uint32_t indices[640];
    for (unsigned i = 0; i < 640; i++) indices[i] = i % 32;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        EngineRig *rig = iru_rig_new(1);
        engine_rig_set(rig, "prefetches", 3);
        engine_rig_set(rig, "lines", cases[i].lines);
        rig->latency = 1000;
        iru_rig_begin(rig, indices, NULL, 640, NONE, PLAIN);
        for (unsigned n = 0; n < 3; n++) {
            engine_rig_run(rig, cycles[n]);
            assert_int_equal(engine_rig_counter(rig, "lines"), cases[i].read[n]);
            assert_true(rig->slice[0].read_count <= 3);
        }
        for (const HdStructure *s = mechanism_iru.structures; s->name; s++)
            if (strncmp(s->name, "prefetch", 8) == 0 && s->extent == HD_COMPUTED)
                assert_int_equal(engine_rig_entries(rig, s), cases[i].buffers);
        engine_rig_free(rig);
    }
}

// Each slice keeps the 64 elements that it reads. If all slices share the table, elements go on.
static void test_private(void **state)
{
    (void)state;
    for (unsigned table = IRU_SHARED; table <= IRU_PRIVATE; table++) {
        EngineRig *rig = iru_rig_new(4);
        engine_rig_set(rig, "table", table);
        uint32_t indices[256];
        for (unsigned i = 0; i < 256; i++) indices[i] = 32 * i;
        iru_rig_begin(rig, indices, NULL, 256, NONE, PLAIN);
        for (unsigned i = 0; i < 64; i++) engine_rig_request(rig, i % 4, 0xf, PLAIN, 1000);
        engine_rig_run(rig, 999);
        uint32_t placed = 0;
        for (unsigned n = 0; n < 4; n++) {
            const IruLaunch *launch = rig->slice[n].structures[IRU_LAUNCHES];
            if (table == IRU_PRIVATE) assert_int_equal(launch->placed, 64);
            placed += launch->placed;
        }
        assert_int_equal(placed, 256);
        assert_int_equal(engine_rig_counter(rig, "hops") > 0, table == IRU_SHARED);
        iru_rig_finish(rig);
    }
}

// 3 and 9 are in one line of 128 bytes, and in two sectors of 32 bytes.
static void test_blocks(void **state)
{
    (void)state;
    for (unsigned block = IRU_BLOCK_128; block <= IRU_BLOCK_32; block++) {
        EngineRig *rig = iru_rig_new(1);
        engine_rig_set(rig, "block", block);
        iru_rig_begin(rig, WORDS(3, 9, 4, 10), NULL, 4, NONE, PLAIN);
        engine_rig_request(rig, 0, 0x3, PLAIN, 300);
        engine_rig_request(rig, 0, 0x3, PLAIN, 300);
        engine_rig_run(rig, 400);
        if (block == IRU_BLOCK_32) {
            HAS(rig, 0, 0, 3, 4);
            HAS(rig, 1, 0, 9, 10);
        } else {
            HAS(rig, 0, 0, 3, 9);
            HAS(rig, 1, 0, 4, 10);
        }
        assert_int_equal(engine_rig_counter(rig, "blocks"), 2);
        iru_rig_finish(rig);
    }
}

// Reads of both arrays bypass the L2, or none.
static void test_past(void **state)
{
    (void)state;
    for (unsigned l2 = IRU_THROUGH; l2 <= IRU_PAST; l2++) {
        EngineRig *rig = iru_rig_new(1);
        engine_rig_set(rig, "l2", l2);
        iru_rig_begin(rig, WORDS(1, 2), WORDS(3, 4), 2, NONE, BOTH);
        engine_rig_request(rig, 0, 0x3, BOTH, 300);
        engine_rig_run(rig, 2000);
        assert_int_equal(rig->slice[0].past_l2, l2 == IRU_PAST ? 2 : 0);
        assert_int_equal(engine_rig_counter(rig, "lines"), 1);
        assert_int_equal(engine_rig_counter(rig, "secondary_lines"), 1);
        iru_rig_finish(rig);
    }
}

// ---- invariants ----

// A launch of which one count is wrong afterwards.
static const char *end_with(unsigned wrong)
{
    static char text[256];
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(1, 2, 3, 4), NULL, 4, NONE, PLAIN);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_run(rig, 10000);
    IruBalance *b = rig->slice[0].structures[IRU_BALANCES];
    if (wrong == 1) b->read++;
    if (wrong == 2) b->placed--;
    if (wrong == 3) b->delivered++;
    if (wrong == 4) b->asked++;
    if (wrong == 5) b->enabled--;
    if (wrong == 6) b->disabled++;
    if (wrong == 7) b->partly = 2;
    if (wrong == 8) { // merged without a filter
        b->merged++;
        b->delivered--;
        b->enabled--;
        b->disabled++;
    }
    const char *fault = engine_rig_end(rig, true);
    strncpy(text, fault ? fault : "", sizeof text - 1);
    engine_rig_free(rig);
    return text;
}

static void test_invariants(void **state)
{
    (void)state;
    assert_string_equal(end_with(0), "");
    for (unsigned wrong = 1; wrong <= 8; wrong++)
        if (strncmp(end_with(wrong), "invariant: ", 11) != 0)
            fail_msg("%u: '%s'", wrong, end_with(wrong));
    assert_string_equal(end_with(7), "invariant: 2 partly disabled replies of 1 slices");
}

// The kernel ends before the request is answered.
static void test_request_left(void **state)
{
    (void)state;
    EngineRig *rig = iru_rig_new(1);
    iru_rig_begin(rig, WORDS(1, 2, 3, 4), NULL, 4, NONE, PLAIN);
    engine_rig_request(rig, 0, 0xf, PLAIN, 0);
    engine_rig_run(rig, 50);
    assert_non_null(engine_rig_end(rig, true));
    assert_string_equal(rig->slice[0].fault, "a request is left: expected all to be answered");
    engine_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_entry), cmocka_unit_test(test_full_ring),
        cmocka_unit_test(test_full_buffers), cmocka_unit_test(test_prefetches),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_private), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_past), cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_request_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
