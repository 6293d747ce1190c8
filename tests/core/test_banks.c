// The register file's banks: operands in one bank are read one after the other.
//
// Register r of warp w lies in bank (r + w) modulo operand.banks, with r the register's number in
// the scoreboard (UOpTiming.reads). One warp, number 0.
#include "support/unrolled.h"

#include "core/operands/operands.h"
#include "core/sm_context.h"

enum { COUNT = 32 };

#define SM "gpu.sms=1", "frontend.perfect=true"

// Cycles that the instruction's reads take beyond one, and the waits of all its operands, by hand:
// each bank reads one operand per cycle, in order.
static void expected_conflicts(const UOpTiming *t, unsigned banks, unsigned *longest,
                               unsigned *waits)
{
    unsigned used[64] = {0};
    *longest = *waits = 0;
    for (unsigned i = 0; i < t->bank_read_count; i++) {
        unsigned wait = used[t->bank_reads[i] % banks]++;
        *waits += wait;
        if (wait > *longest) *longest = wait;
    }
}

// The instruction `body` in a chain of its own results: cycles for each, and the counted waits.
static void expect_chain(const char *machine_banks, unsigned banks, const char *before,
                         const char *body, unsigned latency, unsigned longest)
{
    const char *const settings[] = {SM, machine_banks, NULL};
    Unrolled u = {"fermi-gtx480", settings, before, body, 1, 32};
    assert_int_equal(unrolled_cost(&u, COUNT), (latency + longest) * COUNT);

    char *ptx;
    assert_true(
        asprintf(&ptx,
            PTX_HEAD
            ".visible .entry k()\n"
            "{\n"
            "    .reg .b32 %%r<99>;\n"
            "    .reg .f32 %%f<99>;\n"
            "%s"
            "%s"
            "    ret;\n"
            "}\n",
            before, body) > 0);
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}});
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(body, ";"), body);
    unsigned found, waits;
    expected_conflicts(bench_timing(b, text), banks, &found, &waits);
    assert_int_equal(found, longest);
    assert_int_equal(r->sm.sm.operand_conflict_cycles, waits);
    bench_free(b);
    free(ptx);
}

// With one bank, an instruction of k operands reads for k cycles.
static void test_one_bank(void **state)
{
    (void)state;
    expect_chain("operand.banks=1", 1, "", "add.u32 %r1, %r1, 5;\n", 10, 0);
    expect_chain("operand.banks=1", 1, "", "add.u32 %r1, %r1, %r2;\n", 10, 1);
    expect_chain("operand.banks=1", 1, "", "mad.lo.u32 %r1, %r1, %r2, %r3;\n", 11, 2);
}

// With 16 banks, three registers with consecutive numbers never conflict.
static void test_different_banks(void **state)
{
    (void)state;
    expect_chain("operand.banks=16", 16, "", "mad.lo.u32 %r1, %r1, %r2, %r3;\n", 11, 0);
}

// Registers whose numbers differ by a multiple of the banks conflict. The front end numbers a
// kernel's registers: of 34 consecutive candidates, two are 4 and 8 above the number of %r1.
static void test_same_bank_of_four(void **state)
{
    (void)state;
    const char *ptx =
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<20>;\n"
        "    mad.lo.u32 %r1, %r2, %r3, %r4;\n"
        "    mad.lo.u32 %r5, %r6, %r7, %r8;\n"
        "    mad.lo.u32 %r9, %r10, %r11, %r12;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", NULL, NULL, ptx);
    unsigned first = bench_timing(b, "mad.lo.u32 %r1,")->writes[0], of[13] = {0};
    static const char *const texts[] = {"mad.lo.u32 %r1,", "mad.lo.u32 %r5,", "mad.lo.u32 %r9,"};
    for (unsigned i = 0; i < 3; i++) {
        of[4 * i + 1] = bench_timing(b, texts[i])->writes[0];
        for (unsigned k = 0; k < 3; k++) of[4 * i + 2 + k] = bench_timing(b, texts[i])->reads[k];
    }
    bench_free(b);
    unsigned same[3] = {0}, count = 0;
    for (unsigned r = 1; r <= 12 && count < 3; r++)
        if (of[r] % 4 == first % 4) same[count++] = r;
    assert_int_equal(count, 3);
    assert_int_equal(same[0], 1);
    char before[256], body[64];
    snprintf(before, sizeof before, "%s",
        "    mad.lo.u32 %r1, %r2, %r3, %r4;\n"
        "    mad.lo.u32 %r5, %r6, %r7, %r8;\n"
        "    mad.lo.u32 %r9, %r10, %r11, %r12;\n");
    snprintf(body, sizeof body, "mad.lo.u32 %%r1, %%r1, %%r%u, %%r%u;\n", same[1], same[2]);
    const char *const settings[] = {SM, "operand.banks=4", NULL};
    Unrolled u = {"fermi-gtx480", settings, before, body, 1, 32};
    assert_int_equal(unrolled_cost(&u, COUNT), (11 + 2) * COUNT);
}

