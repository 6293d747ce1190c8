// Which instruction leaves the shared collectors (operand.collector_order).
#include "core/lsu/collector_turns.h"
#include "support/bench.h"

static HdTables tables; // freed at the end of each test

static CollectorTurns new_turns(uint32_t collectors, uint32_t outputs)
{
    CollectorTurns turns = {0};
    const OperandConfig config = {.shared_collectors = collectors, .shared_outputs = outputs,
                                  .passes = 1, .collector_order = COLLECTORS_BY_TURN};
    assert_true(collector_turns_init(&turns, &config, 4, 4, &tables));
    return turns;
}

enum { MEMORY_RANK = 2, INTEGER_RANK = 4 };

// A memory instruction takes a collector in the next pass, and has its operands two passes later.
static void issue_memory(CollectorTurns *turns, uint64_t now, uint32_t op)
{
    collector_turns_issue(turns, now, (TurnEntry){.allocated = now + 1, .leaves = now + 3,
                                                  .op = op, .rank = MEMORY_RANK});
}
static void issue_integer(CollectorTurns *turns, uint64_t now)
{
    collector_turns_issue(turns, now, (TurnEntry){.allocated = now + 1, .leaves = now + 3,
                                                  .rank = INTEGER_RANK});
}

// Operation 1 leaves collector 0 in pass 3, for the only place behind the collectors. Operation 2
// waits in collector 1, and 3 takes collector 0. The unit begins behind collector 0, where 1 was.
static void test_turn(void **state)
{
    (void)state;
    CollectorTurns turns = new_turns(4, 1);
    issue_memory(&turns, 0, 1);
    issue_memory(&turns, 1, 2);
    issue_memory(&turns, 4, 3);
    assert_int_equal(collector_turns_take(&turns, 2), 0);
    assert_int_equal(collector_turns_take(&turns, 9), 1);
    assert_int_equal(collector_turns_take(&turns, 10), 2);
    assert_int_equal(collector_turns_take(&turns, 11), 3);
    assert_int_equal(collector_turns_take(&turns, 12), 0);
    hd_tables_free(&tables);
}

// The same, but an integer instruction leaves collector 2 in pass 8. The unit begins behind it: at
// collector 0, with the younger operation.
static void test_overtaken(void **state)
{
    (void)state;
    CollectorTurns turns = new_turns(4, 1);
    issue_memory(&turns, 0, 1);
    issue_memory(&turns, 1, 2);
    issue_memory(&turns, 4, 3);
    issue_integer(&turns, 5);
    assert_int_equal(collector_turns_take(&turns, 9), 1);
    assert_int_equal(collector_turns_take(&turns, 10), 3);
    assert_int_equal(collector_turns_take(&turns, 11), 2);
    hd_tables_free(&tables);
}

// Two places behind the collectors: the load/store unit takes the oldest. Operation 4 waits for a
// collector until 1 leaves in pass 3, and reads its operands after that: it leaves in pass 5.
static void test_oldest(void **state)
{
    (void)state;
    CollectorTurns turns = new_turns(1, 2);
    issue_memory(&turns, 0, 1);
    issue_memory(&turns, 0, 4);
    assert_int_equal(collector_turns_take(&turns, 4), 1);
    assert_int_equal(collector_turns_take(&turns, 4), 0);
    assert_int_equal(collector_turns_take(&turns, 5), 4);
    issue_memory(&turns, 6, 5);
    issue_memory(&turns, 9, 6);
    assert_int_equal(collector_turns_take(&turns, 20), 5);
    assert_int_equal(collector_turns_take(&turns, 20), 6);
    hd_tables_free(&tables);
}

// Memory instructions take collectors before integer ones, which leave when they are to leave,
// whether a collector is free or not.
static void test_rank(void **state)
{
    (void)state;
    CollectorTurns turns = new_turns(1, 1);
    issue_integer(&turns, 0);
    issue_memory(&turns, 0, 8);
    assert_int_equal(collector_turns_take(&turns, 3), 8);
    for (unsigned i = 3; i < 20; i++) issue_integer(&turns, i);
    issue_memory(&turns, 20, 7);
    issue_integer(&turns, 20);
    assert_int_equal(collector_turns_take(&turns, 40), 7);
    assert_int_equal(turns.waiting_count, 0);
    hd_tables_free(&tables);
}

