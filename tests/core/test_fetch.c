// The instruction buffer of a warp: which instructions it may provide, by the number of fetches;
// and when the instructions behind a branch can issue, by the clock that the kernel reads.
//
// One fetch of fermi-gtx480 brings two instructions that follow each other. They can issue 2 cycles
// after the fetch, one per cycle. A fetch starts in the cycle in which the buffer's last
// instruction issues.
#include "support/bench.h"

static const char *const one_sm[] = {"gpu.sms=1", "frontend.perfect=true", NULL};

static uint64_t fetches(const char *ptx)
{
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL, ptx);
    uint64_t count = bench_run(b, &(BenchLaunch){"k", .block = {32}})->sm.sm.fetches;
    bench_free(b);
    return count;
}

// {mov, mov}, {mov, ret}.
static void test_straight(void **state)
{
    (void)state;
    assert_int_equal(fetches(
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    mov.u32 %r1, 1;\n"
        "    mov.u32 %r2, 2;\n"
        "    mov.u32 %r3, 3;\n"
        "    ret;\n"
        "}\n"),
                     2);
}

// {bra, mov}, and from the target {mov, ret}: instructions that were decoded after the branch are
// dropped.
static void test_taken_branch(void **state)
{
    (void)state;
    assert_int_equal(fetches(
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    bra.uni OVER;\n"
        "    mov.u32 %r1, 1;\n"
        "OVER:\n"
        "    mov.u32 %r2, 2;\n"
        "    ret;\n"
        "}\n"),
                     2);
}

// {call, ret} of the kernel, {ret, trap} of the function, {ret} of the kernel again. The function's
// second instruction is as far from its start as the kernel's is from the kernel's: the buffer must
// not confuse them.
static void test_leftovers_of_a_callee(void **state)
{
    (void)state;
    assert_int_equal(fetches(
        PTX_HEAD
        ".func f()\n"
        "{\n"
        "    ret;\n"
        "    trap;\n"
        "}\n"
        ".visible .entry k()\n"
        "{\n"
        "    call.uni f;\n"
        "    ret;\n"
        "}\n"),
                     3);
}

// ---- fetches that stall ----

typedef struct Stalled {
    uint64_t cycles, fetches, accesses, stalls;
} Stalled;

// Eight warps, each in a line of instructions of its own, with an L1I of one MSHR entry and these
// settings.
static Stalled stalled(const char *queue, const char *fetches, bool no_skip)
{
    char text[8192];
    int at = snprintf(text, sizeof text,
                      PTX_HEAD
                      ".visible .entry k()\n{\n    .reg .b32 %%r<9>;\n"
                      "    mov.u32 %%r1, %%tid.x;\n    shr.u32 %%r1, %%r1, 5;\n"
                      "    W: .branchtargets L0, L1, L2, L3, L4, L5, L6, L7;\n"
                      "    brx.idx %%r1, W;\n");
    for (int i = 0; i < 8; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "L%d:\n", i);
        for (int k = 0; k < 20; k++)
            at += snprintf(text + at, sizeof text - (size_t)at, "    mov.u32 %%r2, %d;\n", k);
        at += snprintf(text + at, sizeof text - (size_t)at, "    ret;\n");
    }
    snprintf(text + at, sizeof text - (size_t)at, "}\n");
    const char *const settings[] = {"gpu.sms=1", "l1i.mshr_entries=1", queue, fetches, NULL};
    Bench *b = bench_new("fermi-gtx480", settings, &(GpuOptions){.no_skip = no_skip}, text);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {256}});
    Stalled is = {.cycles = r->cycles, .fetches = r->sm.sm.fetches,
                  .accesses = r->sm.l1i.accesses};
    for (unsigned i = 0; i < CACHE_STALL_REASONS; i++) is.stalls += r->sm.l1i.stalls[i];
    bench_free(b);
    return is;
}

// After all warps have stalled, their tries are counted and not made. The counts are those of a run
// that makes them (no_skip). Each fetch is an access or stalls.
static void test_stalled_fetches(void **state)
{
    (void)state;
    static const char *const queues[] = {"l1i.miss_queue=1", "l1i.miss_queue=8"};
    static const char *const fetches[] = {"frontend.fetches=1", "frontend.fetches=2"};
    for (unsigned i = 0; i < 4; i++) {
        Stalled is = stalled(queues[i / 2], fetches[i % 2], false);
        Stalled made = stalled(queues[i / 2], fetches[i % 2], true);
        assert_memory_equal(&is, &made, sizeof is);
        assert_int_equal(is.fetches, is.accesses + is.stalls);
        assert_true(is.stalls > 8 * 100); // a line comes after more than 100 cycles
    }
}

