// The irregular-access reorder unit on streams whose groups follow by hand, and what it refuses.
// Warps and entries have 4 lanes and elements unless a test says otherwise; targets have 4 bytes at
// address 0, so block = index / 32.
#include "mechanisms/iru.h"
#include "unit_rig.h"

#include <string.h>

extern const HdMechanism mechanism_iru;

enum { PLAIN, SECONDARY, POSITION, BOTH }; // instructions
enum { NONE, MIN, ADD };

// ---- help ----

static UnitRig *start(unsigned slices)
{
    UnitRig *rig = unit_rig_new(&mechanism_iru, slices);
    unit_rig_set(rig, "entry", 4);
    return rig;
}

static const char *configure(UnitRig *rig, uint64_t indices, uint64_t secondary, uint32_t count,
                             unsigned filter)
{
    uint64_t values[] = {0, 4, indices, secondary, count, filter};
    return unit_rig_call(rig, "configure", values, 6);
}

// A launch of a kernel with this instruction begins on these indices.
static void begin(UnitRig *rig, const uint32_t *indices, const uint32_t *secondaries,
                  uint32_t count, unsigned filter, unsigned instruction)
{
    uint64_t at = unit_rig_words(rig, indices, count, 0);
    uint64_t secondary = secondaries ? unit_rig_words(rig, secondaries, count, 0) : 0;
    assert_null(configure(rig, at, secondary, count, filter));
    unit_rig_begin(rig, 1u << instruction, true);
}

static void finish(UnitRig *rig)
{
    unit_rig_run(rig, 1000000);
    const char *fault = unit_rig_end(rig, true);
    if (fault) fail_msg("%s", fault);
    unit_rig_free(rig);
}

// The values of lanes 0 and up, of register `reg`.
static void has(const UnitRig *rig, uint32_t request, unsigned reg, unsigned count,
                const uint32_t *values)
{
    const UnitRigRequest *r = &rig->requests[request];
    assert_true(r->answered != UINT64_MAX);
    assert_int_equal(r->reply.predicate, (UINT64_C(1) << count) - 1);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(r->reply.values[reg][lane], lane < count ? values[lane] : 0);
}
#define WORDS(...) (const uint32_t[]){__VA_ARGS__}
#define HAS(rig, request, reg, ...)                                                                \
    has(rig, request, reg, sizeof(WORDS(__VA_ARGS__)) / 4, WORDS(__VA_ARGS__))

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
    UnitRig *rig = start(1);
    begin(rig, WORDS(3, 40, 70, 5, 33, 64, 9, 47, 66, 12, 35, 71), NULL, 12, NONE, POSITION);
    for (unsigned i = 0; i < 3; i++) unit_rig_request(rig, 0, 0xf, POSITION, 300);
    unit_rig_run(rig, 450);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(rig->requests[i].answered, 300 + i);
    HAS(rig, 0, 0, 3, 5, 9, 12);
    HAS(rig, 0, 1, 0, 3, 6, 9);
    HAS(rig, 1, 0, 40, 33, 47, 35);
    HAS(rig, 1, 1, 1, 4, 7, 10);
    HAS(rig, 2, 0, 70, 64, 66, 71);
    HAS(rig, 2, 1, 2, 5, 8, 11);
    assert_int_equal(unit_rig_counter(rig, "replies_by_entry"), 3);
    assert_int_equal(unit_rig_counter(rig, "blocks"), 3);
    assert_int_equal(unit_rig_counter(rig, "beside"), 0);
    assert_int_equal(unit_rig_counter(rig, "read"), 12);
    assert_int_equal(unit_rig_counter(rig, "lines"), 1);
    assert_int_equal(rig->requests[0].reply.bytes[0], 3 * 4 + 4);
    assert_int_equal(rig->requests[0].reply.bytes[1], 3 * 4);
    finish(rig);
}