// 8 warps load 32 times, each lane from the same bank, and add up what they load. By turns, one of
// the warps waits until all others have ended: 9,967 cycles, as in GPGPU-Sim with its file
// SM7_QV100.
static const char sums[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<10>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    .reg .pred %p<3>;\n"
    "    .shared .align 4 .b8 data[32768];\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    shl.b32 %r2, %r1, 7;\n"
    "    and.b32 %r2, %r2, 32767;\n"
    "    mov.u32 %r3, data;\n"
    "    add.u32 %r4, %r3, %r2;\n"
    "    st.shared.u32 [%r4], %r4;\n"
    "    bar.sync 0;\n"
    "    mov.u32 %r5, 0;\n"
    "    mov.u32 %r7, 0;\n"
    "again:\n"
    "    ld.shared.u32 %r6, [%r4];\n"
    "    add.u32 %r7, %r7, %r6;\n"
    "    add.u32 %r5, %r5, 1;\n"
    "    setp.lt.u32 %p1, %r5, 32;\n"
    "    @%p1 bra again;\n"
    "    mul.wide.u32 %rd2, %r1, 4;\n"
    "    add.u64 %rd3, %rd1, %rd2;\n"
    "    st.global.u32 [%rd3], %r7;\n"
    "    ret;\n"
    "}\n";

static uint64_t cycles(const char *setting)
{
    Bench *b = bench_new("volta-v100-gpgpusim4", (const char *const[]){setting, NULL}, NULL, sums);
    uint64_t out = bench_array(b, "out", NULL, 1024);
    uint64_t count = bench_run(b, &(BenchLaunch){"k", .block = {256}, .args = {out}})->cycles;
    for (unsigned i = 0; i < 256; i++) assert_int_equal(bench_word(b, out, i), 32 * 128 * i);
    bench_free(b);
    return count;
}

static void test_conflicts(void **state)
{
    (void)state;
    assert_int_equal(cycles("operand.collector_order=turn"), 9967);
    assert_int_equal(cycles("operand.collector_order=age"), 8729);
}

// One lane loads `loads` times, each from the address that the load before has brought.
static uint64_t chain(unsigned dispatch, unsigned loads)
{
    static const char load[] = "    ld.shared.u32 %r1, [%r1];\n";
    char text[2000] = PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<2>;\n"
        "    .shared .align 4 .b8 data[64];\n"
        "    mov.u32 %r1, data;\n"
        "    st.shared.u32 [%r1], %r1;\n";
    for (unsigned i = 0; i < loads; i++) strcat(text, load);
    strcat(text, "    ret;\n}\n");
    char stages[32];
    snprintf(stages, sizeof stages, "operand.dispatch=%u", dispatch);
    Bench *b = bench_new("fermi-macsim",
                         (const char *const[]){stages, "operand.shared_collectors=2",
                                               "operand.collector_order=turn",
                                               "frontend.perfect=true", NULL}, NULL, text);
    uint64_t count = bench_run(b, &(BenchLaunch){"k", .block = {1}})->cycles;
    bench_free(b);
    return count;
}

// An instruction leaves its collector in the cycle after it has read its last operand. With one
// dispatch stage it reaches the load/store unit, whose latency is 1 here, in that cycle, and
// without one no sooner. The second stage makes each load of a chain one cycle longer.
static void test_dispatch_stages(void **state)
{
    (void)state;
    uint64_t loads[3];
    for (unsigned i = 0; i < 3; i++) loads[i] = chain(i, 20) - chain(i, 10);
    assert_int_equal(loads[0], loads[1]);
    assert_int_equal(loads[2], loads[1] + 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turn), cmocka_unit_test(test_overtaken),
        cmocka_unit_test(test_oldest), cmocka_unit_test(test_rank),
        cmocka_unit_test(test_conflicts), cmocka_unit_test(test_dispatch_stages)};
    return cmocka_run_group_tests_name("collector turns", tests, NULL, NULL);
}
