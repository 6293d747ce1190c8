// Which warps a wave can have, and where it issues (scalar.members).
#include "waves_bench.h"

#include "core/issue/scheduler.h"

// ---- the wave and lane of a warp ----

typedef struct Place {
    unsigned swid, lane;
} Place;

static void expect_places(const char *members, const Place expected[3])
{
    static const unsigned warps[3] = {37, 130, 191};
    const char *settings[] = {members, NULL};
    Machine machine = bench_machine("fermi-c2050-gw8", settings);
    unsigned count = machine.core.threads / machine.core.width;
    assert_int_equal(count, 192);
    SmConfig config = {.core = &machine.core, .scalar = &machine.scalar, .units = &machine.units,
                       .path = &machine.path};
    Blocks blocks = {.warps = aligned_alloc(_Alignof(Warp), count * sizeof *blocks.warps)};
    assert_non_null(blocks.warps);
    memset(blocks.warps, 0, count * sizeof *blocks.warps);
    for (unsigned i = 0; i < count; i++) blocks.warps[i].id = (uint16_t)i;
    Issue issue = {0};
    HdTables tables = {0};
    assert_true(issue_init(&issue, &config, &blocks, NULL, &tables));
    for (unsigned i = 0; i < 3; i++) {
        const Warp *w = &blocks.warps[warps[i]];
        assert_int_equal(w->banks.scalar_entry, expected[i].swid);
        assert_int_equal(w->group.wave_lane, expected[i].lane);
    }
    hd_tables_free(&tables);
    free(blocks.warps);
}

// 192 warps, 16 to a wave. Of the SM, warp w has Scalar-Wave ID w / 16 and lane w % 16. Of four
// schedulers, the pair w / 2 is at scheduler s = w / 2 % 4, where the warp is number
// l = w / 8 * 2 + w % 2 of 48, with ID 3 s + l / 16 and lane l % 16:
//     37: pair 18, scheduler 2, number 9     130: pair 65, 1, 32     191: pair 95, 3, 47
static void test_places(void **state)
{
    (void)state;
    expect_places("scalar.members=consecutive", (const Place[]){{2, 5}, {8, 2}, {11, 15}});
    expect_places("scalar.members=fixed", (const Place[]){{6, 9}, {5, 0}, {11, 15}});
}

// ---- waves ----

// Warps leave a barrier at a scalar read of the clock. 64 warps are four waves of 16, either way;
// each scheduler issues one, in the cycle in which the barrier opens or in the next one. 32 warps
// are two waves of 16 consecutive ones, but four of the 8 warps that a scheduler has. The warp that
// opens the barrier joins behind the turns of the schedulers, and may miss its wave.
static void expect_waves(const char *members, unsigned warps, unsigned of, unsigned number)
{
    static const char ptx[] = KERNEL("",
        "    bar.sync 0;\n"
        "    mov.u32 %r5, %clock;\n"
        "    st.global.u32 [%rd5], %r5;\n");
    const char *settings[] = {SM, BUFFERS, members, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 2048);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .block = {8 * warps}, .args = {to, to}});
    uint32_t first = bench_word(b, to, 0);
    for (unsigned w = 1; w < warps; w++)
        assert_in_range(bench_word(b, to, 8 * w), first - 1, first + 1);
    assert_true(r->sm.waves[of] >= number);
    if (of < 16) assert_int_equal(r->sm.waves[16], 0);
    bench_free(b);
}

static void test_waves(void **state)
{
    (void)state;
    expect_waves("scalar.members=consecutive", 64, 16, 3);
    expect_waves("scalar.members=consecutive", 32, 16, 1);
    expect_waves("scalar.members=fixed", 64, 16, 4);
    expect_waves("scalar.members=fixed", 32, 8, 4);
}

// ---- the scheduler that issues a wave ----