// The line comes at cycle 100, and its elements are classified from then on, one for each bank in a
// cycle. Each cycle from 101 on inserts one into either bank: set 1 has 40 33 47 35 at cycle 104,
// sets 0 and 2 have 3 70 5 64 9 66 12 71 at cycle 108. So the second group is full first.
static void test_cycles(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(3, 40, 70, 5, 33, 64, 9, 47, 66, 12, 35, 71), NULL, 12, NONE, PLAIN);
    uint32_t first = unit_rig_request(rig, 0, 0xf, PLAIN, 50);
    uint32_t second = unit_rig_request(rig, 0, 0xf, PLAIN, 50);
    uint32_t third = unit_rig_request(rig, 0, 0xf, PLAIN, 50);
    unit_rig_run(rig, 200);
    HAS(rig, first, 0, 40, 33, 47, 35);
    assert_int_equal(rig->requests[first].answered, 104);
    HAS(rig, second, 0, 3, 5, 9, 12);
    assert_int_equal(rig->requests[second].answered, 107);
    HAS(rig, third, 0, 70, 64, 66, 71);
    assert_int_equal(rig->requests[third].answered, 108);
    assert_int_equal(rig->requests[first].reply.bytes[0], 16);
    assert_int_equal(rig->requests[first].reply.bytes[1], 0);
    finish(rig);
}

// b: blocks 0 and 1025 share set 0.
static void test_collision(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(3, 32800, 5, 32801), NULL, 4, NONE, PLAIN);
    unit_rig_request(rig, 0, 0xf, PLAIN, 0);
    unit_rig_run(rig, 450);
    HAS(rig, 0, 0, 3, 32800, 5, 32801);
    assert_int_equal(unit_rig_counter(rig, "blocks"), 2);
    assert_int_equal(unit_rig_counter(rig, "beside"), 3);
    assert_int_equal(unit_rig_counter(rig, "replies_by_entry"), 1);
    finish(rig);
}

// c: the smaller secondary and its position; the lanes without an element come last.
static void test_min(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(7, 7, 40, 7, 8), WORDS(9, 4, 2, 6, 1), 5, MIN, BOTH);
    uint32_t four = unit_rig_request(rig, 0, 0xf, BOTH, 0);
    uint32_t one = unit_rig_request(rig, 0, 1, BOTH, 0);
    unit_rig_run(rig, 10000);
    HAS(rig, four, 0, 7, 8, 40);
    HAS(rig, four, 1, 4, 1, 2);
    HAS(rig, four, 2, 1, 4, 2);
    assert_int_equal(rig->requests[one].reply.predicate, 0);
    assert_int_equal(rig->requests[one].reply.bytes[0], 4);
    assert_int_equal(rig->requests[one].reply.bytes[1], 0);
    assert_int_equal(rig->requests[four].reply.bytes[0], 13);
    assert_int_equal(rig->requests[four].reply.bytes[1], 21);
    assert_int_equal(unit_rig_counter(rig, "merged"), 2);
    assert_int_equal(unit_rig_counter(rig, "disabled"), 2);
    assert_int_equal(unit_rig_counter(rig, "partly_disabled"), 1);
    assert_int_equal(unit_rig_counter(rig, "all_disabled"), 1);
    assert_int_equal(unit_rig_counter(rig, "replies_by_end"), 2);
    finish(rig);
}

static void test_add(void **state)
{
    (void)state;
    const uint32_t weights[] = {bits_of(.5f), bits_of(.25f), bits_of(1), bits_of(2)};
    UnitRig *rig = start(1);
    begin(rig, WORDS(7, 7, 9, 7), weights, 4, ADD, BOTH);
    unit_rig_request(rig, 0, 0xf, BOTH, 0);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 0, 7, 9);
    HAS(rig, 0, 1, bits_of(2.75f), bits_of(1));
    HAS(rig, 0, 2, 0, 2);
    finish(rig);
}

static void test_none(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(7, 7, 7, 8), NULL, 4, NONE, PLAIN);
    unit_rig_request(rig, 0, 0xf, PLAIN, 0);
    unit_rig_run(rig, 450);
    HAS(rig, 0, 0, 7, 7, 7, 8);
    finish(rig);
}

