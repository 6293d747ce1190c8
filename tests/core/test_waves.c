// Scalar instructions in one lane of a warp, and in waves of several warps (section `scalar`).
#include "waves_bench.h"

#include "core/operands/operands.h"

static const char *const waves[] = {SM, NULL};
static const char *const execute[] = {SM, "scalar.mode=execute", NULL};
static const char *const off[] = {SM, "scalar.mode=off", NULL};
static const char *const *const modes[] = {off, execute, waves};
enum { MODES = 3 };

// ---- slots ----

// Eight warps of one scheduler leave a barrier together and read the clock, which is a vector
// instruction behind a guard that varies. The pair of warps 0 and 1 is at one instruction (A), that
// of warps 2 and 3 at two: its even one at A's, its odd one elsewhere. Warps 4 to 7 are at a scalar
// instruction. Each then waits for its clock.
static const char slots_ptx[] = KERNEL("",
    "    setp.lt.u32 %p1, %r1, 1000;\n" // true in all lanes, and varies
    "    setp.lt.u32 %p2, %r2, 3;\n"
    "    setp.gt.u32 %p3, %r2, 3;\n"
    "    @%p2 bra A;\n"
    "    @%p3 bra C;\n"
    "    bar.sync 0;\n"
    "    @%p1 mov.u32 %r5, %clock;\n"
    "    st.global.u32 [%rd5], %r5;\n"
    "    ret;\n"
    "A:\n"
    "    bar.sync 0;\n"
    "    @%p1 mov.u32 %r5, %clock;\n"
    "    st.global.u32 [%rd5], %r5;\n"
    "    ret;\n"
    "C:\n"
    "    bar.sync 0;\n"
    "    mov.u32 %r6, %clock;\n"
    "    st.global.u32 [%rd5], %r6;\n");

static void expect_slots(const char *order, const uint32_t slot[8])
{
    const char *settings[] = {SM, BUFFERED, order, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, slots_ptx);
    uint64_t to = bench_array(b, "out", NULL, 256);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {64}, .args = {to, to}});
    uint32_t first = bench_word(b, to, 0);
    for (unsigned i = 0; i < 64; i++) assert_int_equal(bench_word(b, to, i) - first, slot[i / 8]);
    assert_true(r->sm.waves[4] >= 1);
    assert_true(r->sm.group_lanes[4] >= 1);
    bench_free(b);
}

// A slot issues one group. They are: pair A; the even warp alone; the odd one; a wave of four, so
// that 8 warp instructions take 4 slots, with 16, 8, 8 and 4 lanes. Or the wave before the warps
// alone.
static void test_slots(void **state)
{
    (void)state;
    expect_slots(NULL, (const uint32_t[]){0, 0, 1, 2, 3, 3, 3, 3});
    expect_slots("scalar.order=pair>wave>lone", (const uint32_t[]){0, 0, 2, 3, 1, 1, 1, 1});
}

// ---- the table of waves ----

// Waits for an entry: of all warps, of schedulers' slots, of the warp at the read of the clock; and
// slots for which a unit was busy.
typedef struct TableWaits {
    uint64_t warps, slots, clock, unit;
} TableWaits;

// Behind a barrier, warp 0 is at a scalar load, and warp 2 at a scalar read of the clock. With one
// entry, the clock's wave opens after the load's has finished; with two, at once. Warp 0 reads the
// clock in the instruction before the load.
static uint32_t clock_behind_load(const char *entries, TableWaits *waits)
{
    static const char ptx[] = KERNEL("",
        "    setp.ge.u32 %p2, %r2, 2;\n"
        "    bar.sync 0;\n"
        "    mov.u32 %r7, %clock;\n"
        "    @%p2 bra C;\n"
        "    ld.global.u32 %r6, [%rd1];\n"
        "    add.u32 %r6, %r6, %r7;\n"
        "    st.global.u32 [%rd2], %r6;\n"
        "    ret;\n"
        "C:\n"
        "    mov.u32 %r8, %r7;\n"
        "    mov.u32 %r8, %clock;\n"
        "    st.global.u32 [%rd2+4], %r8;\n");
    const char *settings[] = {SM, entries, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t in = bench_array(b, "in", NULL, 4), to = bench_array(b, "out", NULL, 8);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {24}, .args = {in, to}});
    uint32_t cycles = bench_word(b, to, 1) - bench_word(b, to, 0);
    *waits = (TableWaits){r->sm.groups.wave_table_full, r->sm.issue.slots[SLOT_WAVE_TABLE],
                          bench_at(b, r, "%r8, %clock").waits[WARP_WAVE_TABLE],
                          r->sm.issue.slots[SLOT_UNIT]};
    bench_free(b);
    return cycles;
}

