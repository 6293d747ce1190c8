// Issue by pairs of warps (core.paired): places, slots, coalescing, and the way in which a pair
// parts and meets again.
#include "support/bench.h"

#include "core/blocks/blocks.h"
#include "core/issue/scheduler.h"

#define KERNEL(registers, body)                                                                    \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n"                                         \
    "{\n" registers                                                                                \
    "    ld.param.u64 %rd1, [in];\n"                                                               \
    "    ld.param.u64 %rd2, [out];\n"                                                              \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mul.wide.u32 %rd3, %r1, 4;\n"                                                             \
    "    add.u64 %rd4, %rd1, %rd3;\n"                                                              \
    "    add.u64 %rd5, %rd2, %rd3;\n" body                                                         \
    "    ret;\n"                                                                                   \
    "}\n"
#define REGISTERS                                                                                  \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    .reg .pred %p<5>;\n"

static const char *const paired[] = {"gpu.sms=1", "scalar.mode=off", "frontend.perfect=true", NULL};
static const char *const apart[] = {"gpu.sms=1", "scalar.mode=off", "frontend.perfect=true",
                                    "core.paired=off", NULL};

// ---- places ----

static void expect_place(const Warp *w, unsigned scheduler, unsigned swid, unsigned lane)
{
    assert_int_equal(w->issue.scheduler, scheduler);
    assert_int_equal(w->banks.scalar_entry, swid);
    assert_int_equal(w->group.wave_lane, lane);
}

// 192 warps, 4 schedulers, 16 lanes. Warp 37 is of pair 18, the 5th pair (4) of scheduler 18 mod 4
// = 2, so lane 2 x 4 + 1 of that scheduler's first register entry, 3 x 2. Warp 130 is of pair 65,
// of scheduler 1, the 17th pair there (16 = 2 x 8 + 0): entry 3 x 1 + 2, lane 0. Warp 191, the
// last, is of pair 95, of scheduler 3, the 24th there: entry 3 x 3 + 2, lane 2 x 7 + 1.
static void test_places(void **state)
{
    (void)state;
    Machine machine = bench_machine("fermi-c2050-gw8", NULL);
    SmConfig config = {.core = &machine.core, .scalar = &machine.scalar, .units = &machine.units,
                       .launch = &machine.launch, .path = &machine.path};
    Blocks blocks = {0};
    Issue issue = {0};
    HdTables tables = {0};
    assert_true(blocks_init(&blocks, &config, &tables));
    assert_true(issue_init(&issue, &config, &blocks, NULL, &tables));
    expect_place(&blocks.warps[37], 2, 6, 9);
    expect_place(&blocks.warps[130], 1, 5, 0);
    expect_place(&blocks.warps[191], 3, 11, 15);
    for (unsigned i = 0; i < 192; i++) {
        assert_int_equal(blocks.warps[i].banks.entry, i / 2);
        assert_ptr_equal(issue.scheduler[i / 2 % 4].warps[blocks.warps[i].issue.local],
                         &blocks.warps[i]);
    }
    blocks_free(&blocks, &config);
    hd_tables_free(&tables);
}

// ---- coalescing ----

// A pair's 16 lanes load 64 bytes of one line: one request. Its warps apart make one each. The
// stores at the end, to another line, likewise.
static void test_coalescing(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL(REGISTERS,
        "    ld.global.u32 %r2, [%rd4];\n"
        "    st.global.u32 [%rd5], %r2;\n");
    const struct {
        const char *const *settings;
        uint64_t instructions, requests;
    } cases[] = {{paired, 2, 2}, {apart, 4, 4}};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t in[16];
        for (unsigned k = 0; k < 16; k++) in[k] = 100 + k;
        Bench *b = bench_new("fermi-c2050-gw8", cases[i].settings, NULL, ptx);
        uint64_t from = bench_array(b, "in", in, sizeof in), to = bench_array(b, "out", NULL, 64);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .block = {16}, .args = {from, to}});
        assert_int_equal(r->sm.sm.memory_instructions, cases[i].instructions);
        assert_int_equal(r->sm.sm.memory_requests, cases[i].requests);
        assert_int_equal(r->sm.sm.warp_instructions, 2 * 9);
        for (unsigned k = 0; k < 16; k++) assert_int_equal(bench_word(b, to, k), 100 + k);
        bench_free(b);
    }
}

