// The table of waves: its size, and which of its entries keep a warp from one of its own
// (scalar.entries, scalar.match).
#include "waves_bench.h"

// ---- the size ----

// 192 warps make ten scalar loads each from shared memory, none of which waits for another one: 120
// waves of 16. The unit takes one in a cycle, and has the data some 30 cycles later, so fewer than
// 52 waves are in flight at once, and 12 have not issued. A table of 16 is full, larger ones never
// are.
static uint64_t cycles_of_loads(const char *entries, uint64_t *full)
{
#define LOAD(n) "    ld.shared.u32 %r" #n ", [table];\n"
    static const char ptx[] = KERNEL("    .shared .b32 table[1];\n",
        LOAD(3) LOAD(4) LOAD(5) LOAD(6) LOAD(7) LOAD(8) LOAD(9) LOAD(10) LOAD(11) LOAD(12));
    const char *settings[] = {SM, "scalar.members=consecutive", entries, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 4);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .grid = {3}, .block = {512}, .args = {to, to}});
    uint64_t cycles = r->cycles;
    *full = r->sm.groups.wave_table_full;
    bench_free(b);
    return cycles;
}

static void test_size(void **state)
{
    (void)state;
    uint64_t full[3], cycles[3];
    static const char *const entries[3] = {"scalar.entries=16", "scalar.entries=64",
                                           "scalar.entries=192"};
    for (unsigned i = 0; i < 3; i++) cycles[i] = cycles_of_loads(entries[i], &full[i]);
    assert_true(full[0] > 0);
    assert_int_equal(full[1], 0);
    assert_int_equal(full[2], 0);
    assert_true(cycles[0] > cycles[1]);
    assert_int_equal(cycles[1], cycles[2]);
}

// ---- which entries match ----

// Warps 2 and 3 come to a scalar load after warps 0 and 1, whose wave is in flight for 300 cycles
// and more from the DRAM. Their load issues in a wave of another entry; or waits for this one,
// though 15 are free. Returns the cycles between the issues of both.
static uint32_t cycles_apart(const char *match, uint64_t *full)
{
    static const char ptx[] = KERNEL("",
        "    setp.ge.u32 %p1, %r2, 2;\n"
        "    @!%p1 bra L;\n"
        "    add.u32 %r1, %r1, 1;\n"
        "    add.u32 %r1, %r1, 1;\n"
        "    add.u32 %r1, %r1, 1;\n"
        "L:\n"
        "    ld.global.u32 %r6, [%rd1];\n"
        "    mov.u32 %r7, %clock;\n"
        "    add.u32 %r6, %r6, %r7;\n"
        "    st.global.u32 [%rd5], %r6;\n");
    const char *settings[] = {SM, BUFFERED, match, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t in = bench_array(b, "in", NULL, 4), to = bench_array(b, "out", NULL, 128);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {in, to}});
    uint32_t cycles = bench_word(b, to, 16) - bench_word(b, to, 0);
    *full = r->sm.groups.wave_table_full;
    bench_free(b);
    return cycles;
}

static void test_match(void **state)
{
    (void)state;
    uint64_t full;
    assert_in_range(cycles_apart("scalar.match=open", &full), 10, 100);
    assert_int_equal(full, 0);
    assert_in_range(cycles_apart("scalar.match=all", &full), 300, 800);
    assert_true(full >= 2 * 200);
}

// ---- packing ----

// 16 warps of one register entry execute 20 scalar instructions, each of which depends on the one
// before. Warps 8 to 15 come to the first one a few cycles late, behind two vector instructions of
// their own. With room in the table each half opens waves of its own, which issue at once: the
// halves never meet. With one entry the first half waits for it at its second instruction, while
// the second half is at the first one; from there on, waves have 16 members. Six scalar
// instructions before are of all warps.
static void expect_packing(const char *entries, uint64_t halves, uint64_t whole)
{
#define ADD "    add.u32 %r6, %r6, 3;\n"
#define FIVE ADD ADD ADD ADD ADD
    static const char ptx[] = KERNEL("",
        "    mov.u32 %r6, %ctaid.x;\n"
        "    setp.lt.u32 %p1, %r2, 8;\n"
        "    bar.sync 0;\n"
        "    @%p1 bra L;\n"
        "    add.u32 %r3, %r1, 1;\n"
        "    add.u32 %r3, %r3, 1;\n"
        "L:\n" FIVE FIVE FIVE FIVE
        "    st.global.u32 [%rd5], %r6;\n");
    const char *settings[] = {SM, BUFFERED, "frontend.fetch_bytes=512B", entries, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 512);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {128}, .args = {to, to}});
    assert_int_equal(r->sm.waves[8], halves);
    assert_int_equal(r->sm.waves[16], whole);
    for (unsigned i = 0; i < 128; i++) assert_int_equal(bench_word(b, to, i), 60);
    bench_free(b);
}

static void test_packing(void **state)
{
    (void)state;
    expect_packing("scalar.entries=16", 2 * 20, 6);
    expect_packing("scalar.entries=1", 2, 6 + 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_packing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