// Warps 0 and 1 wait at a barrier for warp 8; all are of scheduler 0, and the others have ended.
// Warp 8 opens the barrier in cycle t. Warp 1 is then at a vector instruction, warp 0 at a scalar
// one. Scheduler 0 issues the vector instruction at t + 1, and its own wave at t + 2. A wave of the
// SM issues before, at a scheduler that has no warps.
#define ADDS                                                                                       \
    "    add.u32 %r1, %r1, 1;\n    add.u32 %r1, %r1, 1;\n    add.u32 %r1, %r1, 1;\n"             \
    "    add.u32 %r1, %r1, 1;\n    add.u32 %r1, %r1, 1;\n    add.u32 %r1, %r1, 1;\n"
static int clock_of_wave(const char *members)
{
    static const char ptx[] = KERNEL("",
        "    setp.lt.u32 %p1, %r1, 1000;\n" // true in all lanes, and varies
        "    setp.eq.u32 %p2, %r2, 1;\n"
        "    setp.eq.u32 %p3, %r2, 8;\n"
        "    @%p3 bra LAST;\n"
        "    setp.gt.u32 %p4, %r2, 1;\n"
        "    @%p4 bra END;\n"
        "    @%p2 bra V;\n"
        "    bar.sync 0;\n"
        "    mov.u32 %r5, %clock;\n"
        "    st.global.u32 [%rd5], %r5;\n"
        "    ret;\n"
        "V:\n"
        "    bar.sync 0;\n"
        "    @%p1 mov.u32 %r6, %clock;\n"
        "    st.global.u32 [%rd5], %r6;\n"
        "    ret;\n"
        "LAST:\n"
        ADDS ADDS ADDS ADDS
        "    bar.sync 0;\n"
        "END:\n");
    const char *settings[] = {SM, BUFFERS, members, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 320);
    bench_run(b, &(BenchLaunch){"k", .block = {80}, .args = {to, to}});
    int cycles = (int)(bench_word(b, to, 0) - bench_word(b, to, 8));
    bench_free(b);
    return cycles;
}

static void test_any_scheduler(void **state)
{
    (void)state;
    assert_int_equal(clock_of_wave("scalar.members=fixed"), 1);
    assert_true(clock_of_wave("scalar.members=consecutive") <= 0);
}

// A chain of scalar and vector instructions by turns, each ready as soon as the one before it has
// issued. A warp issues one instruction in a cycle, though all four schedulers could: the clocks of
// neighbours differ.
static void test_one_a_cycle(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    setp.lt.u32 %p1, %r1, 1000;\n"
        "    bar.sync 0;\n"
        "    mov.u32 %r5, %clock;\n"
        "    @%p1 mov.u32 %r6, %clock;\n"
        "    mov.u32 %r7, %clock;\n"
        "    mov.u32 %r8, %clock;\n"
        "    mad.lo.u32 %r9, %r1, 12, 0;\n"
        "    mul.wide.u32 %rd6, %r1, 12;\n"
        "    add.u64 %rd7, %rd2, %rd6;\n"
        "    sub.u32 %r6, %r6, %r5;\n"
        "    sub.u32 %r7, %r7, %r5;\n"
        "    sub.u32 %r8, %r8, %r5;\n"
        "    st.global.u32 [%rd7], %r6;\n"
        "    st.global.u32 [%rd7+4], %r7;\n"
        "    st.global.u32 [%rd7+8], %r8;\n");
    static const char *const settings[] = {SM, BUFFERS, "scalar.members=consecutive", NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 3072);
    bench_run(b, &(BenchLaunch){"k", .block = {256}, .args = {to, to}});
    for (unsigned i = 0; i < 256; i++) {
        uint32_t before = 0;
        for (unsigned k = 0; k < 3; k++) {
            uint32_t clock = bench_word(b, to, 3 * i + k);
            assert_true(clock > before);
            before = clock;
        }
    }
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_waves),
        cmocka_unit_test(test_any_scheduler),
        cmocka_unit_test(test_one_a_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