// Equal secondaries, and none at all: the earlier element stays. Secondaries are unsigned. A sum
// is rounded to even.
static void test_ties(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(7, 7, 8, 8), WORDS(5, 5, UINT32_MAX, 0), 4, MIN, BOTH);
    unit_rig_request(rig, 0, 0xf, BOTH, 0);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 1, 5, 0);
    HAS(rig, 0, 2, 0, 3);
    finish(rig);
    rig = start(1);
    begin(rig, WORDS(7, 8, 7), NULL, 3, MIN, POSITION);
    unit_rig_request(rig, 0, 0xf, POSITION, 0);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 1, 0, 1);
    finish(rig);
    const uint32_t odd[] = {bits_of(16777217.f), bits_of(1), bits_of(16777218.f), bits_of(1),
                            0x7f800000, 0xff800000};
    rig = start(1);
    begin(rig, WORDS(7, 7, 8, 8, 9, 9), odd, 6, ADD, SECONDARY);
    unit_rig_request(rig, 0, 0xf, SECONDARY, 0);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 1, bits_of(16777216.f), bits_of(16777220.f), 0x7fffffff);
    finish(rig);
}

// d: what a waiting request takes can no more be merged with; an entry that is full can.
static void test_merge_late(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(1, 2, 3, 4, 1), WORDS(9, 9, 9, 9, 8), 5, MIN, BOTH);
    unit_rig_request(rig, 0, 0xf, BOTH, 0);
    unit_rig_request(rig, 0, 0x1, BOTH, 0);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 0, 1, 2, 3, 4);
    HAS(rig, 0, 2, 0, 1, 2, 3);
    HAS(rig, 1, 0, 1);
    HAS(rig, 1, 2, 4);
    assert_int_equal(unit_rig_counter(rig, "merged"), 0);
    finish(rig);
    rig = start(1);
    begin(rig, WORDS(1, 2, 3, 4, 1), WORDS(9, 9, 9, 9, 8), 5, MIN, BOTH);
    unit_rig_request(rig, 0, 0xf, BOTH, 300);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 0, 1, 2, 3, 4);
    HAS(rig, 0, 1, 8, 9, 9, 9);
    HAS(rig, 0, 2, 4, 1, 2, 3);
    assert_int_equal(unit_rig_counter(rig, "merged"), 1);
    finish(rig);
}

// The line at `line` of the array comes at a cycle of the test's choice.
static uint64_t second_line_at;
static uint64_t latency_of(const UnitRig *rig, uint64_t line)
{
    return line == UNIT_RIG_BASE ? 20 : second_line_at - rig->cycle;
}

// 4 elements at the end of a line, then others that come later. offset: words in front of them.
static UnitRig *start_two_lines(const uint32_t *indices, uint32_t count, unsigned first,
                                uint64_t second_at)
{
    UnitRig *rig = start(1);
    rig->latency_of = latency_of;
    second_line_at = second_at;
    uint64_t at = unit_rig_words(rig, indices, count, 32 - first);
    assert_null(configure(rig, at, 0, count, NONE));
    unit_rig_begin(rig, 1, true);
    return rig;
}

// e: at the timeout the entries with most elements, then those of the lowest set.
static void test_timeout(void **state)
{
    (void)state;
    UnitRig *rig = start_two_lines(WORDS(3, 40, 41, 70, 1), 5, 4, 5000);
    unit_rig_request(rig, 0, 0xf, PLAIN, 100);
    unit_rig_run(rig, 599);
    assert_true(rig->requests[0].answered == UINT64_MAX);
    unit_rig_run(rig, 600);
    HAS(rig, 0, 0, 40, 41, 3, 70);
    assert_int_equal(rig->requests[0].answered, 600);
    assert_int_equal(unit_rig_counter(rig, "replies_by_timeout"), 1);
    unit_rig_request(rig, 0, 0x1, PLAIN, 700);
    finish(rig);
    rig = start_two_lines(WORDS(3, 40, 41, 70, 33, 42), 6, 4, 398);
    unit_rig_request(rig, 0, 0xf, PLAIN, 100);
    unit_rig_run(rig, 450);
    HAS(rig, 0, 0, 40, 41, 33, 42);
    assert_int_equal(rig->requests[0].answered, 400);
    unit_rig_request(rig, 0, 0x3, PLAIN, 700);
    finish(rig);
    rig = start_two_lines(WORDS(3, 40, 41, 70), 4, 3, 3000); // three elements
    unit_rig_request(rig, 0, 0xf, PLAIN, 100);
    unit_rig_run(rig, 2999);
    assert_true(rig->requests[0].answered == UINT64_MAX);
    unit_rig_run(rig, 3010);
    HAS(rig, 0, 0, 40, 41, 3, 70);
    finish(rig);
}

