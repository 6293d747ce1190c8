// Throughput of independent instructions: issue slots, units, initiation intervals, fetches. 48
// warps on one SM with two schedulers; the cycles of N more instructions per warp.
#include "support/unrolled.h"

enum { COUNT = 4, WARPS = 48, MORE = COUNT * 16 * WARPS };

#define SM "gpu.sms=1", "frontend.perfect=true"
static const char *const one_sm[] = {SM, NULL};

// `pattern` (unrolled_numbered) COUNT times: MORE instructions for each one in it.
static uint64_t cost(const char *const *settings, const char *pattern)
{
    char *body = unrolled_numbered(pattern);
    Unrolled u = {"fermi-gtx480", settings, NULL, body, 3, WARPS / 3 * 32};
    uint64_t cycles = unrolled_cost(&u, COUNT);
    free(body);
    return cycles;
}

// Cycles per instruction are 1 / rate, to within `percent` above it; never below.
static void expect_rate(uint64_t cycles, uint64_t instructions, double rate, unsigned percent)
{
    double least = (double)instructions / rate;
    if ((double)cycles < least - 0.5 || (double)cycles > least * (100 + percent) / 100)
        fail_msg("%u cycles for %u instructions, expected %.0f to %.0f", (unsigned)cycles,
                 (unsigned)instructions, least, least * (100 + percent) / 100);
}

#define LRR "core.policy=lrr"

// Two schedulers, two SP units, and a fetch of two instructions per cycle: two per cycle. Round
// robin, because oldest first would leave too few warps for the end of the chains below.
static void test_independent_fma(void **state)
{
    (void)state;
    static const char *const settings[] = {SM, LRR, NULL};
    expect_rate(cost(settings, "fma.rn.f32 %f1#, %f2, %f3, %f4;\n"), MORE, 2, 1);
    expect_rate(cost(one_sm, "add.f32 %f1#, %f2, 1.0;\n"), MORE, 2, 1);
}

// Even with a chain in each warp: 24 warps per scheduler cover its 11 cycles.
static void test_chains_in_many_warps(void **state)
{
    (void)state;
    static const char *const settings[] = {SM, LRR, NULL};
    Unrolled u = {"fermi-gtx480", settings, NULL, "fma.rn.f32 %f1, %f1, %f3, %f4;\n", 3,
                  WARPS / 3 * 32};
    expect_rate(unrolled_cost(&u, 64), 64 * WARPS, 2, 1);
}

// With 4 warps in all, two per scheduler, a chain of 11 cycles allows 4 instructions in 11 cycles.
static void test_chains_in_few_warps(void **state)
{
    (void)state;
    uint64_t cycles = unrolled_cost(
        &(Unrolled){"fermi-gtx480", one_sm, NULL, "fma.rn.f32 %f1, %f1, %f3, %f4;\n", 1, 128}, 64);
    expect_rate(cycles, 4 * 64, 4 / 11.0, 1);
}

static void test_one_unit(void **state)
{
    (void)state;
    expect_rate(cost((const char *const[]){SM, "units.sp=1", NULL}, "add.f32 %f1#, %f2, 1.0;\n"),
                MORE, 1, 3);
}

static void test_one_scheduler(void **state)
{
    (void)state;
    expect_rate(
        cost((const char *const[]){SM, "core.schedulers=1", NULL}, "add.f32 %f1#, %f2, 1.0;\n"),
        MORE, 1, 3);
}

// A fetch of one instruction per cycle for the whole SM.
static void test_fetch_limit(void **state)
{
    (void)state;
    expect_rate(cost((const char *const[]){SM, "frontend.fetch_bytes=8B", NULL},
                     "add.f32 %f1#, %f2, 1.0;\n"),
                MORE, 1, 3);
}