// Predicates and constants are not read from the register file.
static void test_no_bank_operands(void **state)
{
    (void)state;
    const char *const settings[] = {SM, "operand.banks=1", NULL};
    const char *ptx =
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .pred %p<4>;\n"
        "    .reg .b32 %r<9>;\n"
        "    setp.eq.u32 %p1, %r1, %r2;\n"
        "    selp.b32 %r3, 4, 5, %p1;\n"
        "    @%p1 add.u32 %r4, %r1, 7;\n"
        "    mov.u32 %r5, 9;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}});
    assert_int_equal(r->sm.sm.operand_reads, 3);
    assert_int_equal(r->sm.sm.operand_conflict_cycles, 1);
    bench_free(b);
}

// The cost of an instruction in a chain of its own results, with these settings.
static uint64_t chain_cost(const char *const *settings, const char *body)
{
    Unrolled u = {"fermi-gtx480", settings, "", body, 1, 32};
    return unrolled_cost(&u, COUNT);
}

// With two passes per cycle, an instruction that issues in cycle 0 gets a collector in the first
// pass of cycle 1, and reads one operand in the second. One pass behind its last operand it leaves
// for the unit, where it starts in the next cycle. So its results come a cycle sooner than with one
// pass, and a second operand of the same bank costs nothing; a third one a cycle.
static void test_two_passes(void **state)
{
    (void)state;
    const char *const settings[] = {SM, "operand.banks=1", "operand.passes=2", NULL};
    assert_int_equal(chain_cost(settings, "add.u32 %r1, %r1, 5;\n"), 9 * COUNT);
    assert_int_equal(chain_cost(settings, "add.u32 %r1, %r1, %r2;\n"), 9 * COUNT);
    assert_int_equal(chain_cost(settings, "mad.lo.u32 %r1, %r1, %r2, %r3;\n"), 11 * COUNT);
}

// Two schedulers share two banks: all registers of a warp are in one of them.
static void test_banks_of_schedulers(void **state)
{
    (void)state;
    const char *const settings[] = {SM, "operand.banks=2", "operand.banks_of=scheduler", NULL};
    assert_int_equal(chain_cost(settings, "add.u32 %r1, %r1, %r2;\n"), 11 * COUNT);
    assert_int_equal(chain_cost(settings, "mad.lo.u32 %r1, %r1, %r2, %r3;\n"), 13 * COUNT);
}

// With names, %r1, %r17 and %p1 share a bank of 16, a register that is named twice is read twice,
// and a guard is not read.
static void test_names(void **state)
{
    (void)state;
    static const char *const settings[] = {SM, "operand.banks=16", "operand.bank_number=name",
                                           NULL};
    static const struct {
        const char *body;
        unsigned latency, longest;
    } chains[] = {
        {"mad.lo.u32 %r1, %r1, %r2, %r3;\n", 11, 0},
        {"mad.lo.u32 %r1, %r1, %r17, %r2;\n", 11, 1},
        {"mad.lo.u32 %r1, %r1, %r17, %r33;\n", 11, 2},
        {"add.u32 %r1, %r1, %r1;\n", 10, 1},
        {"@%p1 add.u32 %r1, %r1, %r2;\n", 10, 0},
        {"selp.u32 %r1, %r1, %r2, %p3;\n", 10, 0},
        {"selp.u32 %r1, %r1, %r2, %p1;\n", 10, 1},
    };
    for (unsigned i = 0; i < sizeof chains / sizeof *chains; i++) {
        Unrolled u = {"fermi-gtx480", settings, "setp.eq.u32 %p1, %r5, %r5;\n", chains[i].body, 1,
                      32};
        assert_int_equal(unrolled_cost(&u, COUNT), (chains[i].latency + chains[i].longest) * COUNT);
    }
}