static void test_table(void **state)
{
    (void)state;
    TableWaits one, many;
    // Warp 0's load takes 300 cycles and more from the DRAM. Warp 2, alone at its scheduler, waits
    // for the entry and not for a unit.
    assert_in_range(clock_behind_load("scalar.entries=1", &one), 250, 600);
    assert_in_range(clock_behind_load("scalar.entries=16", &many), 1, 40);
    assert_in_range(one.clock, 250, 600);
    assert_true(one.warps >= one.clock && one.slots >= one.clock);
    assert_in_range(one.unit, 0, 50);
    assert_int_equal(many.warps + many.slots + many.clock, 0);
}

// ---- members ----

// 32 warps of one scheduler have two register entries of scalars. Warps 8 to 23 leave a barrier at
// a scalar read of the clock. With fixed members they are two waves of 8, one after the other;
// otherwise one of 16.
static void expect_clocks(const char *members, uint32_t later)
{
    static const char ptx[] = KERNEL("",
        "    add.u32 %r4, %r2, 16777208;\n" // - 8, modulo 2^24
        "    and.b32 %r4, %r4, 16777215;\n"
        "    setp.lt.u32 %p2, %r4, 16;\n"
        "    @!%p2 bra A;\n"
        "    bar.sync 0;\n"
        "    mov.u32 %r5, %clock;\n"
        "    st.global.u32 [%rd5], %r5;\n"
        "    ret;\n"
        "A:\n"
        "    bar.sync 0;\n");
    const char *settings[] = {SM, BUFFERED, members, NULL};
    Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
    uint64_t to = bench_array(b, "out", NULL, 1024);
    bench_run(b, &(BenchLaunch){"k", .block = {256}, .args = {to, to}});
    uint32_t first = bench_word(b, to, 64);
    for (unsigned w = 8; w < 24; w++)
        assert_int_equal(bench_word(b, to, 8 * w) - first, w < 16 ? 0 : later);
    bench_free(b);
}

static void test_members(void **state)
{
    (void)state;
    expect_clocks("scalar.members=fixed", 1);
    expect_clocks("scalar.members=any", 0);
}

// A wave reads an operand's bank once for each register entry of its members. A vector instruction
// that reads a scalar reads the entry of its scalars, in another bank than its own registers'.
static void test_entries(void **state)
{
    (void)state;
    Machine machine = bench_machine("fermi-c2050-gw8", NULL);
    SmContext context = {.config = {.core = &machine.core, .scalar = &machine.scalar,
                                    .operand = &machine.operand, .units = &machine.units,
                                    .latency = &machine.latency,
                                    .initiation = &machine.initiation}};
    const Warp warp = {.banks.entry = 9, .banks.scalar_entry = 4};
    const UOpTiming timing = {.bank_read_count = 2, .bank_reads = {5, 10}, .scalar_bank_reads = 2};
    const UOp op = {.class = CLASS_INT_ADD};
    Operands operands = {0};
    assert_true(operands_init(&operands, &context.config, &context.tables));
    PortState *port = &operands.port[PORT_SP];
    operands_schedule(&operands, &context, &warp, &op, &timing, port, NULL);
    // Register 5 of pair 9 and register 10 of entry 4 are in banks 14 and 14 of 32: a conflict.
    assert_int_equal(context.count.sm.operand_reads, 2);
    assert_int_equal(context.count.sm.operand_conflict_cycles, 1);
    // Entries 4, 5 and 36: the last one is in the bank of the first.
    const UOpTiming scalar = {.bank_read_count = 1, .bank_reads = {10}, .scalar_bank_reads = 1};
    context.now = 100;
    operands_schedule(&operands, &context, &warp, &op, &scalar, port,
                      &(FurtherEntries){.count = 2, .entry = {5, 36}});
    assert_int_equal(context.count.sm.operand_reads, 2 + 3);
    assert_int_equal(context.count.sm.operand_conflict_cycles, 2);
    hd_tables_free(&context.tables);
}