// Integer multiply: every unit starts one in initiation.int_mul = 2 cycles.
static void test_initiation_intervals(void **state)
{
    (void)state;
    expect_rate(cost(one_sm, "mul.lo.s32 %r1#, %r2, 7;\n"), MORE, 2 / 2.0, 3);
    expect_rate(cost(one_sm, "sin.approx.f32 %f1#, %f2;\n"), MORE, 1 / 8.0, 1);
    expect_rate(cost(one_sm, "add.f64 %d1#, %d2, %d3;\n"), MORE, 1 / 8.0, 1);
    expect_rate(cost(one_sm, "div.u32 %r1#, %r2, 7;\n"), MORE, 1 / 8.0, 1);
}

// Double precision with units of its own runs in parallel with the SFU.
static void test_separate_dp_units(void **state)
{
    (void)state;
    const char *both =
        "    add.f64 %d1#, %d2, %d3;\n"
        "    sin.approx.f32 %f1#, %f2;\n";
    expect_rate(cost(one_sm, both), 2 * MORE, 1 / 8.0, 1);
    expect_rate(cost((const char *const[]){SM, "units.dp=1", NULL}, both), 2 * MORE, 2 / 8.0, 3);
}

// Float64 reciprocals on the unit of float64 (8 cycles each), or beside it.
static void test_unit_of_dp_div(void **state)
{
    (void)state;
    const char *both =
        "    add.f64 %d1#, %d2, %d3;\n"
        "    rcp.rn.f64 %d4#, %d5;\n";
    const char *const dp[] = {SM, "units.dp=1", "initiation.dp_rcp=8", "latency.dp_rcp=8", NULL};
    const char *const sfu[] = {SM, "units.dp=1", "initiation.dp_rcp=8", "latency.dp_rcp=8",
                               "units.dp_div=sfu", NULL};
    expect_rate(cost(dp, both), 2 * MORE, 1 / 8.0, 1);
    expect_rate(cost(sfu, both), 2 * MORE, 2 / 8.0, 3);
}

// Remainders as divisions occupy the SFU for 8 cycles each; as moves they go to the two SP units.
// GPGPU-Sim 3 gives an integer multiplication, and a multiply-add, to the special function unit
// (cuda-sim.cc, set_opcode_and_latency: SFU_OP). With one such unit and an interval of 2, that is
// one multiplication in 2 cycles instead of two SP units' one in each cycle. The SP units are free
// for other instructions meanwhile.
static void test_unit_of_int_mul(void **state)
{
    (void)state;
    static const char mul[] = "mul.lo.s32 %r1#, %r2, 7;\n",
                      mad[] = "mad.lo.s32 %r1#, %r2, 7, %r3;\n",
                      both[] = "mul.lo.s32 %r1#, %r2, 7;\nadd.f32 %f1#, %f2, 1.0;\n";
    static const char *const sp[] = {SM, LRR, "initiation.int_mul=2", "initiation.int_mad=2", NULL};
    static const char *const sfu[] = {SM, LRR, "initiation.int_mul=2", "initiation.int_mad=2",
                                      "units.int_mul=sfu", NULL};
    expect_rate(cost(sp, mul), MORE, 1, 3);
    expect_rate(cost(sfu, mul), MORE, 1 / 2.0, 3);
    expect_rate(cost(sp, mad), MORE, 1, 3);
    expect_rate(cost(sfu, mad), MORE, 1 / 2.0, 3);
    expect_rate(cost(sfu, both), MORE, 1 / 2.0, 3);
}

static void test_unit_of_unclassed(void **state)
{
    (void)state;
    const char *const as_moves[] = {SM, LRR, "units.unclassed=move", NULL};
    expect_rate(cost(one_sm, "rem.u32 %r1#, %r2, 7;\n"), MORE, 1 / 8.0, 1);
    expect_rate(cost(as_moves, "rem.u32 %r1#, %r2, 7;\n"), MORE, 2, 3);
    expect_rate(cost(as_moves, "neg.f64 %d1#, %d2;\n"), MORE, 2, 3);
}