// Two memory instructions issue in cycles 10 and 11, and read register 5 (bank 5) in 12 and 13.
// They reach the load/store unit in 14 and 15, if no result is written to the bank in cycle 12. If
// one is, the first reads in cycle 13 and arrives in 15, and so the second in 16. If results are
// written in cycles 12 and 13, each delays the first.
static void test_behind_writes(void **state)
{
    (void)state;
    static const uint64_t arrivals[3][2] = {{14, 15}, {15, 16}, {16, 17}};
    OperandConfig operand = {.banks = 8, .passes = 1, .sp = 1, .sfu = 1, .dp = 1, .mem = 2,
                             .ports_sp = 1, .ports_sfu = 1, .ports_dp = 1, .ports_mem = 1,
                             .stages = 1, .dispatch = 2, .mem_collect = COLLECT_BEHIND_WRITES};
    UnitConfig units = {.sp = 1, .sfu = 1};
    static const ScalarConfig scalar;
    LatencyConfig latency, initiation;
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) latency.of[c] = initiation.of[c] = 1;
    static const Warp warp;
    const UOpTiming load = {.bank_read_count = 1, .bank_reads = {5}},
                    result = {.bank_write_count = 1, .bank_writes = {5}};
    const UOp op = {.class = CLASS_LOAD};
    for (unsigned writes = 0; writes < 3; writes++) {
        SmContext context = {.config = {.scalar = &scalar, .operand = &operand, .units = &units,
                                        .latency = &latency, .initiation = &initiation}};
        Operands operands = {0};
        assert_true(operands_init(&operands, &context.config, &context.tables));
        uint64_t read_at[2], due[2], arrived[2] = {0};
        for (context.now = 10; context.now < 20; context.now++) {
            for (unsigned k = 0; k < 2; k++)
                if (context.now >= 12 && !arrived[k] && due[k] == context.now) {
                    if (operands_arrive(&operands, &context, &warp, &load, &read_at[k]))
                        arrived[k] = context.now;
                    else due[k]++;
                }
            if (context.now >= 12 && context.now < 12 + writes)
                operands_write(&operands, &context, &warp, &result);
            if (context.now < 12)
                due[context.now - 10] =
                    operands_schedule_memory(&operands, &context, &warp, &op, &load, 1,
                                             &read_at[context.now - 10], NULL);
        }
        for (unsigned k = 0; k < 2; k++) assert_int_equal(arrived[k], arrivals[writes][k]);
        hd_tables_free(&context.tables);
    }
}

// With seven dispatch stages, an instruction that reads in cycle 12 arrives in cycle 19. Then the
// bank has been written again, in cycle 16. It still waits for the write of cycle 12.
static void test_long_dispatch(void **state)
{
    (void)state;
    OperandConfig operand = {.banks = 8, .passes = 1, .sp = 1, .sfu = 1, .dp = 1, .mem = 2,
                             .ports_sp = 1, .ports_sfu = 1, .ports_dp = 1, .ports_mem = 1,
                             .stages = 1, .dispatch = 7, .mem_collect = COLLECT_BEHIND_WRITES};
    UnitConfig units = {.sp = 1, .sfu = 1};
    static const ScalarConfig scalar;
    LatencyConfig latency, initiation;
    for (unsigned c = 0; c < LATENCY_CLASSES; c++) latency.of[c] = initiation.of[c] = 1;
    SmContext context = {.now = 10,
                         .config = {.scalar = &scalar, .operand = &operand, .units = &units,
                                    .latency = &latency, .initiation = &initiation}};
    static const Warp warp;
    const UOpTiming load = {.bank_read_count = 1, .bank_reads = {5}},
                    result = {.bank_write_count = 1, .bank_writes = {5}};
    const UOp op = {.class = CLASS_LOAD};
    Operands operands = {0};
    uint64_t read_at;
    assert_true(operands_init(&operands, &context.config, &context.tables));
    assert_int_equal(
        operands_schedule_memory(&operands, &context, &warp, &op, &load, 1, &read_at, NULL), 19);
    for (context.now = 12; context.now <= 16; context.now += 4)
        operands_write(&operands, &context, &warp, &result);
    context.now = 19;
    assert_false(operands_arrive(&operands, &context, &warp, &load, &read_at));
    context.now = 20;
    assert_true(operands_arrive(&operands, &context, &warp, &load, &read_at));
    hd_tables_free(&context.tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_bank),
        cmocka_unit_test(test_different_banks),
        cmocka_unit_test(test_same_bank_of_four),
        cmocka_unit_test(test_no_bank_operands),
        cmocka_unit_test(test_two_passes),
        cmocka_unit_test(test_banks_of_schedulers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_behind_writes),
        cmocka_unit_test(test_long_dispatch),
    };
    return cmocka_run_group_tests_name("register banks", tests, NULL, NULL);
}