// ---- memory ----

// 16 warps of one scheduler load vertexes[warp], 4 bytes each from a line's start: as one wave, one
// request. A pair's two scalars are an access of two lanes. Without pairs, each warp makes one.
static void test_loads(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    mul.wide.u32 %rd6, %r2, 4;\n"
        "    add.u64 %rd7, %rd1, %rd6;\n"
        "    bar.sync 0;\n"
        "    ld.global.u32 %r6, [%rd7];\n"
        "    add.u32 %r6, %r6, 1;\n"
        "    st.global.u32 [%rd5], %r6;\n");
    static const char *const apart[] = {SM, BUFFERED, "scalar.mode=execute", "core.paired=off",
                                        NULL};
    static const char *const two[] = {SM, BUFFERED, "scalar.mode=execute", NULL};
    static const char *const all[] = {SM, BUFFERED, NULL};
    const struct {
        const char *const *settings;
        uint64_t requests;
    } cases[] = {{apart, 16}, {two, 8}, {all, 1}};
    uint32_t in[16];
    for (unsigned i = 0; i < 16; i++) in[i] = 100 * i;
    for (unsigned i = 0; i < 3; i++) {
        Bench *b = bench_new("fermi-c2050-gw8", cases[i].settings, NULL, ptx);
        uint64_t from = bench_array(b, "in", in, sizeof in), to = bench_array(b, "out", NULL, 512);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .block = {128}, .args = {from, to}});
        assert_int_equal(bench_at(b, r, "[%rd7]").requests, cases[i].requests);
        for (unsigned k = 0; k < 128; k++)
            assert_int_equal(bench_word(b, to, k), 100 * (k / 8) + 1);
        bench_free(b);
    }
}

// A reduction adds for each thread, not for each warp, though its operands are equal in all lanes.
// A scalar store is one lane's.
static void test_reduction(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    red.global.add.u32 [%rd1], 1;\n"
        "    st.global.u32 [%rd2], 7;\n");
    for (unsigned i = 0; i < MODES; i++) {
        Bench *b = bench_new("fermi-c2050-gw8", modes[i], NULL, ptx);
        uint64_t in = bench_array(b, "in", NULL, 4), to = bench_array(b, "out", NULL, 4);
        bench_run(b, &(BenchLaunch){"k", .grid = {3}, .block = {100}, .args = {in, to}});
        assert_int_equal(bench_word(b, in, 0), 300);
        assert_int_equal(bench_word(b, to, 0), 7);
        bench_free(b);
    }
}

// r = 0; if (lane < 4) {r = 1; a = r;} else b = r. One copy of r for the warp would make b 1.
static void test_two_sides(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    mov.u32 %r3, %laneid;\n"
        "    setp.lt.u32 %p1, %r3, 4;\n"
        "    mov.u32 %r4, 0;\n"
        "    @%p1 bra A;\n"
        "    add.u32 %r5, %r4, 100;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r4, 1;\n"
        "    add.u32 %r5, %r4, 0;\n"
        "B:\n"
        "    st.global.u32 [%rd5], %r5;\n");
    for (unsigned i = 0; i < MODES; i++)
        for (unsigned taken = 0; taken < 2; taken++) {
            const char *settings[6] = {SM, taken ? "core.first_side=taken"
                                                 : "core.first_side=low-lanes",
                                       i == 0 ? "scalar.mode=off" : i == 1 ? "scalar.mode=execute"
                                                                           : "scalar.mode=waves"};
            Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
            uint64_t to = bench_array(b, "out", NULL, 64);
            bench_run(b, &(BenchLaunch){"k", .block = {16}, .args = {to, to}});
            for (unsigned k = 0; k < 16; k++)
                assert_int_equal(bench_word(b, to, k), k % 8 < 4 ? 1 : 100);
            bench_free(b);
        }
}

