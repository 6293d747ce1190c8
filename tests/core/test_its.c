// Independent threads: lanes of one warp that wait for each other finish, in the order of the rules
// in splits.h. If none waits, a warp behaves as with the stack.
#include "divergence_bench.h"

// ---- as the stack (more: test_simt.c, test_calls.c) ----

// A histogram in shared memory as it was written before there were shared atomics: each lane writes
// a count with its tag, and tries again if its tag is gone. All lanes of a warp must write before
// any of them reads; they do, because nothing blocks. All 32 lanes count in one bin, then by tid %
// 4: 32 + 8 turns, the bins hold 32 + 8, 8, 8, 8.
static void test_tagged_histogram(void **state)
{
    (void)state;
    Outcome o = its_same(
        HEAD BEGIN
        "    .shared .align 4 .b8 s[256];\n"
        "    mov.u32 %r2, s;\n"
        "    mad.lo.u32 %r3, %r1, 4, %r2;\n"
        "    st.shared.u32 [%r3], %r9;\n"
        "    shl.b32 %r10, %r1, 27;\n"
        "    mov.u32 %r4, %r2;\n"
        "    mov.u32 %r11, 0;\n"
        "AGAIN:\n"
        "    ld.volatile.shared.u32 %r5, [%r4];\n"
        "    and.b32 %r5, %r5, 134217727;\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    or.b32 %r5, %r5, %r10;\n"
        "    st.volatile.shared.u32 [%r4], %r5;\n"
        "    ld.volatile.shared.u32 %r6, [%r4];\n"
        "    setp.ne.u32 %p1, %r5, %r6;\n"
        "    @%p1 bra AGAIN;\n"
        "    and.b32 %r4, %r1, 3;\n"
        "    mad.lo.u32 %r4, %r4, 4, %r2;\n"
        "    add.u32 %r11, %r11, 1;\n"
        "    setp.lt.u32 %p2, %r11, 2;\n"
        "    @%p2 bra AGAIN;\n"
        "    ld.shared.u32 %r9, [%r3];\n"
        "    and.b32 %r9, %r9, 134217727;\n"
        END,
        32);
    static const uint32_t bins[] = {40, 8, 8, 8};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t < 4 ? bins[t] : 0);
}

// A branch to the next instruction divides no lanes: inside a branch that does, and at its end.
static void test_branch_to_next(void **state)
{
    (void)state;
    Outcome o = its_same(
        HEAD BEGIN
        "    setp.lt.u32 %p1, %r1, 5;\n"
        "    setp.lt.u32 %p2, %r1, 3;\n"
        "    @%p1 bra NEXT;\n"
        "NEXT:\n"
        "    mov.u32 %r9, 1;\n"
        "    @%p1 bra JOIN;\n"
        "    mov.u32 %r9, 2;\n"
        "    @%p2 bra JOIN;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r9, 3;\n"
        END,
        32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t < 5 ? 4 : 5);
    assert_int_equal(o.record.sm.sm.divergent_branches, 1);
}

// ---- locks ----

#define LOCK                                                                                       \
    "SPIN:\n"                                                                                      \
    "    atom.global.cas.b32 %r2, [%rd8], 0, 1;\n"                                                 \
    "    setp.ne.u32 %p1, %r2, 0;\n"                                                               \
    "    @%p1 bra SPIN;\n"
// One more in work[1], and the number before it.
#define COUNT                                                                                      \
    "    ld.volatile.global.u32 %r9, [%rd8+4];\n"                                                  \
    "    add.u32 %r3, %r9, 1;\n"                                                                   \
    "    st.volatile.global.u32 [%rd8+4], %r3;\n"                                                  \
    "    membar.gl;\n"
#define UNLOCK "atom.global.exch.b32 %r4, [%rd8], 0;\n"

