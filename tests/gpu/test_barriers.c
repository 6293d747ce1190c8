// Barriers: of a block, with votes, with warps that have exited, named ones with counts, and one
// that is never completed.
#include "support/bench.h"

#define BEGIN                                                                                      \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 out)\n"                                                         \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<9>;\n"                                                                      \
    "    .shared .align 4 .b8 s[4096];\n"                                                          \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    mul.wide.u32 %rd2, %r1, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"                                                              \
    "    mov.u32 %r2, s;\n"                                                                        \
    "    mad.lo.u32 %r3, %r1, 4, %r2;\n"
#define END                                                                                        \
    "    st.global.u32 [%rd3], %r9;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

enum { THREADS = 256 };

static const char *const one_sm[] = {"gpu.sms=1", NULL};

static LaunchResult run(const char *ptx, uint32_t out[THREADS], unsigned threads)
{
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL, ptx);
    uint64_t array = bench_array(b, "out", NULL, THREADS * 4);
    LaunchResult r = *bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {array}});
    bench_read(b, out, array, THREADS * 4);
    bench_free(b);
    return r; // plain counters only
}

// Warp w takes 40 * w turns of a loop before it writes its words. After the barrier each thread
// reads the word of its mirror thread, mostly of a slower warp.
static void test_warps_with_different_work(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    LaunchResult r = run(
        BEGIN
        "    shr.u32 %r4, %r1, 5;\n"
        "    mul.lo.u32 %r4, %r4, 40;\n"
        "    mov.u32 %r5, 0;\n"
        "LOOP:\n"
        "    setp.ge.u32 %p1, %r5, %r4;\n"
        "    @%p1 bra READY;\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    bra.uni LOOP;\n"
        "READY:\n"
        "    add.u32 %r6, %r1, %r5;\n"
        "    st.shared.u32 [%r3], %r6;\n"
        "    bar.sync 0;\n"
        "    sub.u32 %r7, 255, %r1;\n"
        "    mad.lo.u32 %r7, %r7, 4, %r2;\n"
        "    ld.shared.u32 %r9, [%r7];\n"
        END,
        out, THREADS);
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned across = THREADS - 1 - t;
        assert_int_equal(out[t], across + across / 32 * 40);
    }
    assert_int_equal(r.sm.sm.barriers, 1);
    assert_true(r.sm.issue.stall_barrier > 0);
}

// Ten rounds of the same barrier, each of which hands words to other threads.
static void test_many_rounds(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    LaunchResult r = run(bench_ptx("gpu/rounds.ptx"), out, THREADS);
    for (unsigned t = 0; t < THREADS; t++) assert_int_equal(out[t], (t + 330) % 256);
    assert_int_equal(r.sm.sm.barriers, 20);
}

// bar.red over 200 threads (the last warp is not full): count, all, any.
static void test_votes(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    run(
        BEGIN
        "    setp.lt.u32 %p1, %r1, 77;\n"
        "    setp.lt.u32 %p2, %r1, 1000;\n"
        "    setp.eq.u32 %p3, %r1, 199;\n"
        "    setp.eq.u32 %p4, %r1, 999;\n"
        "    bar.red.popc.u32 %r9, 0, %p1;\n"
        "    bar.red.and.pred %p5, 0, %p2;\n"
        "    bar.red.and.pred %p6, 0, %p1;\n"
        "    bar.red.or.pred %p7, 0, %p3;\n"
        "    bar.red.or.pred %p8, 0, %p4;\n"
        "    @%p5 add.u32 %r9, %r9, 1000;\n"
        "    @%p6 add.u32 %r9, %r9, 2000;\n"
        "    @%p7 add.u32 %r9, %r9, 4000;\n"
        "    @%p8 add.u32 %r9, %r9, 8000;\n"
        END,
        out, 200);
    for (unsigned t = 0; t < 200; t++) assert_int_equal(out[t], 77 + 1000 + 4000);
}

static void test_negated_vote(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    run(
        BEGIN
        "    setp.lt.u32 %p1, %r1, 77;\n"
        "    bar.red.popc.u32 %r9, 0, !%p1;\n"
        END, out, 200);
    assert_int_equal(out[0], 123);
    assert_int_equal(out[199], 123);
}

// Warps 1 and 5 exit before the barrier, one at once and one late; the others meet without them.
static void test_warps_that_left(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    LaunchResult r = run(
        BEGIN
        "    shr.u32 %r4, %r1, 5;\n"
        "    mov.u32 %r9, 5;\n"
        "    setp.eq.u32 %p1, %r4, 1;\n"
        "    @%p1 exit;\n"
        "    setp.ne.u32 %p2, %r4, 5;\n"
        "    @%p2 bra MEET;\n"
        "    mov.u32 %r5, 0;\n"
        "LATE:\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    setp.lt.u32 %p3, %r5, 200;\n"
        "    @%p3 bra LATE;\n"
        "    exit;\n"
        "MEET:\n"
        "    bar.sync 0;\n"
        "    add.u32 %r9, %r9, 1;\n"
        END,
        out, THREADS);
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(out[t], t / 32 == 1 || t / 32 == 5 ? 0 : 6);
    assert_int_equal(r.sm.sm.barriers, 1);
}