// The best entry while elements come: of equal ones the lower set, even if another one was best
// before; and one with more elements.
static void test_best(void **state)
{
    (void)state;
    UnitRig *rig = start_two_lines(WORDS(40, 41, 3, 5, 1), 5, 4, 5000);
    unit_rig_set(rig, "banks", 1); // they come in their order
    unit_rig_request(rig, 0, 0xf, PLAIN, 0);
    unit_rig_request(rig, 0, 1, PLAIN, 0);
    unit_rig_run(rig, 500);
    HAS(rig, 0, 0, 3, 5, 40, 41);
    finish(rig);
    rig = start_two_lines(WORDS(40, 70, 71, 100, 1), 5, 4, 5000);
    unit_rig_set(rig, "banks", 1);
    unit_rig_request(rig, 0, 0xf, PLAIN, 0);
    unit_rig_request(rig, 0, 1, PLAIN, 0);
    unit_rig_run(rig, 500);
    HAS(rig, 0, 0, 70, 71, 40, 100);
    finish(rig);
}

// The shorter way; of two equal ones, forward: 0 to 2 by slice 1, and 2 to 0 by slice 3.
static void test_way(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 0; to < 4; to++) {
            UnitRig *rig = start(4);
            uint32_t index = 32 * to;
            uint64_t at = unit_rig_words(rig, &index, 1, 64 * from);
            assert_null(configure(rig, at, 0, 1, NONE));
            unit_rig_begin(rig, 1, true);
            unit_rig_request(rig, to, 1, PLAIN, 0);
            unit_rig_run(rig, 400);
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
            finish(rig);
        }
}

// One element goes into each bank in a cycle, though the ring and the own FIFO have one.
static void test_banks(void **state)
{
    (void)state;
    UnitRig *rig = start(3);
    uint32_t indices[192]; // 64 in each slice, all for bank 0 of slice 1
    for (unsigned i = 0; i < 192; i++) indices[i] = 32 * (7 + 6 * (i % 60));
    begin(rig, indices, NULL, 192, NONE, PLAIN);
    const IruLaunch *launch = rig->slice[1].structures[IRU_LAUNCHES];
    uint32_t placed = 0, cycles = 0;
    while (launch->placed < 192) {
        unit_rig_run(rig, rig->cycle);
        assert_true(rig->cycle < 1000 && launch->placed <= placed + 1);
        cycles += placed > 0;
        placed = launch->placed;
    }
    assert_int_equal(cycles, 191);
    for (unsigned i = 0; i < 48; i++) unit_rig_request(rig, 1, 0xf, PLAIN, 1000);
    finish(rig);
}

// f: four slices, 8 elements in each: one reply with all lanes.
static void test_tails(void **state)
{
    (void)state;
    for (unsigned slice = 0; slice < 4; slice++) {
        UnitRig *rig = start(4);
        unit_rig_set(rig, "entry", 32);
        uint32_t indices[32];
        for (unsigned i = 0; i < 32; i++) indices[i] = 32 * i;
        begin(rig, indices, NULL, 32, NONE, PLAIN);
        unit_rig_request(rig, slice, UINT32_MAX, PLAIN, 0);
        unit_rig_run(rig, 2000);
        const UnitRigRequest *r = &rig->requests[0];
        assert_int_equal(r->reply.predicate, UINT32_MAX);
        uint32_t seen = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            seen |= UINT32_C(1) << r->reply.values[0][lane] / 32;
            assert_int_equal(r->reply.values[0][lane] % 32, 0);
        }
        assert_int_equal(seen, UINT32_MAX);
        assert_int_equal(unit_rig_counter(rig, "blocks"), 32);
        assert_int_equal(unit_rig_counter(rig, "partly_disabled"), 0);
        finish(rig);
    }
}