// Two tiles of a warp vote at one instruction, each with its own members: a branch on the result
// divides the warp.
static void test_tiles(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    mov.u32 %r3, %laneid;\n"
        "    setp.lt.u32 %p1, %r3, 4;\n"
        "    selp.b32 %r4, 15, 240, %p1;\n"
        "    vote.sync.any.pred %p2, %p1, %r4;\n"
        "    @%p2 bra A;\n"
        "    mov.u32 %r5, 1;\n"
        "    bra B;\n"
        "A:\n"
        "    mov.u32 %r5, 2;\n"
        "B:\n"
        "    add.u32 %r6, %r5, 10;\n"
        "    st.global.u32 [%rd5], %r6;\n");
    for (unsigned i = 0; i < MODES; i++) {
        Bench *b = bench_new("fermi-c2050-gw8", modes[i], NULL, ptx);
        uint64_t to = bench_array(b, "out", NULL, 64);
        bench_run(b, &(BenchLaunch){"k", .block = {16}, .args = {to, to}});
        for (unsigned k = 0; k < 16; k++)
            assert_int_equal(bench_word(b, to, k), k % 8 < 4 ? 12 : 11);
        bench_free(b);
    }
}

// Scalar loads of one instruction, by odd warps of a constant and by even ones of global memory:
// the warps of one space leave the wave of the other, and load in one of their own.
static void test_spaces(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".const .align 4 .b32 table[1] = {7};\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    .reg .pred %p<2>;\n"
        "    ld.param.u64 %rd1, [in];\n"
        "    ld.param.u64 %rd2, [out];\n"
        "    mov.u64 %rd3, table;\n"
        "    cvta.const.u64 %rd3, %rd3;\n"
        "    mov.u32 %r1, %warpid;\n"
        "    and.b32 %r2, %r1, 1;\n"
        "    setp.eq.u32 %p1, %r2, 1;\n"
        "    selp.b64 %rd4, %rd3, %rd1, %p1;\n"
        "    ld.global.u32 %r3, [%rd4];\n"
        "    mov.u32 %r4, %tid.x;\n"
        "    mul.wide.u32 %rd5, %r4, 4;\n"
        "    add.u64 %rd6, %rd2, %rd5;\n"
        "    st.global.u32 [%rd6], %r3;\n"
        "    ret;\n"
        "}\n";
    for (unsigned i = 0; i < MODES; i++) {
        Bench *b = bench_new("fermi-c2050-gw8", modes[i], NULL, ptx);
        uint64_t in = bench_array(b, "in", (const uint32_t[]){5}, 4);
        uint64_t to = bench_array(b, "out", NULL, 512);
        bench_run(b, &(BenchLaunch){"k", .block = {128}, .args = {in, to}});
        for (unsigned k = 0; k < 128; k++)
            assert_int_equal(bench_word(b, to, k), k / 8 % 2 ? 7 : 5);
        bench_free(b);
    }
}

// The source of a marked mov has a value for each lane, so a wave of 16 warps reads eight entries,
// one of each pair. Its own register is a scalar of all 16.
static void test_marked(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("",
        "    shr.u32 %r3, %r1, 3;\n"
        "    bar.sync 0;\n"
        "    .pragma \"heddle scalar\";\n"
        "    mov.u32 %r4, %r3;\n"
        "    st.global.u32 [%rd5], %r4;\n");
    uint64_t reads[MODES];
    for (unsigned i = 0; i < MODES; i++) {
        const char *settings[] = {SM, BUFFERED, i == 0   ? "scalar.mode=off"
                                                : i == 1 ? "scalar.mode=execute"
                                                         : "scalar.mode=waves", NULL};
        Bench *b = bench_new("fermi-c2050-gw8", settings, NULL, ptx);
        uint64_t to = bench_array(b, "out", NULL, 512);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .block = {128}, .args = {to, to}});
        reads[i] = r->sm.sm.operand_reads;
        if (i == 2) assert_true(r->sm.waves[16] >= 1);
        for (unsigned k = 0; k < 128; k++) assert_int_equal(bench_word(b, to, k), k / 8);
        bench_free(b);
    }
    assert_int_equal(reads[1], reads[0]);
    assert_int_equal(reads[2], reads[0]);
}