// A pair straddles two blocks if these have an odd number of warps: three blocks of one warp are a
// pair and a warp alone. Each block has its own shared memory: the same offset is another word, so
// that the two warps of the pair have conflicts in all banks, and no broadcast.
static void test_straddling(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL(REGISTERS "    .shared .b32 place[32];\n",
        "    mov.u32 %r5, place;\n"
        "    shl.b32 %r3, %r1, 2;\n"
        "    add.u32 %r3, %r3, %r5;\n"
        "    mov.u32 %r2, %ctaid.x;\n"
        "    st.shared.u32 [%r3], %r2;\n"
        "    ld.shared.u32 %r4, [%r3];\n"
        "    mul.wide.u32 %rd6, %r2, 4;\n"
        "    add.u64 %rd7, %rd2, %rd6;\n"
        "    st.global.u32 [%rd7], %r4;\n");
    Bench *b = bench_new("fermi-c2050-gw8", paired, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 64);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .grid = {2}, .block = {8}, .args = {to, to}});
    assert_int_equal(bench_word(b, to, 0), 0);
    assert_int_equal(bench_word(b, to, 1), 1);
    // Paired: 2 instructions of 2 passes. The second block starts a cycle after the first: alone, 4
    // instructions of one pass.
    assert_int_equal(r->sm.sm.shared_passes, 4);
    bench_free(b);
}

// Eight pairs on four schedulers make 64 loads each from shared memory, without conflicts. The
// load/store unit takes one group in a cycle, or two with memory.lsu_rate = 2 and as much room in
// front of it: 512 or 256 cycles.
static void test_unit_rate(void **state)
{
    (void)state;
    static const char *const twice[] = {"gpu.sms=1", "scalar.mode=off", "frontend.perfect=true",
                                        "memory.lsu_rate=2", "operand.ports_mem=4",
                                        "operand.mem=11", NULL};
    static const char *const once[] = {"gpu.sms=1", "scalar.mode=off", "frontend.perfect=true",
                                       "operand.ports_mem=4", "operand.mem=11", NULL};
    char *loads = bench_repeat("    ld.shared.u32 %r3, [place];\n", 64), *ptx;
    for (unsigned i = 0; i < 64; i++) { // independent: a register each
        char *at = strstr(loads, "%r3, ");
        assert_non_null(at);
        memcpy(at, (char[]){'%', 'q', (char)('1' + i / 10), (char)('0' + i % 10), ','}, 5);
    }
    assert_true(asprintf(&ptx, PTX_HEAD ".visible .entry k()\n{\n    .reg .b32 %%q<80>;\n"
                               "    .shared .b32 place[4];\n%s    ret;\n}\n", loads) > 0);
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        Bench *b = bench_new("fermi-c2050-gw8", i ? twice : once, NULL, ptx);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {128}});
        assert_int_equal(r->sm.sm.shared_passes, 512);
        cycles[i] = r->cycles;
        bench_free(b);
    }
    free(loads);
    free(ptx);
    assert_in_range(cycles[0], 512, 512 + 60);
    assert_in_range(cycles[1], 256, 256 + 60);
}

// ---- parting and meeting ----