// ---- fetches from one line ----

// Warp 0 loops in the first line of instructions, and warp 1 fetches the second one once. The L1I
// has one line. So three fetches miss: of the first line, of the second one, and of the first one
// again. Allocated on a miss, the only line is taken while the second one comes: warp 0 stalls.
// Allocated on a fill, it has the first one until then, and no fetch stalls.
static void test_line_that_leaves(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .pred %p<3>;\n"
        "    .reg .b32 %r<30>;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    setp.ge.u32 %p1, %r1, 32;\n"
        "    mov.u32 %r2, 0;\n"
        "    @%p1 bra FAR;\n"
        "LOOP:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p2, %r2, 400;\n"
        "    @%p2 bra LOOP;\n"
        "    ret;\n"
        "    mov.u32 %r8, 1;\n"
        "    mov.u32 %r9, 1;\n"
        "    mov.u32 %r10, 1;\n"
        "    mov.u32 %r11, 1;\n"
        "    mov.u32 %r12, 1;\n"
        "    mov.u32 %r13, 1;\n"
        "    mov.u32 %r14, 1;\n"
        "    mov.u32 %r15, 1;\n"
        "FAR:\n"
        "    ret;\n"
        "}\n";
    static const char *const allocate[] = {"l1i.allocate=on_miss", "l1i.allocate=on_fill"};
    for (unsigned i = 0; i < 2; i++) {
        const char *const settings[] = {"gpu.sms=1", "l1i.size=128B", "l1i.ways=1", allocate[i],
                                        "frontend.fill=forward", "frontend.branch=target", NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
        const CacheCounters *l1i = &bench_run(b, &(BenchLaunch){"k", .block = {64}})->sm.l1i;
        uint64_t stalls = 0;
        for (unsigned k = 0; k < CACHE_STALL_REASONS; k++) stalls += l1i->stalls[k];
        assert_int_equal(l1i->misses, 3);
        if (i == 0) assert_true(stalls > 100); // a line comes after more than 100 cycles
        else assert_int_equal(stalls, 0);
        assert_int_equal(l1i->accesses, l1i->hits + l1i->pending_hits + l1i->misses);
        bench_free(b);
    }
}

// ---- branches ----

// The last instructions of each kernel: the difference of two readings of the clock.
#define CLOCKS                                                                                     \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    sub.u32 %r3, %r2, %r1;\n"                                                                 \
    "    st.global.u32 [%rd1], %r3;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"
#define KERNEL                                                                                     \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 out)\n"                                                         \
    "{\n"                                                                                          \
    "    .reg .pred %p<3>;\n"                                                                      \
    "    .reg .b32 %r<30>;\n"                                                                      \
    "    .reg .b64 %rd<3>;\n"

typedef struct Branched {
    uint32_t cycles; // between the two readings of the clock
    uint64_t fetches, wrong_path, decoded, flushed;
} Branched;

// Up to four settings.
#define SET(...) ((const char *const[5]){__VA_ARGS__})

// Runs `threads` threads of a kernel with these settings.
static Branched branched(const char *ptx, uint32_t threads, const char *const *set)
{
    const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true", "core.schedulers=1",
                                    "frontend.fetches=2", set[0], set[1], set[2], set[3], NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx);
    uint64_t out = bench_array(b, "out", NULL, 4);
    const SmCounters *c =
        &bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {out}})->sm.sm;
    Branched is = {bench_word(b, out, 0), c->fetches, c->wrong_path_fetches,
                   c->instructions_decoded, c->instructions_flushed};
    assert_int_equal(is.decoded, c->warp_instructions + is.flushed);
    bench_free(b);
    return is;
}

// {clock, bra}, then {clock, ld.param}, {sub, st}, {ret}.
static const char taken_at_the_end[] =
    KERNEL
    "    mov.u32 %r1, %clock;\n"
    "    bra.uni OVER;\n"
    "    mov.u32 %r4, 1;\n"
    "    mov.u32 %r5, 1;\n"
    "OVER:\n"
    "    mov.u32 %r2, %clock;\n"
    CLOCKS;

