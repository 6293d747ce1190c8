// The order in which the accesses of one instruction are made (memory.access_order).
#include "support/bench.h"

// Lanes 0, 1 and 2 load from lines 1, 2 and 0 of `in`, then from line `probe`. All words are 0.
static const char loads[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 in, .param .u32 probe)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    ld.param.u32 %r3, [probe];\n"
    "    add.u32 %r2, %r1, 1;\n"
    "    setp.eq.u32 %p1, %r2, 3;\n"
    "    selp.u32 %r2, 0, %r2, %p1;\n"
    "    mul.wide.u32 %rd2, %r2, 128;\n"
    "    add.u64 %rd2, %rd2, %rd1;\n"
    "    ld.global.u32 %r4, [%rd2];\n"
    "    add.u32 %r3, %r3, %r4;\n"
    "    mul.wide.u32 %rd3, %r3, 128;\n"
    "    add.u64 %rd3, %rd3, %rd1;\n"
    "    ld.global.u32 %r5, [%rd3];\n"
    "    ret;\n"
    "}\n";

static uint64_t hits(const char *order, uint32_t probe)
{
    // One set of two lines. All lines are in the L2, so that fills come in the order of misses: the
    // third access waits for the first fill, and takes the place of that line.
    const char *settings[] = {"memory.l1_sizing=fixed", "l1d.size=256B", "l1d.ways=2",
                              "l1d.index=linear", "memory.copy_fills_l2=true", order, NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, loads);
    static const uint8_t zeros[384];
    uint64_t in = bench_array(b, "in", zeros, sizeof zeros); // copied, not only allocated
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .block = {3}, .args = {in, probe}});
    assert_int_equal(r->sm.l1d.accesses, 4);
    uint64_t count = r->sm.l1d.hits;
    bench_free(b);
    return count;
}

// By lanes, lines 1, 2, 0: the last two stay. By address, 2, 1, 0: lines 1 and 0 stay.
static void test_loads(void **state)
{
    (void)state;
    static const uint64_t by_lane[] = {1, 0, 1}, by_address[] = {1, 1, 0};
    for (uint32_t line = 0; line < 3; line++) {
        assert_int_equal(hits("memory.access_order=lane", line), by_lane[line]);
        assert_int_equal(hits("memory.access_order=address", line), by_address[line]);
    }
}

// A packet for each lane, to one word. By lanes, lane l gets the old value l; by address, packets
// of the same address are made in the opposite order.
static void test_atomics(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".visible .entry k(.param .u64 word, .param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    ld.param.u64 %rd1, [word];\n"
        "    ld.param.u64 %rd2, [out];\n"
        "    mul.wide.u32 %rd3, %r1, 4;\n"
        "    add.u64 %rd2, %rd2, %rd3;\n"
        "    atom.global.add.u32 %r2, [%rd1], 1;\n"
        "    st.global.u32 [%rd2], %r2;\n"
        "    ret;\n"
        "}\n";
    for (unsigned by_address = 0; by_address < 2; by_address++) {
        const char *settings[] = {"atomics.coalesce=word",
                                  by_address ? "memory.access_order=address"
                                             : "memory.access_order=lane", NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
        uint64_t word = bench_array(b, "word", NULL, 4), out = bench_array(b, "out", NULL, 128);
        bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {word, out}});
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(bench_word(b, out, l), by_address ? 31 - l : l);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loads),
                                       cmocka_unit_test(test_atomics)};
    return cmocka_run_group_tests_name("access order", tests, NULL, NULL);
}