// All lanes of two warps take one lock. Its holder waits after the loop for the lanes that spin;
// these yield after four turns.
static void test_lock(void **state)
{
    (void)state;
    Outcome o = its_timed(HEAD BEGIN LOCK COUNT UNLOCK END, 64);
    uint64_t seen = 0;
    for (unsigned t = 0; t < 64; t++) seen |= UINT64_C(1) << o.out[t];
    assert_true(seen == ~UINT64_C(0)); // each number once
    assert_int_equal(o.work[1], 64);
    assert_int_equal(o.work[0], 0);
}

// One warp, so that the rules alone give the order. Atomics of one instruction are done in
// ascending order: lane 0 gets the lock first. The others spin four times without losing a lane,
// and yield: lane 0 continues alone and exits. Then lane 1 gets the lock, and so on: 31 times a
// warp split yields, and each time a convergence barrier opens. Lane 31 is left alone and waits for
// no lane.
static void test_order_of_lock(void **state)
{
    (void)state;
    Outcome o = its_run(HEAD BEGIN LOCK COUNT UNLOCK END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t);
    assert_int_equal(o.record.sm.sm.divergent_branches, 31);
    assert_int_equal(o.record.sm.sm.convergence_barriers_broken, 31);
    assert_int_equal(o.record.sm.sm.yields, 31);
    assert_int_equal(o.record.sm.sm.reconvergences, 1); // lane 31: the others have exited
}

// The same lock with other front ends, schedulers and widths: each number once.
static void test_lock_on_other_machines(void **state)
{
    (void)state;
    static const char *const settings[][4] = {
        {"core.divergence=its", "frontend.buffer=shared-store", "core.policy=two-level", NULL},
        {"core.divergence=its", "core.issue=2", "core.width=8", NULL},
        {"core.divergence=its", "core.its_yield=1", "core.policy=lrr", NULL},
    };
    for (unsigned i = 0; i < 3; i++) {
        Outcome o = run_on(settings[i], NULL, HEAD BEGIN LOCK COUNT UNLOCK END, 64);
        uint64_t seen = 0;
        for (unsigned t = 0; t < 64; t++) seen |= UINT64_C(1) << o.out[t];
        assert_true(seen == ~UINT64_C(0));
        Outcome plain = run_on(settings[i], &(GpuOptions){.no_skip = true, .threads = 2},
                               HEAD BEGIN LOCK COUNT UNLOCK END, 64);
        assert_int_equal(o.record.cycles, plain.record.cycles);
        assert_memory_equal(o.out, plain.out, sizeof o.out);
    }
}

// core.its_yield is the number of turns before a spinning split yields. With three lanes the loop
// issues once for each lane that gets the lock, and N times for the others that spin: 3 + 2 N.
static void test_yield_setting(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 8; n *= 2) {
        char yield[64];
        snprintf(yield, sizeof yield, "core.its_yield=%u", n);
        const char *const settings[] = {"gpu.sms=1", "core.divergence=its", yield, NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, HEAD BEGIN LOCK COUNT UNLOCK END);
        uint64_t out = bench_array(b, "out", NULL, 256), work = bench_array(b, "work", NULL, 256);
        const LaunchResult *r =
            bench_run(b, &(BenchLaunch){"k", .block = {3}, .args = {out, work}});
        // The turn in which a lane gets the lock counts as the first turn of the others.
        assert_int_equal(bench_at(b, r, "atom.global.cas").issued, 3 + 2 * n);
        bench_free(b);
    }
}

