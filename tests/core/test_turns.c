// Who comes first where warps share a stage: schedulers (core.scheduler_turn), memory instructions
// (operand.mem_issue), warps that wait for an instruction line (frontend.fill), and exited warps
// (core.warp_exit).
#include "support/bench.h"

// Each warp stores the difference of two readings of the clock, %r1 and %r2, at out[warp].
#define HEAD                                                                                       \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 out)\n"                                                         \
    "{\n"                                                                                          \
    "    .reg .b32 %r<9>;\n"                                                                       \
    "    .reg .b64 %rd<4>;\n"                                                                      \
    "    .reg .f32 %f<99>;\n"                                                                      \
    "    .shared .b32 place[32];\n"
#define STORE                                                                                      \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    mov.u32 %r3, %tid.x;\n"                                                                   \
    "    shr.u32 %r3, %r3, 5;\n"                                                                   \
    "    mul.wide.u32 %rd2, %r3, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"                                                              \
    "    sub.u32 %r4, %r2, %r1;\n"                                                                 \
    "    st.global.u32 [%rd3], %r4;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

// Runs two warps, one for each scheduler, with this setting.
static void run_two(const char *ptx, const char *setting, unsigned cycles[2])
{
    const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true", "frontend.fetches=2",
                                    setting, NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    uint64_t out = bench_array(b, "out", NULL, 8);
    bench_run(b, &(BenchLaunch){"k", .block = {64}, .args = {out}});
    for (unsigned i = 0; i < 2; i++) cycles[i] = bench_word(b, out, i);
    bench_free(b);
}

// Each warp issues 64 independent special functions to the one SFU, which takes one every 8 cycles.
// Once its collectors are full, there is room for one in every 8th cycle. If schedulers take turns
// in issuing, the warps issue alternately, and are done one interval apart. If the turn passes on
// in every cycle, the same one of two schedulers is first in each 8th cycle: its warp has issued
// all of its 64 when the other one has only those that found room before, at most the 8 collectors
// and the latch.
static void test_scheduler_turn(void **state)
{
    (void)state;
    char text[64 * 40] = "", line[40], *ptx;
    for (unsigned i = 0; i < 64; i++) {
        snprintf(line, sizeof line, "    sin.approx.f32 %%f%u, %%f0;\n", 1 + i);
        strcat(text, line);
    }
    assert_true(asprintf(&ptx, "%s    mov.u32 %%r1, %%clock;\n%s    mov.u32 %%r2, %%clock;\n%s",
                         HEAD, text, STORE) > 0);
    unsigned issue[2], cycle[2];
    run_two(ptx, "core.scheduler_turn=issue", issue);
    run_two(ptx, "core.scheduler_turn=cycle", cycle);
    free(ptx);
    assert_in_range(abs((int)issue[0] - (int)issue[1]), 0, 8);
    assert_in_range(abs((int)cycle[0] - (int)cycle[1]), 8 * (64 - 9), 8 * 64 + 8);
}

// {clock, ld.shared}, {clock, ...}: both warps read their clock in cycle 0 and issue a load in
// cycle 1, with which their buffers are empty, and so read their clock again in cycle 3. If one
// memory instruction issues per cycle, one of them does both a cycle later.
static void test_memory_issue(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    mov.u32 %r1, %clock;\n"
        "    ld.shared.u32 %r5, [place];\n"
        "    mov.u32 %r2, %clock;\n"
        "    mov.u32 %r6, 1;\n"
        STORE;
    unsigned cycles[2];
    run_two(ptx, "operand.mem_issue=0", cycles);
    assert_int_equal(cycles[0], 3);
    assert_int_equal(cycles[1], 3);
    run_two(ptx, "operand.mem_issue=1", cycles);
    assert_int_equal(cycles[0] + cycles[1], 3 + 4);
    run_two(ptx, "operand.mem_issue=2", cycles);
    assert_int_equal(cycles[0] + cycles[1], 3 + 3);
}

// {mov, ret} of one line: all 5 warps miss. They fetch again when the line arrives, or have their
// instructions with it; both take one warp per cycle.
static void test_fill(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    mov.u32 %r1, 1;\n"
        "    ret;\n"
        "}\n";
    uint64_t cycles[2], fetches[2];
    for (unsigned i = 0; i < 2; i++) {
        const char *const settings[] = {
            "gpu.sms=1", i ? "frontend.fill=forward" : "frontend.fill=refetch", NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {5 * 32}});
        assert_int_equal(r->sm.l1i.misses, 1);
        cycles[i] = r->cycles;
        fetches[i] = r->sm.sm.fetches;
        bench_free(b);
    }
    assert_int_equal(fetches[0], 2 * 5);
    assert_int_equal(fetches[1], 5);
    assert_int_equal(cycles[0], cycles[1]);
}

// A warp of one instruction: fetched in cycle 0, issued in cycle 2. It leaves the pipeline 6 cycles
// later (operand.stages 1 and dispatch 2, latency 1, writeback 2), when the fetch stage has nothing
// else to do.
static void test_warp_end(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD ".visible .entry k()\n{\n    ret;\n}\n";
    for (unsigned i = 0; i < 2; i++) {
        const char *const settings[] = {
            "gpu.sms=1", "frontend.perfect=true", "operand.stages=1", "operand.dispatch=2",
            "operand.writeback=2", i ? "core.warp_exit=fetch" : "core.warp_exit=issue", NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}});
        assert_int_equal(r->cycles, i ? 9 : 3);
        assert_int_equal(r->sm.sm.warp_cycles, i ? 9 : 2); // the issue's cycle does not count
        bench_free(b);
    }
}

// Warps 1, 2, 3, 0 are fetched in cycles 0 to 3, and issue in 2 to 5. They leave the pipeline in 8
// to 11; the last one ends the launch.
static void test_warp_ends(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD ".visible .entry k()\n{\n    ret;\n}\n";
    const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true", "core.warp_exit=fetch",
                                    "core.schedulers=1", NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {4 * 32}});
    assert_int_equal(r->cycles, 12);
    assert_int_equal(r->sm.sm.warp_cycles, 9 + 10 + 11 + 12);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scheduler_turn),
        cmocka_unit_test(test_memory_issue),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_warp_end),
        cmocka_unit_test(test_warp_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
