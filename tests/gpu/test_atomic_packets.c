// Global atomics on their way to the L2: the packets that a warp's atomic becomes (section
// `atomics`).
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_word),       cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_a_crowded_word),
    };
    return cmocka_run_group_tests_name("atomic_packets", tests, NULL, NULL);
}