// g: all elements in one slice, all requests at another one.
static void test_one_slice(void **state)
{
    (void)state;
    UnitRig *rig = start(4);
    uint32_t indices[300];
    for (unsigned i = 0; i < 300; i++) indices[i] = 32 + i % 32;
    begin(rig, indices, NULL, 300, NONE, PLAIN);
    for (unsigned i = 0; i < 75; i++) unit_rig_request(rig, 3, 0xf, PLAIN, i);
    unit_rig_run(rig, 100000);
    for (unsigned i = 0; i < 75; i++) {
        assert_int_equal(rig->requests[i].reply.predicate, 0xf);
        assert_true(rig->requests[i].answered_by == 1);
    }
    finish(rig);
}

// ---- lanes and counts ----

// Elements go to lanes in ascending order, and lanes behind the count get none.
static void test_lanes(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    begin(rig, WORDS(9, 8, 7), NULL, 3, NONE, POSITION);
    unit_rig_request(rig, 0, 0x92, POSITION, 0); // lanes 1, 4 and 7
    unit_rig_request(rig, 0, 0x80000001, POSITION, 0);
    unit_rig_run(rig, 10000);
    const HdUnitReply *reply = &rig->requests[0].reply;
    assert_int_equal(reply->predicate, 0x92);
    assert_int_equal(reply->values[0][1], 9);
    assert_int_equal(reply->values[0][4], 8);
    assert_int_equal(reply->values[0][7], 7);
    assert_int_equal(reply->values[1][7], 2);
    assert_int_equal(rig->requests[1].reply.predicate, 0);
    assert_int_equal(unit_rig_counter(rig, "asked"), 5);
    assert_int_equal(unit_rig_counter(rig, "enabled"), 3);
    assert_int_equal(unit_rig_counter(rig, "disabled"), 2);
    finish(rig);
}

static void test_no_elements(void **state)
{
    (void)state;
    for (unsigned slices = 1; slices <= 4; slices += 3) {
        UnitRig *rig = start(slices);
        assert_null(configure(rig, 0, 0, 0, NONE));
        unit_rig_begin(rig, 1, true);
        for (unsigned i = 0; i < 8; i++) unit_rig_request(rig, i % slices, 0xff, PLAIN, i);
        unit_rig_run(rig, 10000);
        for (unsigned i = 0; i < 8; i++) assert_true(rig->requests[i].answered < 500);
        assert_int_equal(unit_rig_counter(rig, "disabled"), 64);
        finish(rig);
    }
}

// Index and secondary in different slices: the words come over the ring.
static void test_foreign(void **state)
{
    (void)state;
    UnitRig *rig = start(4);
    uint32_t indices[128], secondaries[128];
    for (unsigned i = 0; i < 128; i++) {
        indices[i] = 2 * i;
        secondaries[i] = 1000 + i;
    }
    uint64_t at = unit_rig_words(rig, indices, 128, 0);          // slices 0 and 1
    uint64_t secondary = unit_rig_words(rig, secondaries, 128, 5); // slices 2 and 3, 20 bytes later
    assert_null(configure(rig, at, secondary, 128, NONE));
    assert_int_equal(hd_slice_of(&rig->slice[0].place, at), 0);
    unit_rig_begin(rig, 1u << BOTH, true);
    for (unsigned i = 0; i < 32; i++) unit_rig_request(rig, i % 4, 0xf, BOTH, i);
    unit_rig_run(rig, 100000);
    for (unsigned i = 0; i < 32; i++)
        for (unsigned lane = 0; lane < 4; lane++) {
            const HdUnitReply *reply = &rig->requests[i].reply;
            assert_int_equal(reply->values[0][lane], 2 * reply->values[2][lane]);
            assert_int_equal(reply->values[1][lane], 1000 + reply->values[2][lane]);
        }
    assert_int_equal(unit_rig_counter(rig, "foreign"), 128);
    finish(rig);
}