// The even warp's line has been loaded before, the odd warp's has not: the pair makes two requests,
// one hits. The even warp goes on after its hit, alone, and reads the clock at its next instruction
// long before the odd one.
static void test_parting(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL(REGISTERS,
        "    shr.u32 %r3, %r1, 3;\n"          // the warp
        "    mul.wide.u32 %rd6, %r3, 128;\n"  // its line
        "    add.u64 %rd7, %rd1, %rd6;\n"
        "    mul.wide.u32 %rd6, %r1, 0;\n"    // 0 in all lanes: the even warp's line
        "    add.u64 %rd8, %rd1, %rd6;\n"
        "    ld.global.u32 %r4, [%rd8];\n"
        "    add.u32 %r5, %r4, 1;\n"          // waits for it
        "    ld.global.u32 %r6, [%rd7];\n"
        "    setp.ne.u32 %p1, %r6, 5;\n"      // waits for it
        "    @%p1 mov.u32 %r8, %clock;\n"
        "    add.u32 %r7, %r8, %r5;\n"
        "    st.global.u32 [%rd5], %r8;\n");
    Bench *b = bench_new("fermi-c2050-gw8", paired, NULL, ptx);
    uint64_t from = bench_array(b, "in", NULL, 256), to = bench_array(b, "out", NULL, 64);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {16}, .args = {from, to}});
    PcCounters load = bench_at(b, r, "[%rd7]"), first = bench_at(b, r, "[%rd8]");
    assert_int_equal(first.requests, 1);
    assert_int_equal(load.requests, 2);
    assert_int_equal(load.l1_hits, 1);
    assert_int_equal(load.l1_misses, 1);
    uint32_t even = bench_word(b, to, 0), odd = bench_word(b, to, 8);
    assert_true(odd > even + 100);
    // Behind the load: setp, mov, add, st, ret, for each warp alone.
    assert_int_equal(r->sm.groups.lone, 2 * 5);
    bench_free(b);
}

// The paths of a pair's warps meet again behind a branch that only the odd one takes, once both are
// ready at one instruction: the one behind the barrier.
static void test_meeting(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL(REGISTERS,
        "    shr.u32 %r3, %r1, 3;\n"
        "    setp.eq.u32 %p1, %r3, 1;\n"
        "    @%p1 bra B;\n"
        "    mov.u32 %r4, 1;\n"
        "    mov.u32 %r4, 2;\n"
        "    mov.u32 %r4, 3;\n"
        "B:\n"
        "    bar.sync 0;\n"
        "    st.global.u32 [%rd5], %r3;\n");
    Bench *b = bench_new("fermi-c2050-gw8", paired, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 64);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {16}, .args = {to, to}});
    // Alone: three moves of the even warp, both barriers, and both returns, because the even warp's
    // waits for its last move. Pairs: 9 up to the branch, which half the lanes take, and the store.
    assert_int_equal(r->sm.groups.lone, 3 + 2 + 2);
    assert_int_equal(r->sm.groups.pairs, 9 + 1);
    assert_int_equal(r->sm.group_lanes[16], 8 + 1);
    assert_int_equal(r->sm.group_lanes[8], 1 + 3 + 2 + 2);
    assert_int_equal(bench_word(b, to, 0), 0);
    assert_int_equal(bench_word(b, to, 15), 1);
    bench_free(b);
}

// An atomic of a pair adds for every thread. Each warp gets its old values.
static void test_atomics(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL(REGISTERS,
        "    atom.global.add.u32 %r2, [%rd1], 1;\n"
        "    st.global.u32 [%rd5], %r2;\n"
        "    red.global.add.u32 [%rd1+4], 1;\n");
    Bench *b = bench_new("fermi-c2050-gw8", paired, NULL, ptx);
    uint64_t in = bench_array(b, "in", NULL, 64), to = bench_array(b, "out", NULL, 256);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {64}, .args = {in, to}});
    assert_int_equal(bench_word(b, in, 0), 64);
    assert_int_equal(bench_word(b, in, 1), 64);
    uint64_t seen = 0;
    for (unsigned i = 0; i < 64; i++) seen |= UINT64_C(1) << bench_word(b, to, i);
    assert_true(seen == UINT64_MAX);
    assert_int_equal(r->sm.sm.atomic_lanes, 2 * 64);
    bench_free(b);
}

// Local memory is interleaved over a pair: a word of 16 threads is half a line.
static void test_local(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL(REGISTERS "    .local .b32 mine[4];\n",
        "    mov.u32 %r3, mine;\n"
        "    st.local.u32 [mine+4], %r1;\n"
        "    ld.local.u32 %r4, [mine+4];\n"
        "    st.global.u32 [%rd5], %r4;\n");
    Bench *b = bench_new("fermi-c2050-gw8", paired, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 64);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {16}, .args = {to, to}});
    assert_int_equal(r->sm.sm.memory_requests, 3);
    for (unsigned k = 0; k < 16; k++) assert_int_equal(bench_word(b, to, k), k);
    bench_free(b);
}

// ---- the front end alone ----

