// Global atomics on their way to the L2: the packets that a warp's atomic becomes (section
// `atomics`), and what waits for it (core.atomic_wait).
#include "support/bench.h"

// ---- packets ----

// Lane l adds 1 to the word data[map[l]] and keeps the old value.
static const char adds[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 map, .param .u64 data, .param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd1, %r1, 4;\n"
    "    ld.param.u64 %rd2, [map];\n"
    "    ld.param.u64 %rd3, [data];\n"
    "    ld.param.u64 %rd4, [out];\n"
    "    add.u64 %rd2, %rd2, %rd1;\n"
    "    add.u64 %rd4, %rd4, %rd1;\n"
    "    ld.global.u32 %r2, [%rd2];\n"
    "    mul.wide.u32 %rd5, %r2, 4;\n"
    "    add.u64 %rd3, %rd3, %rd5;\n"
    "    atom.global.add.u32 %r3, [%rd3], 1;\n"
    "    st.global.u32 [%rd4], %r3;\n"
    "    ret;\n"
    "}\n";

typedef struct Packets {
    const char *coalesce, *segment, *lanes; // settings
    unsigned packets, accesses;             // expected: packets of the atomic, accesses of the L2
} Packets;

// Makes the atomic with each of the settings. The old values on a word are 0, 1, 2, ..., each once,
// whatever the packets are.
static void check_packets(const uint32_t map[32], const Packets *expected, unsigned count)
{
    for (unsigned i = 0; i < count; i++, expected++) {
        const char *settings[] = {expected->coalesce, expected->segment, expected->lanes, NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, adds);
        uint64_t words = bench_array(b, "map", map, 128), data = bench_array(b, "data", NULL, 1024),
                 out = bench_array(b, "out", NULL, 128);
        const LaunchResult *r = bench_run(
            b, &(BenchLaunch){"k", .grid = {1}, .block = {32}, .args = {words, data, out}});
        uint64_t packets = bench_at(b, r, "atom.global").requests;
        if (packets != expected->packets || r->l2.atomic_accesses != expected->accesses)
            fail_msg("%s %s %s: %u packets, %u accesses; expected %u and %u", expected->coalesce,
                     expected->segment, expected->lanes, (unsigned)packets,
                     (unsigned)r->l2.atomic_accesses, expected->packets, expected->accesses);
        assert_int_equal(r->sm.sm.memory_requests, 2 + packets); // and a load, and a store
        uint32_t seen[256] = {0};
        for (unsigned l = 0; l < 32; l++) seen[map[l]] |= 1u << bench_word(b, out, l);
        for (unsigned w = 0; w < 256; w++)
            assert_int_equal(seen[w], (UINT64_C(1) << bench_word(b, data, w)) - 1);
        bench_free(b);
    }
}

#define LINE "atomics.coalesce=line"
#define WORD "atomics.coalesce=word"
#define MEMORY "atomics.segment=memory" // lines of 128 bytes on this machine
#define SECTOR "atomics.segment=sector"
#define WARP "atomics.lanes=32"
#define HALF "atomics.lanes=16"

// All lanes on one word: a packet each by words, or one for each group of lanes.
static void test_one_word(void **state)
{
    (void)state;
    static const uint32_t map[32] = {0};
    static const Packets expected[] = {{LINE, MEMORY, WARP, 1, 1},   {LINE, SECTOR, HALF, 2, 2},
                                       {WORD, MEMORY, WARP, 32, 32}, {WORD, SECTOR, WARP, 32, 32},
                                       {WORD, SECTOR, HALF, 32, 32}};
    check_packets(map, expected, 5);
}

// Two neighbouring lanes on each second word of a line: words 0, 2, ..., 30, four in each sector.
// By words each packet has one lane of each pair. The L2 looks up a packet sector by sector.
static void test_pairs(void **state)
{
    (void)state;
    uint32_t map[32];
    for (unsigned l = 0; l < 32; l++) map[l] = l / 2 * 2;
    static const Packets expected[] = {{LINE, MEMORY, WARP, 1, 4}, {LINE, SECTOR, WARP, 4, 4},
                                       {LINE, MEMORY, HALF, 2, 4}, {WORD, MEMORY, WARP, 2, 8},
                                       {WORD, SECTOR, WARP, 8, 8}, {WORD, MEMORY, HALF, 4, 8}};
    check_packets(map, expected, 6);
}

// Lanes 0 to 15 on words 0 to 15, lanes 16 to 31 on word 3: the first packet of the lower half line
// (sectors 0 and 1) has 16 lanes, the other 16 packets one each.
static void test_a_crowded_word(void **state)
{
    (void)state;
    uint32_t map[32];
    for (unsigned l = 0; l < 32; l++) map[l] = l < 16 ? l : 3;
    static const Packets expected[] = {{LINE, MEMORY, WARP, 1, 2},
                                       {WORD, MEMORY, WARP, 17, 18},
                                       {WORD, SECTOR, WARP, 18, 18},
                                       {LINE, SECTOR, HALF, 3, 3}};
    check_packets(map, expected, 4);
}

// ---- rate ----

// 20 warps of 32 lanes add to one word of one slice. The unit takes 9 L2 cycles for each lane, or
// one, or one for each packet of 16 lanes; before the first and after the last one lies less than
// the time of an atomic that misses (at most 700 cycles).
static void test_rate(void **state)
{
    (void)state;
    static const struct {
        const char *word_cycles, *lanes;
        uint64_t cycles;
    } rates[] = {{"atomics.word_cycles=9", WARP, 9 * 639 + 1},
                 {"atomics.word_cycles=1", WARP, 640},
                 {"atomics.word_cycles=0", HALF, 40}};
    for (unsigned i = 0; i < 3; i++) {
        const char *settings[] = {LINE, SECTOR, "atomics.words=1", rates[i].word_cycles,
                                  rates[i].lanes, NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, adds);
        uint64_t map = bench_array(b, "map", NULL, 4096), data = bench_array(b, "data", NULL, 1024),
                 out = bench_array(b, "out", NULL, 4096);
        const LaunchResult *r = bench_run(
            b, &(BenchLaunch){"k", .grid = {20}, .block = {32}, .args = {map, data, out}});
        assert_int_equal(bench_word(b, data, 0), 640);
        assert_int_equal(r->l2.atomic_lanes, 640);
        assert_int_equal(r->l2.atomic_unit_cycles, rates[i].cycles);
        assert_in_range(r->l2_cycles, rates[i].cycles, rates[i].cycles + 2 * 700);
        bench_free(b);
    }
}

// ---- waits ----

#define HEAD                                                                                       \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 data)\n"                                                        \
    "{\n"                                                                                          \
    "    .reg .pred %p<3>;\n"                                                                      \
    "    .reg .b32 %r<9>;\n"                                                                       \
    "    .reg .b64 %rd<9>;\n"                                                                      \
    "    .shared .align 4 .b8 place[64];\n"                                                        \
    "    ld.param.u64 %rd1, [data];\n"                                                             \
    "    mov.u32 %r2, 3;\n"                                                                        \
    "    mov.u32 %r1, place;\n"                                                                    \
    "    setp.eq.u32 %p1, %r1, 77;\n"
#define END                                                                                        \
    "    ret;\n"                                                                                   \
    "}\n"
#define USER "    add.u32 %r4, %r3, 1;\n"
#define OTHER "    add.u32 %r4, %r2, 1;\n"

// Cycles that the instruction `text` waits for memory: one warp on one SM, without fetch.
static uint64_t wait_with(const char *atomic_wait, const char *shared_atomics, const char *ptx,
                          const char *text)
{
    const char *settings[] = {"gpu.sms=1", "frontend.perfect=true", "frontend.decode=1",
                              atomic_wait, shared_atomics, NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    uint64_t data = bench_array(b, "data", NULL, 256);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {32}, .args = {data}});
    uint64_t cycles = bench_at(b, r, text).wait_memory;
    bench_free(b);
    return cycles;
}