// The clock is read in cycle 0, the branch issues in cycle 1. The target known then is fetched in
// cycle 1, and issues in cycle 3. With fall-through, the two instructions behind the branch are
// fetched in cycle 1 and decoded in cycle 3, when they are dropped; the target is fetched then, and
// issues in cycle 5.
static void test_taken_at_the_end(void **state)
{
    (void)state;
    Branched at_target = branched(taken_at_the_end, 32, SET("frontend.branch=target"));
    assert_int_equal(at_target.cycles, 3);
    assert_int_equal(at_target.fetches, 4);
    assert_int_equal(at_target.wrong_path, 0);
    assert_int_equal(at_target.flushed, 0);
    Branched stall = branched(taken_at_the_end, 32, SET("frontend.branch=stall"));
    assert_int_equal(stall.cycles, 3);
    Branched through = branched(taken_at_the_end, 32, SET(NULL));
    assert_int_equal(through.cycles, 5);
    assert_int_equal(through.fetches, 5);
    assert_int_equal(through.wrong_path, 1);
    assert_int_equal(through.flushed, 2);
    // Alone at its scheduler, the warp is tried in each cycle.
    Branched tried = branched(taken_at_the_end, 32, SET("frontend.flush=scheduler"));
    assert_int_equal(tried.cycles, 5);
    // A slower decoder doubles its delay: fetched in 1 and 6, issued in 11.
    Branched slow = branched(taken_at_the_end, 32, SET("frontend.decode=5"));
    assert_int_equal(slow.cycles, 11);
}

// {mov, clock}, {bra, mov}, then {clock, ld.param}, {sub, st}, {ret}.
static const char taken_in_the_middle[] =
    KERNEL
    "    mov.u32 %r4, 1;\n"
    "    mov.u32 %r1, %clock;\n"
    "    bra.uni OVER;\n"
    "    mov.u32 %r5, 1;\n"
    "OVER:\n"
    "    mov.u32 %r2, %clock;\n"
    CLOCKS;

// The branch is fetched in cycle 0 and issues in cycle 2; the instruction behind it is dropped in
// cycle 3, where the target is fetched, which issues in cycle 5. If the fetch stalls at the branch,
// the branch is the last instruction of the buffer: the target is fetched in cycle 2, and issues in
// cycle 4.
static void test_taken_in_the_middle(void **state)
{
    (void)state;
    Branched through = branched(taken_in_the_middle, 32, SET(NULL));
    assert_int_equal(through.cycles, 5);
    assert_int_equal(through.fetches, 5);
    assert_int_equal(through.wrong_path, 0); // the branch itself was of this fetch
    assert_int_equal(through.flushed, 1);
    Branched at_target = branched(taken_in_the_middle, 32, SET("frontend.branch=target"));
    assert_int_equal(at_target.cycles, 5);
    Branched stall = branched(taken_in_the_middle, 32, SET("frontend.branch=stall"));
    assert_int_equal(stall.cycles, 4);
    assert_int_equal(stall.flushed, 0);
}

// {mov, setp}, {mov, selp}, {clock, bra}, {clock, ld.param}, {sub, st}, {ret}. The predicate is
// there when selp has issued. A branch that is not taken costs nothing: the fetch of cycle 1 brings
// what issues in cycle 3. If fetches stall at the branch, that fetch starts in cycle 1 as well.
static void test_not_taken(void **state)
{
    (void)state;
    static const char ptx[] =
        KERNEL
        "    mov.u32 %r4, 1;\n"
        "    setp.ne.u32 %p1, %r4, %r4;\n"
        "    mov.u32 %r5, 1;\n"
        "    selp.u32 %r6, 1, 2, %p1;\n"
        "    mov.u32 %r1, %clock;\n"
        "    @%p1 bra OVER;\n"
        "    mov.u32 %r2, %clock;\n"
        "OVER:\n"
        CLOCKS;
    static const char *const branch[] = {"frontend.branch=fall-through", "frontend.branch=stall",
                                         "frontend.branch=target"};
    for (unsigned i = 0; i < 3; i++) {
        Branched is = branched(ptx, 32, SET(branch[i]));
        assert_int_equal(is.cycles, 3);
        assert_int_equal(is.fetches, 6);
        assert_int_equal(is.wrong_path, 0);
        assert_int_equal(is.flushed, 0);
    }
}

// A call and a return, like branches: {clock, call} at 0 and 1, {clock, ret} at 5 and 6 (fetched in
// 1 and 3, behind the call and at the function), and back at 10 (fetched in 6 and 8).
static void test_call(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".func f()\n"
        "{\n"
        "    .reg .b32 %r<3>;\n"
        "    mov.u32 %r2, %clock;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry k(.param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<30>;\n"
        "    .reg .b64 %rd<3>;\n"
        "    mov.u32 %r1, %clock;\n"
        "    call.uni f;\n"
        "    mov.u32 %r2, %clock;\n"
        CLOCKS;
    Branched through = branched(ptx, 32, SET(NULL));
    Branched at_target = branched(ptx, 32, SET("frontend.branch=target"));
    assert_int_equal(through.wrong_path, 2);
    assert_int_equal(at_target.wrong_path, 0);
    assert_int_equal(through.cycles, at_target.cycles + 2 * 2);
}