// Functions take and release the lock, and the loop is in one of them: a lane that returns does not
// wait for the lanes inside.
static void test_lock_in_functions(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD
        ".func take(.param .b64 lock)\n"
        "{\n"
        "    .reg .pred %p<3>;\n"
        "    .reg .b32 %r<8>;\n"
        "    .reg .b64 %rd<4>;\n"
        "    ld.param.u64 %rd1, [lock];\n"
        "SPIN:\n"
        "    atom.global.cas.b32 %r2, [%rd1], 0, 1;\n"
        "    setp.ne.u32 %p1, %r2, 0;\n"
        "    @%p1 bra SPIN;\n"
        "    ret;\n"
        "}\n"
        ".func give(.param .b64 lock)\n"
        "{\n"
        "    .reg .b32 %r<8>;\n"
        "    .reg .b64 %rd<4>;\n"
        "    ld.param.u64 %rd1, [lock];\n"
        "    membar.gl;\n"
        "    atom.global.exch.b32 %r2, [%rd1], 0;\n"
        "    ret;\n"
        "}\n"
        BEGIN
        "    {\n"
        "        .param .b64 a;\n"
        "        st.param.b64 [a], %rd8;\n"
        "        call.uni take, (a);\n"
        "    }\n"
        COUNT
        "    {\n"
        "        .param .b64 a;\n"
        "        st.param.b64 [a], %rd8;\n"
        "        call.uni give, (a);\n"
        "    }\n"
        END,
        32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t);
}

// Each lane takes two of three locks, of which all need the middle one. If it does not get its
// second, it releases the first and sleeps.
static void test_two_locks(void **state)
{
    (void)state;
    Outcome o = its_timed(
        HEAD BEGIN
        "    and.b32 %r5, %r1, 1;\n"
        "    mul.wide.u32 %rd4, %r5, 8;\n"
        "    add.u64 %rd4, %rd8, %rd4;\n"
        "    add.u64 %rd5, %rd4, 8;\n"
        "TRY:\n"
        "    atom.global.cas.b32 %r2, [%rd4], 0, 1;\n"
        "    setp.ne.u32 %p1, %r2, 0;\n"
        "    @%p1 bra REST;\n"
        "    atom.global.cas.b32 %r3, [%rd5], 0, 1;\n"
        "    setp.ne.u32 %p2, %r3, 0;\n"
        "    @!%p2 bra BOTH;\n"
        "    atom.global.exch.b32 %r4, [%rd4], 0;\n"
        "REST:\n"
        "    mov.u32 %r7, 100;\n"
        "    nanosleep.u32 %r7;\n"
        "    bra.uni TRY;\n"
        "BOTH:\n"
        COUNT
        "    atom.global.exch.b32 %r4, [%rd5], 0;\n"
        "    atom.global.exch.b32 %r4, [%rd4], 0;\n"
        END, 32);
    assert_int_equal(o.work[1], 32);
}

// With the stack the same loops never end: the holder of the lock waits for the other lanes.
static void test_lock_with_the_stack(void **state)
{
    (void)state;
    Bench *b;
    const char *text = its_fails(with_stack, &(GpuOptions){.max_cycles = 50000},
                             HEAD BEGIN LOCK COUNT UNLOCK END, 32, &b);
    assert_contains(text, "has not ended after 50000 cycles");
    assert_contains(text, "--set core.divergence=its");
    bench_free(b);
}

// ---- flags ----

// One lane writes a flag for which the other lanes of its warp wait, whichever split runs first.
static void flag(const char *condition)
{
    char ptx[4096];
    snprintf(ptx, sizeof ptx, "%s%s%s", HEAD BEGIN "setp.", condition,
        "    .u32 %p1, %r1, 5;\n"
        "    @%p1 bra WAIT;\n"
        "    mov.u32 %r4, 77;\n"
        "    st.global.u32 [%rd8+4], %r4;\n"
        "    membar.gl;\n"
        "    st.volatile.global.u32 [%rd8], %r4;\n"
        "    bra.uni JOIN;\n"
        "WAIT:\n"
        "    ld.volatile.global.u32 %r2, [%rd8];\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p2 bra WAIT;\n"
        "JOIN:\n"
        "    ld.global.u32 %r9, [%rd8+4];\n"
        "    add.u32 %r9, %r9, %r1;\n"
        END);
    Outcome o = its_run(ptx, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], 77 + t);
    assert_int_equal(o.record.sm.sm.reconvergences, 1); // all reconverge before the last load
}

static void test_flag(void **state)
{
    (void)state;
    flag("ne");
    flag("lt");
    flag("gt");
}