// Two pairs of warps meet at barriers 1 and 2 of 64 threads each, twice, while the others go on.
static void test_named_barriers(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    LaunchResult r = run(
        BEGIN
        "    shr.u32 %r4, %r1, 6;\n"
        "    add.u32 %r5, %r4, 1;\n"
        "    mov.u32 %r9, 0;\n"
        "    setp.gt.u32 %p1, %r4, 1;\n"
        "    @%p1 bra DONE;\n"
        "    st.shared.u32 [%r3], %r1;\n"
        "    bar.sync %r5, 64;\n"
        "    xor.b32 %r6, %r1, 32;\n"
        "    mad.lo.u32 %r6, %r6, 4, %r2;\n"
        "    ld.shared.u32 %r9, [%r6];\n"
        "    bar.sync %r5, 64;\n"
        "DONE:\n"
        END,
        out, THREADS);
    for (unsigned t = 0; t < 128; t++) assert_int_equal(out[t], t ^ 32);
    assert_int_equal(out[200], 0);
    assert_int_equal(r.sm.sm.barriers, 4);
}

// A producer that arrives does not wait for its consumer.
static void test_arrive(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    run(
        BEGIN
        "    setp.ge.u32 %p1, %r1, 32;\n"
        "    @%p1 bra CONSUME;\n"
        "    add.u32 %r9, %r1, 500;\n"
        "    st.shared.u32 [%r3], %r9;\n"
        "    bar.arrive 3, 64;\n"
        "    bra.uni DONE;\n"
        "CONSUME:\n"
        "    bar.sync 3, 64;\n"
        "    ld.shared.u32 %r9, [%r3+-128];\n"
        "DONE:\n"
        END,
        out, 64);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(out[t], 500 + t % 32);
}

// Warps 0 and 1 wait at different barriers, each for the whole block.
static void test_deadlock(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
        BEGIN
        "    mov.u32 %r9, 1;\n"
        "    setp.ge.u32 %p1, %r1, 32;\n"
        "    @%p1 bra OTHER;\n"
        "    bar.sync 0;\n"
        "    bra.uni DONE;\n"
        "OTHER:\n"
        "    bar.sync 1;\n"
        "DONE:\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 256);
    const char *text =
        bench_fail(b, &(BenchLaunch){"k", .grid = {3}, .block = {64}, .args = {out}});
    assert_contains(text, "deadlock");
    assert_contains(text, "block (0,0,0), warp 0: blocked at a barrier or fence");
    assert_contains(text, "block (2,0,0), warp 1: blocked at a barrier or fence");
    bench_free(b);
}

// A barrier waits for more threads than the block has.
static void test_count_never_reached(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
        BEGIN
        "    bar.sync 0, 128;\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 256);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {64}, .args = {out}});
    assert_contains(text, "deadlock");
    bench_free(b);
}

static void test_no_such_barrier(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
        BEGIN
        "    mov.u32 %r4, 16;\n"
        "    bar.sync %r4, 64;\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 256);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {64}, .args = {out}});
    assert_contains(text, "barrier 16 does not exist (0..15)");
    bench_free(b);
}

static void test_count_of_a_part_of_a_warp(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", one_sm, NULL,
        BEGIN
        "    bar.sync 3, 48;\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 256);
    const char *text = bench_fail(b, &(BenchLaunch){"k", .block = {64}, .args = {out}});
    assert_contains(text, "barrier 3: expected a multiple of 32 threads, found 48");
    bench_free(b);
}

// A barrier that some lanes of a warp reach counts the whole warp, as hardware before independent
// threads does.
static void test_barrier_in_divergent_code(void **state)
{
    (void)state;
    uint32_t out[THREADS];
    run(
        BEGIN
        "    mov.u32 %r9, 1;\n"
        "    setp.lt.u32 %p1, %r1, 16;\n"
        "    @%p1 bra LOW;\n"
        "    add.u32 %r9, %r9, 10;\n"
        "LOW:\n"
        "    bar.sync 0;\n"
        "    add.u32 %r9, %r9, 100;\n"
        END,
        out, 64);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(out[t], t < 16 ? 101 : 111);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warps_with_different_work),
        cmocka_unit_test(test_many_rounds),
        cmocka_unit_test(test_votes),
        cmocka_unit_test(test_negated_vote),
        cmocka_unit_test(test_warps_that_left),
        cmocka_unit_test(test_named_barriers),
        cmocka_unit_test(test_arrive),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_count_never_reached),
        cmocka_unit_test(test_no_such_barrier),
        cmocka_unit_test(test_count_of_a_part_of_a_warp),
        cmocka_unit_test(test_barrier_in_divergent_code),
    };
    return cmocka_run_group_tests_name("barriers", tests, NULL, NULL);
}