// Two warps, and fetches of 8 instructions. The younger warp branches at the end of its first 8,
// right behind its clock. It had the scheduler for itself while the older warp fetched its second
// 8; from the cycle after the branch, the older warp issues these 8 in a row.
//
// Let the younger warp read its clock in cycle 0, so that it branches in cycle 1. The wrong path
// arrives in cycle 3.
// next-cycle: dropped in cycle 3; the target arrives in cycle 5, but the older warp issues in
//   cycles 2 to 9. It fetches its `ret` in cycle 9, so in cycle 10 the younger warp issues.
// scheduler: the scheduler, which tries the older warp first (it issued last), does not come to
//   the younger one before cycle 10. The target arrives in cycle 12; the older warp's `ret` issues
//   in cycle 11.
// Round robin: the warps take turns, so the younger warp's clock and branch are in cycles 0 and 2.
//   The wrong path arrives in cycle 4, when the younger warp is tried first (the older one has
//   issued in cycle 3), with either setting. The target arrives and issues in cycle 6.
static void test_flush_by_scheduler(void **state)
{
    (void)state;
    static const char ptx[] =
        KERNEL
        "    mov.u32 %r4, %tid.x;\n"
        "    setp.ge.u32 %p1, %r4, 32;\n"
        "    selp.u32 %r5, 1, 2, %p1;\n" // waits for the predicate
        "    mov.u32 %r6, 1;\n"
        "    mov.u32 %r7, 1;\n"
        "    mov.u32 %r8, 1;\n"
        "    mov.u32 %r1, %clock;\n"
        "    @%p1 bra YOUNG;\n"
        "    mov.u32 %r9, 1;\n"
        "    mov.u32 %r10, 1;\n"
        "    mov.u32 %r11, 1;\n"
        "    mov.u32 %r12, 1;\n"
        "    mov.u32 %r13, 1;\n"
        "    mov.u32 %r14, 1;\n"
        "    mov.u32 %r15, 1;\n"
        "    mov.u32 %r16, 1;\n"
        "    ret;\n"
        "YOUNG:\n"
        "    mov.u32 %r2, %clock;\n"
        CLOCKS;
    static const char wide[] = "frontend.entries=8", fetch[] = "frontend.fetch_bytes=64B";
    static const char *const flush[] = {"frontend.flush=next-cycle", "frontend.flush=scheduler"};
    for (unsigned i = 0; i < 2; i++) {
        const char *const *gto = SET(wide, fetch, flush[i]),
                          *const *lrr = SET(wide, fetch, flush[i], "core.policy=lrr");
        assert_int_equal(branched(ptx, 64, gto).cycles, i ? 12 : 10);
        assert_int_equal(branched(ptx, 64, lrr).cycles, 6);
    }
}

// Instruction 15 is the last one of its line. A fetch at it brings 1 instruction, and the next one
// issues 2 cycles after it; or it brings 2.
static void test_end_of_line(void **state)
{
    (void)state;
    static const char ptx[] =
        KERNEL
        "    bra.uni OVER;\n"
        "    mov.u32 %r4, 1;\n"
        "    mov.u32 %r5, 1;\n"
        "    mov.u32 %r6, 1;\n"
        "    mov.u32 %r7, 1;\n"
        "    mov.u32 %r8, 1;\n"
        "    mov.u32 %r9, 1;\n"
        "    mov.u32 %r10, 1;\n"
        "    mov.u32 %r11, 1;\n"
        "    mov.u32 %r12, 1;\n"
        "    mov.u32 %r13, 1;\n"
        "    mov.u32 %r14, 1;\n"
        "    mov.u32 %r15, 1;\n"
        "    mov.u32 %r16, 1;\n"
        "    mov.u32 %r17, 1;\n"
        "OVER:\n"
        "    mov.u32 %r1, %clock;\n"
        "    mov.u32 %r2, %clock;\n"
        CLOCKS;
    assert_int_equal(branched(ptx, 32, SET(NULL)).cycles, 2);
    assert_int_equal(branched(ptx, 32, SET("frontend.cross_line=true")).cycles, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_taken_branch),
        cmocka_unit_test(test_leftovers_of_a_callee),
        cmocka_unit_test(test_stalled_fetches),
        cmocka_unit_test(test_line_that_leaves),
        cmocka_unit_test(test_taken_at_the_end),
        cmocka_unit_test(test_taken_in_the_middle),
        cmocka_unit_test(test_not_taken),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_flush_by_scheduler),
        cmocka_unit_test(test_end_of_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