// One scheduler that issues two instructions of a warp per cycle to different ports: an SP and an
// SFU one of initiation 1.
static void test_dual_issue(void **state)
{
    (void)state;
    const char *body =
        "    add.f32 %f1#, %f2, 1.0;\n"
        "    sin.approx.f32 %f4#, %f5;\n";
    const char *const single[] = {SM, "core.schedulers=1", "initiation.sfu=1", NULL};
    const char *const dual[] = {SM, "core.schedulers=1", "initiation.sfu=1", "core.issue=2", NULL};
    expect_rate(cost(single, body), 2 * MORE, 1, 3);
    expect_rate(cost(dual, body), 2 * MORE, 2, 5);
}

// Issue slots by reason, where one reason must dominate.
static LaunchResult slots(const char *const *settings, const char *body, unsigned threads)
{
    char *bodies = bench_repeat(body, 200), *ptx;
    assert_true(asprintf(&ptx,
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .f32 %%f<9>;\n"
        "%s"
        "    ret;\n"
        "}\n",
        bodies) > 0);
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    LaunchResult r = *bench_run(b, &(BenchLaunch){"k", .block = {threads}});
    bench_free(b);
    free(ptx);
    free(bodies);
    return r; // plain counters only: its tables are freed
}

static void test_slot_reasons(void **state)
{
    (void)state;
    // A chain in one warp: its scheduler waits 9 of 10 cycles for the result, the other is idle.
    LaunchResult r = slots(one_sm, "add.f32 %f1, %f1, 1.0;\n", 32);
    assert_int_equal(r.sm.issue.issued, 201);
    assert_int_equal(r.sm.issue.idle, r.cycles);
    assert_in_range(r.sm.issue.stall_dependency, 199 * 8, 200 * 9 + 20);
    // The SFU accepts one instruction in 8 cycles: warps are ready and find it busy.
    r = slots((const char *const[]){SM, LRR, NULL}, "sin.approx.f32 %f1, %f2;\n", 1024);
    assert_int_equal(r.sm.issue.issued, 32 * 201);
    assert_true(r.sm.issue.stall_unit > r.cycles * 2 * 9 / 10);
    // The schedulers take turns at the SFU: neither ends long before the other.
    assert_true(r.sm.issue.idle < 100);
}

// Two SP and two integer units that take an instruction every second cycle: each kind alone has one
// per cycle, both together have the schedulers' two.
static void test_integer_units(void **state)
{
    (void)state;
#define HALF "initiation.int_add=2", "initiation.fp_add=2", "operand.banks=64"
    static const char *const both[] = {SM, LRR, HALF, "units.int=2", "operand.int=6",
                                       "operand.ports_int=2", NULL};
    static const char *const sp_only[] = {SM, LRR, HALF, NULL};
    const char *mixed = "add.f32 %f1#, %f2, 1.0;\nadd.u32 %r1#, %r2, 1;\n";
    expect_rate(cost(both, "add.u32 %r1#, %r2, 1;\n"), MORE, 1, 1);
    expect_rate(cost(both, "add.f32 %f1#, %f2, 1.0;\n"), MORE, 1, 1);
    expect_rate(cost(both, mixed), 2 * MORE, 2, 2);
    expect_rate(cost(sp_only, mixed), 2 * MORE, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_independent_fma),      cmocka_unit_test(test_chains_in_many_warps),
        cmocka_unit_test(test_chains_in_few_warps),  cmocka_unit_test(test_one_unit),
        cmocka_unit_test(test_one_scheduler),        cmocka_unit_test(test_fetch_limit),
        cmocka_unit_test(test_initiation_intervals), cmocka_unit_test(test_separate_dp_units),
        cmocka_unit_test(test_unit_of_int_mul),
        cmocka_unit_test(test_unit_of_dp_div),       cmocka_unit_test(test_unit_of_unclassed),
        cmocka_unit_test(test_dual_issue),           cmocka_unit_test(test_slot_reasons),
        cmocka_unit_test(test_integer_units),
    };
    return cmocka_run_group_tests_name("throughput", tests, NULL, NULL);
}