// A kernel without the instruction leaves the unit idle, and the configuration as it is.
static void test_other_kernel(void **state)
{
    (void)state;
    UnitRig *rig = start(2);
    uint64_t at = unit_rig_words(rig, WORDS(1, 2, 3, 4), 4, 0);
    assert_null(configure(rig, at, 0, 4, NONE));
    unit_rig_begin(rig, 0, true);
    unit_rig_run(rig, 100);
    assert_null(unit_rig_end(rig, true));
    assert_int_equal(unit_rig_counter(rig, "read"), 0);
    unit_rig_begin(rig, 1, true);
    unit_rig_request(rig, 0, 0xf, PLAIN, 200);
    unit_rig_run(rig, 10000);
    HAS(rig, 0, 0, 1, 2, 3, 4);
    finish(rig);
}

// ---- launches without time ----

static void test_functional(void **state)
{
    (void)state;
    UnitRig *rig = start(3);
    uint64_t at = unit_rig_words(rig, WORDS(7, 7, 40, 3, 5), 5, 0);
    uint64_t secondary = unit_rig_words(rig, WORDS(1, 2, 3, 4, 5), 5, 0);
    assert_null(configure(rig, at, secondary, 5, MIN));
    unit_rig_begin(rig, 1u << BOTH, false);
    HdUnitReply first = unit_rig_execute(rig, 0xb, BOTH), second = unit_rig_execute(rig, 7, BOTH);
    assert_int_equal(first.predicate, 0xb);
    assert_int_equal(first.values[0][1], 7);
    assert_int_equal(first.values[0][3], 40);
    assert_int_equal(first.values[1][3], 3);
    assert_int_equal(first.values[2][3], 2);
    assert_int_equal(second.predicate, 3);
    assert_int_equal(second.values[0][0], 3);
    assert_null(unit_rig_end(rig, false));
    unit_rig_free(rig);
}

// A launch is cut at any cycle: the rest comes functionally, and nothing is there twice.
static void test_cut(void **state)
{
    (void)state;
    for (unsigned cycle = 0; cycle < 400; cycle += 7) {
        UnitRig *rig = start(3);
        unit_rig_set(rig, "ring", 2);
        unit_rig_set(rig, "sets", 2);
        uint32_t indices[400];
        bool seen[400] = {0};
        for (unsigned i = 0; i < 400; i++) indices[i] = 7 * i;
        begin(rig, indices, NULL, 400, NONE, POSITION);
        for (unsigned i = 0; i < 10; i++) unit_rig_request(rig, i % 3, 0xf, POSITION, 110 + i);
        unit_rig_run(rig, cycle);
        unsigned left = 400;
        for (unsigned i = 0; i < 10; i++)
            if (rig->requests[i].answered != UINT64_MAX)
                for (unsigned lane = 0; lane < 4; lane++, left--)
                    seen[rig->requests[i].reply.values[1][lane]] = true;
        unsigned held = 0; // with requests that the core would have seen answered first
        for (unsigned i = 0; i < 10; i++)
            held += rig->requests[i].taken && rig->requests[i].answered == UINT64_MAX;
        if (held) {
            unit_rig_free(rig);
            continue;
        }
        for (; left; left -= left < 32 ? left : 32) {
            HdUnitReply reply = unit_rig_execute(rig, UINT32_MAX >> (left < 32 ? 32 - left : 0),
                                                 POSITION);
            assert_int_equal(__builtin_popcount(reply.predicate), left < 32 ? left : 32);
            for (unsigned lane = 0; lane < 32 && lane < left; lane++) {
                uint32_t position = reply.values[1][lane];
                assert_false(seen[position]);
                seen[position] = true;
                assert_int_equal(reply.values[0][lane], 7 * position);
            }
        }
        const char *fault = unit_rig_end(rig, false);
        if (fault) fail_msg("cut at %u: %s", cycle, fault);
        unit_rig_free(rig);
    }
}

// ---- what is refused ----