// ---- counters ----

// Four scalar instructions and the vector ones beside them, of one warp of 8 lanes.
static void test_counters(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    mov.u32 %r1, %ctaid.x;\n"
        "    add.u32 %r2, %r1, 1;\n"
        "    mov.u32 %r3, %tid.x;\n"
        "    add.u32 %r4, %r3, %r2;\n"
        "    add.u32 %r5, %r2, %r2;\n"
        "    mul.lo.u32 %r6, %r5, 3;\n"
        "    ret;\n"
        "}\n";
    static const uint64_t saved[MODES] = {0, 4 * 7, 4 * 7};
    for (unsigned i = 0; i < MODES; i++) {
        Bench *b = bench_new("fermi-c2050-gw8", modes[i], NULL, ptx);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {8}});
        assert_int_equal(r->sm.sm.scalar_instructions, 4);
        assert_int_equal(r->sm.groups.scalars, i ? 4 : 0);
        assert_int_equal(r->sm.groups.lanes_saved, saved[i]);
        assert_int_equal(r->sm.groups.waves, i == 2 ? 4 : 0);
        assert_int_equal(r->sm.group_lanes[1], i ? 4 : 0);
        assert_int_equal(r->sm.group_lanes[8], i ? 3 : 7);
        assert_int_equal(r->sm.sm.thread_instructions, 7 * 8);
        bench_free(b);
    }
}

// ---- progress ----

// 47 warps add and poll a word that the last warp sets by a scalar store. Vector instructions are
// ready in every cycle, so that the store issues by its patience.
static void test_patience(void **state)
{
    (void)state;
    static const char head[] = KERNEL("",
        "    setp.eq.u32 %p1, %r2, 47;\n"
        "    @%p1 bra SET;\n"
        "    mul.wide.u32 %rd6, %r1, 0;\n"
        "    add.u64 %rd7, %rd1, %rd6;\n"
        "L:\n");
    static const char tail[] =
        "    ld.volatile.global.u32 %r13, [%rd7];\n"
        "    setp.eq.u32 %p2, %r13, 0;\n"
        "    @%p2 bra L;\n"
        "    ret;\n"
        "SET:\n"
        "    ld.global.u32 %r14, [%rd2];\n" // 0, when the others spin
        "    add.u32 %r14, %r14, 1;\n"
        "    st.volatile.global.u32 [%rd1], %r14;\n"
        "    ret;\n"
        "}\n";
    char *adds = bench_repeat("    add.u32 %r5, %r1, 1;\n    add.u32 %r6, %r1, 2;\n", 50), *ptx;
    int length = (int)(strlen(head) - strlen("    ret;\n}\n"));
    assert_true(asprintf(&ptx, "%.*s%s%s", length, head, adds, tail) > 0);
    static const char *const settings[] = {SM, "core.schedulers=1", "scalar.patience=500",
                                           "memory.strong_in_l1=false", NULL};
    GpuOptions options = {.max_cycles = 1000000};
    Bench *b = bench_new("fermi-c2050-gw8", settings, &options, ptx);
    uint64_t in = bench_array(b, "in", NULL, 4), to = bench_array(b, "out", NULL, 4);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {384}, .args = {in, to}});
    assert_int_equal(bench_word(b, in, 0), 1);
    assert_true(r->sm.groups.waves_by_patience >= 1);
    bench_free(b);
    free(adds);
    free(ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),     cmocka_unit_test(test_table),
        cmocka_unit_test(test_members),   cmocka_unit_test(test_entries),
        cmocka_unit_test(test_loads),     cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_two_sides),
        cmocka_unit_test(test_tiles),     cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_marked),    cmocka_unit_test(test_counters),
        cmocka_unit_test(test_patience),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