static uint64_t wait_of(const char *atomic_wait, const char *ptx, const char *text)
{
    return wait_with(atomic_wait, "shared.atomics=serial", ptx, text);
}

#define RESULT "core.atomic_wait=result"
#define WHOLE_WARP "core.atomic_wait=warp"

// With `result` the user of the old value waits and another instruction does not; with `warp` both
// wait for the same reply, from the cycle in which the atomic issued.
static void test_global_atomic(void **state)
{
    (void)state;
    static const char user[] = HEAD "    atom.global.add.u32 %r3, [%rd1], 1;\n" USER END;
    static const char other[] = HEAD "    atom.global.add.u32 %r3, [%rd1], 1;\n" OTHER END;
    uint64_t round_trip = wait_of(RESULT, user, "add.u32 %r4");
    assert_true(round_trip > 100);
    assert_int_equal(wait_of(RESULT, other, "add.u32 %r4"), 0);
    assert_int_equal(wait_of(WHOLE_WARP, user, "add.u32 %r4"), round_trip);
    assert_int_equal(wait_of(WHOLE_WARP, other, "add.u32 %r4"), round_trip);
}

// A reduction has no result: only with `warp` does something wait. Its reply is an acknowledgement
// of one flit. The atomic's has 32 old values, 136 bytes with the header, which take 4.
static void test_reduction(void **state)
{
    (void)state;
    static const char atomic[] = HEAD "    atom.global.add.u32 %r3, [%rd1], 1;\n" OTHER END;
    static const char reduction[] = HEAD "    red.global.add.u32 [%rd1], 1;\n" OTHER END;
    assert_int_equal(wait_of(RESULT, reduction, "add.u32 %r4"), 0);
    assert_int_equal(wait_of(WHOLE_WARP, reduction, "add.u32 %r4"),
                     wait_of(WHOLE_WARP, atomic, "add.u32 %r4") - 3);
}

// In shared memory 32 lanes on one word take 32 passes: 31 cycles more than the 30 of one pass,
// which they take with shared.atomics=together. A plain load blocks nothing, nor does an atomic
// without lanes.
static void test_shared_atomic(void **state)
{
    (void)state;
    static const char atomic[] = HEAD "    atom.shared.add.u32 %r3, [%r1], 1;\n" OTHER END;
    static const char load[] = HEAD "    ld.shared.u32 %r3, [%r1];\n" OTHER END;
    static const char none[] = HEAD "    @%p1 atom.shared.add.u32 %r3, [%r1], 1;\n" OTHER END;
    assert_int_equal(wait_of(RESULT, atomic, "add.u32 %r4"), 0);
    assert_int_equal(wait_of(WHOLE_WARP, atomic, "add.u32 %r4"), 30 + 31);
    assert_int_equal(
        wait_with(WHOLE_WARP, "shared.atomics=together", atomic, "add.u32 %r4"), 30);
    assert_int_equal(wait_of(WHOLE_WARP, load, "add.u32 %r4"), 0);
    assert_int_equal(wait_of(WHOLE_WARP, none, "add.u32 %r4"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_word),       cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_a_crowded_word), cmocka_unit_test(test_global_atomic),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_reduction),      cmocka_unit_test(test_shared_atomic),
    };
    return cmocka_run_group_tests_name("atomic_packets", tests, NULL, NULL);
}