static void test_refused_calls(void **state)
{
    (void)state;
    uint32_t words[64] = {0};
    UnitRig *rig = start(2);
    uint64_t at = unit_rig_words(rig, words, 64, 0), end = at + 256;
    const struct {
        uint64_t values[6];
        const char *message;
    } refused[] = {
        {{0, 0, at, 0, 4, 0}, "expected a type size of the target from 1 to 4294967295 bytes"},
        {{0, 4, at, 0, UINT64_C(1) << 32, 0}, "expected a count of at most 4294967295"},
        {{0, 4, at, 0, 4, 3}, "expected the filter 0 (none), 1 (min) or 2 (add)"},
        {{0, 4, at, 0, 4, 2}, "expected a secondary array for the filter add"},
        {{5, 4, at, 0, 4, 0}, "expected a target in an allocation, or 0"},
        {{0, 4, end, 0, 4, 0}, "expected indices in an allocation"},
        {{0, 4, 0, 0, 4, 0}, "expected indices in an allocation"},
        {{0, 4, at + 2, 0, 4, 0}, "expected indices at a multiple of 4 bytes"},
        {{0, 4, at + 4, 0, 64, 0},
         "expected as many indices as the count, 4 bytes each, in one allocation"},
        {{0, 4, at, end, 4, 0}, "expected a secondary array in an allocation, or 0"},
        {{0, 4, at, at + 1, 4, 0}, "expected a secondary array at a multiple of 4 bytes"},
        {{0, 4, at, at + 4, 64, 0},
         "expected as many secondaries as the count, 4 bytes each, in one allocation"},
    };
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_string_equal(unit_rig_call(rig, "configure", refused[i].values, 6),
                            refused[i].message);
    const char *form = "expected configure(target, type size, indices, secondary or 0, count, "
                       "filter)";
    const uint64_t good[] = {at, 4, at, 0, 64, 0};
    assert_string_equal(unit_rig_call(rig, "configure", good, 5), form);
    assert_string_equal(unit_rig_call(rig, "set", good, 6), form);
    assert_null(unit_rig_call(rig, "configure", good, 6));
    assert_string_equal(unit_rig_call(rig, "configure", good, 6),
                        "expected one configuration for each launch: no launch has used the last "
                        "one");
    unit_rig_free(rig);
}

static void faults(UnitRig *rig, const char *text, uint32_t pc)
{
    assert_non_null(unit_rig_fault(rig));
    assert_string_equal(unit_rig_fault(rig), text);
    assert_int_equal(rig->slice[0].fault_pc, pc);
    unit_rig_free(rig);
}

static void test_refused_kernels(void **state)
{
    (void)state;
    UnitRig *rig = start(2);
    unit_rig_begin(rig, 1, true);
    unit_rig_request(rig, 0, 0xf, PLAIN, 0);
    unit_rig_run(rig, 10000);
    assert_int_equal(rig->requests[0].reply.predicate, 0); // it does not hang
    faults(rig, "load_iru without a configuration: expected a call configure(...) before the "
                "launch", 7);
    rig = start(2);
    rig->allocated = 1u << 30; // for the check; nothing is read
    const char *wrong = configure(rig, UNIT_RIG_BASE, 0, (1 << 24) + 1, NONE);
    if (wrong) fail_msg("%s", wrong);
    unit_rig_begin(rig, 1u << POSITION, true);
    faults(rig, "positions of 16777217 elements: expected at most 2^24 (16777216)", 7);
    for (uint32_t position = 0; position < 2; position++) {
        rig = start(2);
        rig->allocated = 1u << 30;
        assert_null(configure(rig, UNIT_RIG_BASE, 0, (1 << 24) + 1 - position, NONE));
        unit_rig_begin(rig, 1u << (position ? POSITION : PLAIN), true);
        assert_null(unit_rig_fault(rig));
        unit_rig_free(rig);
    }
    rig = start(1);
    begin(rig, WORDS(1, 2), NULL, 2, NONE, SECONDARY);
    faults(rig, "load_iru.secondary without secondaries: expected a secondary array in "
                "configure(...)", 7);
}