// Lane 0 passes twenty numbers to lane 1 through one word, and each waits for the other. Lane 1
// adds them up.
static void test_producer_and_consumer(void **state)
{
    (void)state;
    Outcome o = its_run(
        HEAD BEGIN
        "    mov.u32 %r5, 1;\n"
        "    setp.gt.u32 %p1, %r1, 1;\n"
        "    @%p1 bra DONE;\n"
        "    setp.eq.u32 %p2, %r1, 1;\n"
        "    @%p2 bra TAKE;\n"
        "GIVE:\n"
        "    ld.volatile.global.u32 %r2, [%rd8];\n"
        "    setp.ne.u32 %p3, %r2, 0;\n"
        "    @%p3 bra GIVE;\n"
        "    mul.lo.u32 %r3, %r5, %r5;\n"
        "    st.volatile.global.u32 [%rd8], %r3;\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    setp.le.u32 %p4, %r5, 20;\n"
        "    @%p4 bra GIVE;\n"
        "    bra.uni DONE;\n"
        "TAKE:\n"
        "    ld.volatile.global.u32 %r2, [%rd8];\n"
        "    setp.eq.u32 %p3, %r2, 0;\n"
        "    @%p3 bra TAKE;\n"
        "    add.u32 %r9, %r9, %r2;\n"
        "    mov.u32 %r3, 0;\n"
        "    st.volatile.global.u32 [%rd8], %r3;\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    setp.le.u32 %p4, %r5, 20;\n"
        "    @%p4 bra TAKE;\n"
        "DONE:\n"
        "    add.u32 %r9, %r9, 1;\n"
        END, 32);
    assert_int_equal(o.out[1], 20 * 21 * 41 / 6 + 1);
    assert_int_equal(o.out[0], 1);
    assert_int_equal(o.out[31], 1);
}

// A loop that the analysis does not see as polling (a plain load) ends by core.its_patience.
static void test_patience(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=1", "core.divergence=its",
                                           "core.its_patience=50", NULL};
    Outcome o = run_on(settings, NULL,
        HEAD BEGIN
        "    setp.eq.u32 %p1, %r1, 0;\n"
        "    @%p1 bra WAIT;\n"
        "    mov.u32 %r4, 1;\n"
        "    st.global.u32 [%rd8], %r4;\n"
        "    bra.uni JOIN;\n"
        "WAIT:\n"
        "    ld.global.u32 %r2, [%rd8];\n"
        "    setp.eq.u32 %p2, %r2, 0;\n"
        "    @%p2 bra WAIT;\n"
        "JOIN:\n"
        "    add.u32 %r9, %r1, 1;\n"
        END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t + 1);
    assert_int_equal(o.record.sm.sm.yields, 1);
}

// One lane counts to 10000 and stores the number; the others wait where they reconverge, and load
// it.
static void test_long_loop(void **state)
{
    (void)state;
    Outcome o = its_same(
        HEAD BEGIN
        "    .shared .align 4 .b8 s[4];\n"
        "    mov.u32 %r2, 0;\n"
        "    setp.ne.u32 %p1, %r1, 0;\n"
        "    @%p1 bra JOIN;\n"
        "MORE:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    setp.lt.u32 %p2, %r2, 10000;\n"
        "    @%p2 bra MORE;\n"
        "    st.volatile.shared.u32 [s], %r2;\n"
        "JOIN:\n"
        "    ld.volatile.shared.u32 %r9, [s];\n"
        END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tagged_histogram),
        cmocka_unit_test(test_branch_to_next),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_order_of_lock),
        cmocka_unit_test(test_lock_on_other_machines),
        cmocka_unit_test(test_yield_setting),
        cmocka_unit_test(test_lock_in_functions),
        cmocka_unit_test(test_two_locks),
        cmocka_unit_test(test_lock_with_the_stack),
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_producer_and_consumer),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_long_loop),
    };
    return cmocka_run_group_tests_name("its", tests, NULL, NULL);
}