// A loop of 32 independent adds, and three instructions that close it, 50 times, in 112 blocks of
// 192 threads. Two schedulers of 32 lanes need a fetch of two instructions in each cycle, which
// they have. Eight of 8 lanes would need four, and so take four times as long with a buffer for
// each warp; decoded instructions that all warps share, and a look-up for each scheduler, feed
// them. Pairs at four schedulers are as fast, with half as many look-ups.
static const LaunchResult *run_loop(Bench *b)
{
    return bench_run(b, &(BenchLaunch){"k", .grid = {112}, .block = {192}});
}

static void test_front_end(void **state)
{
    (void)state;
    enum { ADDS = 32 };
    static const char *const per_warp[] = {
        "core.width=8", "core.schedulers=8", "core.register_unit=32", "units.sp=8",
        "operand.banks=64", "operand.sp=24", "operand.ports_sp=8", NULL};
    static const char *const shared[] = {
        "core.width=8", "core.schedulers=8", "core.register_unit=32", "units.sp=8",
        "operand.banks=64", "operand.sp=24", "operand.ports_sp=8", "frontend.buffer=shared-store",
        "frontend.store_lookups=8", NULL};
    static const char *const pairs[] = {"scalar.mode=off", NULL};
    static const char *const *const settings[] = {NULL, per_warp, shared, pairs};
    char adds[ADDS * 40] = "", line[40], *ptx;
    for (unsigned i = 0; i < ADDS; i++) {
        snprintf(line, sizeof line, "    add.u32 %%r%u, %%r%u, 1;\n", i, i);
        strcat(adds, line);
    }
    assert_true(asprintf(&ptx, PTX_HEAD ".visible .entry k()\n{\n    .reg .b32 %%r<40>;\n"
                               "    .reg .pred %%p<2>;\n    mov.u32 %%r33, 0;\nL:\n%s"
                               "    add.u32 %%r33, %%r33, 1;\n    setp.lt.u32 %%p1, %%r33, 50;\n"
                               "    @%%p1 bra L;\n    ret;\n}\n", adds) > 0);
    uint64_t cycles[4], look_ups[4];
    for (unsigned i = 0; i < 4; i++) {
        Bench *b = bench_new(i < 3 ? "fermi-c2050" : "fermi-c2050-gw8", settings[i], NULL, ptx);
        const LaunchResult *r = run_loop(b);
        cycles[i] = r->cycles;
        look_ups[i] = r->sm.sm.instruction_store_lookups;
        // 112 blocks of 6 or 24 warps, each of 50 x 35 instructions and 2.
        assert_int_equal(r->sm.sm.warp_instructions, 112 * (i ? 24 : 6) * (50 * 35 + 2));
        bench_free(b);
    }
    free(ptx);
    assert_true(cycles[1] > 3.9 * cycles[0] && cycles[1] < 4.1 * cycles[0]);
    assert_true(cycles[2] < 1.02 * cycles[0]);
    assert_true(cycles[3] < 1.05 * cycles[2] && cycles[3] > 0.95 * cycles[2]);
    assert_true(look_ups[3] < 0.55 * look_ups[2]);
}

// The warps of a pair that starts share a look-up; other warps of the block do not. The first two
// instructions are in one entry and the third is in another, so each pair makes two look-ups.
static void test_start(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD ".visible .entry k()\n{\n    .reg .b32 %r<3>;\n"
                                       "    mov.u32 %r1, %tid.x;\n    add.u32 %r1, %r1, 1;\n"
                                       "    ret;\n}\n";
    static const char *const settings[] = {"gpu.sms=1", "scalar.mode=off", NULL};
    for (unsigned blocks = 1; blocks <= 20; blocks += 19) { // the latter start in used slots, too
        Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .grid = {blocks}, .block = {256}});
        assert_int_equal(r->sm.sm.instruction_store_lookups, 2 * 16 * blocks);
        assert_int_equal(r->sm.groups.shared_lookups, 2 * 16 * blocks);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),     cmocka_unit_test(test_coalescing),
        cmocka_unit_test(test_straddling), cmocka_unit_test(test_parting),
        cmocka_unit_test(test_meeting),    cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_local),      cmocka_unit_test(test_front_end),
        cmocka_unit_test(test_unit_rate),  cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