static void test_refused_indices(void **state)
{
    (void)state;
    for (unsigned timed = 0; timed < 2; timed++) {
        UnitRig *rig = start(1);
        uint64_t at = unit_rig_words(rig, WORDS(1, 16777215, 16777216), 3, 0);
        assert_null(configure(rig, at, 0, 3, NONE));
        unit_rig_begin(rig, 1, timed);
        if (!timed) unit_rig_execute(rig, 7, PLAIN);
        unit_rig_run(rig, 1000);
        faults(rig, "index 16777216 at position 2: expected less than 2^24 (16777216)", HD_NO_PC);
    }
}

// A kernel that leaves elements: all slices become idle, and its end fails.
static void test_left(void **state)
{
    (void)state;
    for (unsigned slices = 1; slices <= 6; slices++) {
        UnitRig *rig = start(slices);
        unit_rig_set(rig, "ring", 1);
        unit_rig_set(rig, "sets", 1);
        uint32_t indices[400];
        for (unsigned i = 0; i < 400; i++) indices[i] = 40 * i;
        begin(rig, indices, NULL, 400, NONE, PLAIN);
        unit_rig_request(rig, 0, 0xff, PLAIN, 0);
        unit_rig_run(rig, 1000000);
        assert_true(rig->cycle < 20000);
        assert_string_equal(unit_rig_end(rig, true),
                            "392 of 400 elements are left at the end of the kernel: expected "
                            "threads that load all");
        unit_rig_free(rig);
        rig = start(slices);
        uint64_t at = unit_rig_words(rig, indices, 10, 0);
        assert_null(configure(rig, at, 0, 10, NONE));
        unit_rig_begin(rig, 1, false);
        unit_rig_execute(rig, 0xff, PLAIN);
        assert_string_equal(unit_rig_end(rig, false), "elements are left at the end of the "
                                                      "kernel: expected threads that load all 10");
        unit_rig_free(rig);
    }
}

// An array that has been freed is none.
static void test_release(void **state)
{
    (void)state;
    UnitRig *rig = start(1);
    uint64_t at = unit_rig_words(rig, WORDS(1, 2), 2, 0);
    assert_null(configure(rig, at, 0, 2, NONE));
    mechanism_iru.l2.on_release(&rig->slice[0].place, at + 256, 256);
    assert_non_null(configure(rig, at, 0, 2, NONE));
    mechanism_iru.l2.on_release(&rig->slice[0].place, at, 8);
    assert_null(configure(rig, at, 0, 2, NONE));
    unit_rig_free(rig);
}

// ---- storage ----

static void test_storage(void **state)
{
    (void)state;
    static const double kilobytes[] = {2, 1.75, 1.25, 2.8125, 80};
    static const char *const parts[] = {"requests", "prefetch buffer", "classifier", "ring",
                                        "table"};
    UnitRig *rig = unit_rig_new(&mechanism_iru, 4);
    for (unsigned part = 0; part < 5; part++) {
        double bits = 0;
        for (const HdStructure *s = mechanism_iru.structures; s->name; s++) {
            size_t length = strlen(parts[part]);
            if (strncmp(s->name, parts[part], length) == 0 &&
                (!s->name[length] || s->name[length] == ':'))
                bits += rig->parameters[s->entries] * s->bits;
        }
        assert_true(bits / 8192 == kilobytes[part]);
    }
    unit_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_collision), cmocka_unit_test(test_min), cmocka_unit_test(test_add),
        cmocka_unit_test(test_none), cmocka_unit_test(test_ties),
        cmocka_unit_test(test_merge_late), cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_best), cmocka_unit_test(test_way),
        cmocka_unit_test(test_banks), cmocka_unit_test(test_tails), cmocka_unit_test(test_one_slice),
        cmocka_unit_test(test_lanes), cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_foreign), cmocka_unit_test(test_other_kernel),
        cmocka_unit_test(test_functional), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_refused_calls), cmocka_unit_test(test_refused_kernels),
        cmocka_unit_test(test_refused_indices), cmocka_unit_test(test_left),
        cmocka_unit_test(test_release), cmocka_unit_test(test_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
