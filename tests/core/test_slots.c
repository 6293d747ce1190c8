// Where the slots of schedulers go, cycle by cycle (IssueCounters). The slots of a scheduler are
// counted when one of its warps changes what it waits for, for all the cycles before.
#include "support/bench.h"

// Instructions are fetched in a cycle, and decoded two cycles later. A move's result is written 6
// cycles behind its issue.
#define SETTINGS                                                                                   \
    "gpu.sms=1", "frontend.perfect=true", "operand.stages=1", "operand.dispatch=2",                \
        "operand.writeback=2", "latency.move=1", "latency.int_add=4"
#define KERNEL(body)                                                                               \
    PTX_HEAD                                                                                       \
    ".visible .entry k()\n"                                                                        \
    "{\n"                                                                                          \
    "    .reg .b32 %r<4>;\n"                                                                       \
    body                                                                                           \
    "    ret;\n"                                                                                   \
    "}\n"

static IssueCounters run(const char *ptx, const char *const settings[], unsigned threads,
                         uint64_t cycles)
{
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {threads}});
    IssueCounters slots = r->sm.issue;
    assert_int_equal(r->cycles, cycles);
    bench_free(b);
    return slots;
}

// {mov, add}, {ret}. Fetched in 0; the first issues in 2, and the second, which needs it, in 8. The
// buffer is then empty: ret is fetched in 8, there in 10, and waits for the sum. That is written in
// 18, after 1 cycle to the collector, 1 to read, 2 to the unit, 4 in it, and 2 to the registers.
static void test_spans(void **state)
{
    (void)state;
    static const char ptx[] = KERNEL("    mov.u32 %r1, %tid.x;\n"
                                     "    add.u32 %r2, %r1, 1;\n");
    const char *const settings[] = {SETTINGS, "core.schedulers=1", NULL};
    IssueCounters slots = run(ptx, settings, 32, 19);
    assert_int_equal(slots.issued, 3);
    assert_int_equal(slots.stall_fetch, 2 + 1);
    assert_int_equal(slots.stall_dependency, 5 + 8);
}

static const char barrier[] = KERNEL("    bar.sync 0;\n");

// {bar, ret}. Warp 1 is fetched in 0 and arrives in 2; warp 0 is fetched in 1 and arrives in 3,
// which opens the barrier. In cycle 3 scheduler 1 has its turn first: it is still blocked. Both
// warps end in 4.
static void test_barrier_behind_turn(void **state)
{
    (void)state;
    const char *const settings[] = {SETTINGS, "core.schedulers=2", "core.scheduler_turn=cycle",
                                    NULL};
    IssueCounters slots = run(barrier, settings, 64, 5);
    assert_int_equal(slots.issued, 4);
    assert_int_equal(slots.stall_fetch, 2 + 2 + 1);
    assert_int_equal(slots.stall_barrier, 1);
    assert_int_equal(slots.stall_unit, 0);
}

// As before, but scheduler 1, which issued last, has its turn behind scheduler 0 in cycle 3: its
// warp goes on at once, and ends in 3.
static void test_barrier_before_turn(void **state)
{
    (void)state;
    const char *const settings[] = {SETTINGS, "core.schedulers=2", "core.scheduler_turn=issue",
                                    NULL};
    IssueCounters slots = run(barrier, settings, 64, 5);
    assert_int_equal(slots.issued, 4);
    assert_int_equal(slots.stall_fetch, 2 + 2 + 1);
    assert_int_equal(slots.stall_barrier, 0);
    assert_int_equal(slots.idle, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_barrier_behind_turn),
        cmocka_unit_test(test_barrier_before_turn),
    };
    return cmocka_run_group_tests_name("issue slots", tests, NULL, NULL);
}
