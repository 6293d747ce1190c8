// Independent threads: lanes of one warp that wait for each other come to their end, in the order
// that the rules of its.h give; and while none waits, a warp does what it does with the stack.
#include "support/bench.h"

static const char *const with_its[] = {"gpu.sms=1", "core.divergence=its", NULL};
static const char *const with_stack[] = {"gpu.sms=1", NULL};

#define HEAD ".version 7.5 .target sm_70 .address_size 64\n"

// Every kernel here ends by storing %r9 of each thread to out[tid]; %rd8 is the address of `work`,
// 64 words of zeros; %rd7 that of the thread's word there.
#define BEGIN                                                                                      \
    ".visible .entry k(.param .u64 out, .param .u64 work)\n{\n"                                    \
    ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<20>;\n"                                     \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r9, 0;\nld.param.u64 %rd8, [work];\n"                          \
    "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd7, %rd8, %rd2;\n"
#define END                                                                                        \
    "ld.param.u64 %rd1, [out];\nadd.u64 %rd3, %rd1, %rd2;\n"                                       \
    "st.global.u32 [%rd3], %r9;\nret;\n}\n"

enum { MOST = 64 };

typedef struct Outcome {
    LaunchRecord record; // plain counters only
    uint32_t out[MOST], work[MOST];
} Outcome;

static Outcome run_on(const char *const *settings, const GpuOptions *options, const char *ptx,
                      unsigned threads)
{
    Outcome o;
    GpuOptions limited = options ? *options : (GpuOptions){0};
    limited.max_cycles = 1000000;
    limited.max_instructions = 100000;
    Bench *b = bench_new("fermi-gtx480", settings, &limited, ptx);
    uint64_t out = bench_array(b, "out", NULL, sizeof o.out);
    uint64_t work = bench_array(b, "work", NULL, sizeof o.work);
    o.record = *bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {out, work}});
    bench_read(b, o.out, out, sizeof o.out);
    bench_read(b, o.work, work, sizeof o.work);
    bench_free(b);
    return o;
}

// Run in ways that must not matter, the results are the same.
static Outcome timed(const char *ptx, unsigned threads)
{
    Outcome o = run_on(with_its, NULL, ptx, threads);
    Outcome plain = run_on(with_its, &(GpuOptions){.no_skip = true}, ptx, threads);
    assert_int_equal(o.record.cycles, plain.record.cycles);
    assert_memory_equal(&o.record.sm.sm, &plain.record.sm.sm, sizeof plain.record.sm.sm);
    assert_memory_equal(o.out, plain.out, sizeof o.out);
    return o;
}

// The same without time.
static Outcome run(const char *ptx, unsigned threads)
{
    Outcome o = timed(ptx, threads);
    Outcome values = run_on(with_its, &(GpuOptions){.functional = true}, ptx, threads);
    assert_memory_equal(o.out, values.out, sizeof o.out);
    return o;
}

// Runs it with the stack as well: the same instructions in the same cycles.
static Outcome same(const char *ptx, unsigned threads)
{
    Outcome o = run(ptx, threads), stack = run_on(with_stack, NULL, ptx, threads);
    assert_memory_equal(&o.record.sm.sm, &stack.record.sm.sm, sizeof o.record.sm.sm);
    assert_memory_equal(o.record.sm.lanes, stack.record.sm.lanes, sizeof o.record.sm.lanes);
    assert_int_equal(o.record.cycles, stack.record.cycles);
    assert_memory_equal(o.out, stack.out, sizeof o.out);
    return o;
}

static const char *fails(const char *const *settings, const GpuOptions *options, const char *ptx,
                         unsigned threads, Bench **b)
{
    *b = bench_new("fermi-gtx480", settings, options, ptx);
    uint64_t out = bench_array(*b, "out", NULL, MOST * 4);
    uint64_t work = bench_array(*b, "work", NULL, MOST * 4);
    return bench_fail(*b, &(BenchLaunch){"k", .block = {threads}, .args = {out, work}});
}

static void contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in\n%s", part, text);
}

// ---- as the stack ----

// Nested branches, a loop with different trip counts, a break out of two loops: 3 + 4 + ... times
// that a warp diverges, and it meets again as often.
static void test_as_the_stack(void **state)
{
    (void)state;
    Outcome o = same(HEAD BEGIN "and.b32 %r2, %r1, 1;\nand.b32 %r3, %r1, 2;\n"
                                "setp.eq.u32 %p1, %r2, 0;\nsetp.eq.u32 %p2, %r3, 0;\n"
                                "@%p1 bra EVEN;\n@%p2 bra ODD_LOW;\n"
                                "mov.u32 %r9, 3;\nbra.uni ODD_JOIN;\n"
                                "ODD_LOW:\nmov.u32 %r9, 1;\n"
                                "ODD_JOIN:\nadd.u32 %r9, %r9, 700;\nbra.uni JOIN;\n"
                                "EVEN:\n@%p2 bra EVEN_LOW;\nmov.u32 %r9, 2;\nbra.uni EVEN_JOIN;\n"
                                "EVEN_LOW:\nmov.u32 %r9, 4;\n"
                                "EVEN_JOIN:\nadd.u32 %r9, %r9, 200;\n"
                                "JOIN:\nrem.u32 %r2, %r1, 5;\n"
                                "LOOP:\nadd.u32 %r9, %r9, 3;\n"
                                "setp.ne.u32 %p1, %r2, 0;\nsub.u32 %r2, %r2, 1;\n@%p1 bra LOOP;\n"
                                "setp.lt.u32 %p3, %r1, 7;\n@%p3 exit;\nadd.u32 %r9, %r9, 1;\n" END,
                     32);
    static const uint32_t by_tid[] = {204, 701, 202, 703};
    for (unsigned t = 7; t < 32; t++)
        assert_int_equal(o.out[t], by_tid[t % 4] + 3 * (t % 5 + 1) + 1);
    // The three branches meet in three places; the loop's four partings in one.
    assert_int_equal(o.record.sm.sm.divergent_branches, 7);
    assert_int_equal(o.record.sm.sm.reconvergences, 4);
    assert_int_equal(o.record.sm.sm.yields + o.record.sm.sm.joins_opened, 0);
}

// A branch by table, with a case that falls through, and lanes outside of its guard.
static void test_table_as_the_stack(void **state)
{
    (void)state;
    Outcome o = same(HEAD BEGIN "and.b32 %r2, %r1, 3;\nsetp.lt.u32 %p1, %r1, 20;\n"
                                "TABLE: .branchtargets CASE0, CASE1, CASE2, CASE3;\n"
                                "@%p1 brx.idx %r2, TABLE;\nadd.u32 %r9, %r9, 5;\n"
                                "CASE0:\nadd.u32 %r9, %r9, 10;\nbra.uni CASE3;\n"
                                "CASE1:\nadd.u32 %r9, %r9, 20;\n"
                                "CASE2:\nadd.u32 %r9, %r9, 40;\n"
                                "CASE3:\nadd.u32 %r9, %r9, 1;\n" END,
                     32);
    static const uint32_t by_case[] = {11, 61, 41, 1};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t < 20 ? by_case[t % 4] : 16);
}

// A histogram in shared memory as warps made it before there were atomics there: each lane writes a
// count with its tag and looks whether it is still there. It needs the lanes of a warp to write
// before any of them looks; nothing blocks, so they do. All 32 lanes count in one bin, then by
// tid % 4: 32 + 8 turns, the bins hold 32 + 8, 8, 8, 8.
static void test_tagged_histogram(void **state)
{
    (void)state;
    Outcome o = same(HEAD BEGIN ".shared .align 4 .b8 s[256];\nmov.u32 %r2, s;\n"
                                "mad.lo.u32 %r3, %r1, 4, %r2;\nst.shared.u32 [%r3], %r9;\n"
                                "shl.b32 %r10, %r1, 27;\nmov.u32 %r4, %r2;\nmov.u32 %r11, 0;\n"
                                "AGAIN:\n"
                                "ld.volatile.shared.u32 %r5, [%r4];\n"
                                "and.b32 %r5, %r5, 134217727;\nadd.u32 %r5, %r5, 1;\n"
                                "or.b32 %r5, %r5, %r10;\nst.volatile.shared.u32 [%r4], %r5;\n"
                                "ld.volatile.shared.u32 %r6, [%r4];\n"
                                "setp.ne.u32 %p1, %r5, %r6;\n@%p1 bra AGAIN;\n"
                                "and.b32 %r4, %r1, 3;\nmad.lo.u32 %r4, %r4, 4, %r2;\n"
                                "add.u32 %r11, %r11, 1;\nsetp.lt.u32 %p2, %r11, 2;\n"
                                "@%p2 bra AGAIN;\n"
                                "ld.shared.u32 %r9, [%r3];\nand.b32 %r9, %r9, 134217727;\n" END,
                     32);
    static const uint32_t bins[] = {40, 8, 8, 8};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t < 4 ? bins[t] : 0);
}

// fib(t % 6 + 1) by recursion, the lanes returning at different depths.
static void test_recursion_as_the_stack(void **state)
{
    (void)state;
    Outcome o = same(
        HEAD ".func (.param .b32 r) fib(.param .b32 n)\n{\n"
             ".reg .pred %p<3>; .reg .b32 %r<8>;\n"
             "ld.param.u32 %r1, [n];\nsetp.gt.u32 %p1, %r1, 2;\n@%p1 bra MORE;\n"
             "mov.u32 %r2, 1;\nst.param.b32 [r], %r2;\nret;\n"
             "MORE:\nsub.u32 %r3, %r1, 1;\nsub.u32 %r4, %r1, 2;\n"
             "{ .param .b32 a; .param .b32 v;\nst.param.b32 [a], %r3;\n"
             "call.uni (v), fib, (a);\nld.param.b32 %r5, [v]; }\n"
             "{ .param .b32 a; .param .b32 v;\nst.param.b32 [a], %r4;\n"
             "call.uni (v), fib, (a);\nld.param.b32 %r6, [v]; }\n"
             "add.u32 %r2, %r5, %r6;\nst.param.b32 [r], %r2;\nret;\n}\n" BEGIN
             "rem.u32 %r2, %r1, 6;\nadd.u32 %r2, %r2, 1;\n"
             "{ .param .b32 a; .param .b32 v;\nst.param.b32 [a], %r2;\n"
             "call.uni (v), fib, (a);\nld.param.b32 %r9, [v]; }\n" END,
        32);
    static const uint32_t fib[] = {1, 1, 2, 3, 5, 8};
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], fib[t % 6]);
}

// ---- locks ----

#define LOCK                                                                                       \
    "SPIN:\natom.global.cas.b32 %r2, [%rd8], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\n"
// One more in work[1], and the number before it.
#define COUNT                                                                                      \
    "ld.volatile.global.u32 %r9, [%rd8+4];\nadd.u32 %r3, %r9, 1;\n"                                \
    "st.volatile.global.u32 [%rd8+4], %r3;\nmembar.gl;\n"
#define UNLOCK "atom.global.exch.b32 %r4, [%rd8], 0;\n"

// All lanes of two warps want one lock. The lane that has it waits behind the loop for those that
// spin; they give way after four turns.
static void test_lock(void **state)
{
    (void)state;
    Outcome o = timed(HEAD BEGIN LOCK COUNT UNLOCK END, 64);
    uint64_t seen = 0;
    for (unsigned t = 0; t < 64; t++) seen |= UINT64_C(1) << o.out[t];
    assert_true(seen == ~UINT64_C(0)); // each number once
    assert_int_equal(o.work[1], 64);
    assert_int_equal(o.work[0], 0);
}

// One warp, so that the order is the rule's alone. Atomics of one instruction are done in ascending
// order: lane 0 has the lock first. The others spin four times without losing a lane, and give way:
// lane 0 goes on alone, to its end. Then lane 1 has the lock, and so on: 31 times a path gives way,
// and each time a join opens; lane 31, left alone, has nobody to wait for.
static void test_order_of_lock(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN LOCK COUNT UNLOCK END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t);
    assert_int_equal(o.record.sm.sm.divergent_branches, 31);
    assert_int_equal(o.record.sm.sm.joins_opened, 31);
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

// How often the loop turns before it gives way is a setting: three lanes, the loop issues once for
// each lane that gets the lock, and N times for the others' spinning: 3 + 2 N.
static void test_yield_setting(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 8; n *= 2) {
        char yield[64];
        snprintf(yield, sizeof yield, "core.its_yield=%u", n);
        const char *const settings[] = {"gpu.sms=1", "core.divergence=its", yield, NULL};
        Bench *b = bench_new("fermi-gtx480", settings, NULL, HEAD BEGIN LOCK COUNT UNLOCK END);
        uint64_t out = bench_array(b, "out", NULL, 256), work = bench_array(b, "work", NULL, 256);
        const LaunchRecord *r =
            bench_run(b, &(BenchLaunch){"k", .block = {3}, .args = {out, work}});
        // The turn in which a lane gets the lock is the first that is counted for the others.
        assert_int_equal(bench_at(b, r, "atom.global.cas").issued, 3 + 2 * n);
        bench_free(b);
    }
}

// The lock is taken and given by functions, the loop is in one of them: the lane that returns does
// not wait for those inside.
static void test_lock_in_functions(void **state)
{
    (void)state;
    Outcome o = run(
        HEAD ".func take(.param .b64 lock)\n{\n"
             ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
             "ld.param.u64 %rd1, [lock];\n"
             "SPIN:\natom.global.cas.b32 %r2, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
             "@%p1 bra SPIN;\nret;\n}\n"
             ".func give(.param .b64 lock)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
             "ld.param.u64 %rd1, [lock];\nmembar.gl;\natom.global.exch.b32 %r2, [%rd1], 0;\n"
             "ret;\n}\n"
        BEGIN "{ .param .b64 a;\nst.param.b64 [a], %rd8;\ncall.uni take, (a); }\n" COUNT
              "{ .param .b64 a;\nst.param.b64 [a], %rd8;\ncall.uni give, (a); }\n" END,
        32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t);
}

// Each lane wants two of three locks, the middle one all of them; it gives the first back and
// sleeps where it does not get the second.
static void test_two_locks(void **state)
{
    (void)state;
    Outcome o = timed(HEAD BEGIN
                    "and.b32 %r5, %r1, 1;\nmul.wide.u32 %rd4, %r5, 8;\nadd.u64 %rd4, %rd8, %rd4;\n"
                    "add.u64 %rd5, %rd4, 8;\n"
                    "TRY:\natom.global.cas.b32 %r2, [%rd4], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n"
                    "@%p1 bra REST;\n"
                    "atom.global.cas.b32 %r3, [%rd5], 0, 1;\nsetp.ne.u32 %p2, %r3, 0;\n"
                    "@!%p2 bra BOTH;\n"
                    "atom.global.exch.b32 %r4, [%rd4], 0;\n"
                    "REST:\nmov.u32 %r7, 100;\nnanosleep.u32 %r7;\nbra.uni TRY;\n"
                    "BOTH:\n" COUNT
                    "atom.global.exch.b32 %r4, [%rd5], 0;\natom.global.exch.b32 %r4, [%rd4], 0;\n"
                    END, 32);
    assert_int_equal(o.work[1], 32);
}

// The same loops under a stack never end: the lane that has the lock waits for the others.
static void test_lock_with_the_stack(void **state)
{
    (void)state;
    Bench *b;
    const char *text = fails(with_stack, &(GpuOptions){.max_cycles = 50000},
                             HEAD BEGIN LOCK COUNT UNLOCK END, 32, &b);
    contains(text, "has not ended after 50000 cycles");
    contains(text, "--set core.divergence=its");
    bench_free(b);
}

// ---- flags ----

// One lane writes a flag that the others of its warp wait for; whichever path goes first.
static void flag(const char *condition)
{
    char ptx[4096];
    snprintf(ptx, sizeof ptx, "%s%s%s", HEAD BEGIN "setp.", condition,
             ".u32 %p1, %r1, 5;\n@%p1 bra WAIT;\n"
             "mov.u32 %r4, 77;\nst.global.u32 [%rd8+4], %r4;\nmembar.gl;\n"
             "st.volatile.global.u32 [%rd8], %r4;\nbra.uni JOIN;\n"
             "WAIT:\nld.volatile.global.u32 %r2, [%rd8];\nsetp.eq.u32 %p2, %r2, 0;\n"
             "@%p2 bra WAIT;\n"
             "JOIN:\nld.global.u32 %r9, [%rd8+4];\nadd.u32 %r9, %r9, %r1;\n" END);
    Outcome o = run(ptx, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], 77 + t);
    assert_int_equal(o.record.sm.sm.reconvergences, 1); // all have met before the last load
}

static void test_flag(void **state)
{
    (void)state;
    flag("ne");
    flag("lt");
    flag("gt");
}

// Lane 0 hands twenty numbers to lane 1 through one word, each waits for the other: the sum.
static void test_producer_and_consumer(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "mov.u32 %r5, 1;\nsetp.gt.u32 %p1, %r1, 1;\n@%p1 bra DONE;\n"
                    "setp.eq.u32 %p2, %r1, 1;\n@%p2 bra TAKE;\n"
                    "GIVE:\nld.volatile.global.u32 %r2, [%rd8];\nsetp.ne.u32 %p3, %r2, 0;\n"
                    "@%p3 bra GIVE;\n"
                    "mul.lo.u32 %r3, %r5, %r5;\nst.volatile.global.u32 [%rd8], %r3;\n"
                    "add.u32 %r5, %r5, 1;\nsetp.le.u32 %p4, %r5, 20;\n@%p4 bra GIVE;\n"
                    "bra.uni DONE;\n"
                    "TAKE:\nld.volatile.global.u32 %r2, [%rd8];\nsetp.eq.u32 %p3, %r2, 0;\n"
                    "@%p3 bra TAKE;\n"
                    "add.u32 %r9, %r9, %r2;\nmov.u32 %r3, 0;\nst.volatile.global.u32 [%rd8], %r3;\n"
                    "add.u32 %r5, %r5, 1;\nsetp.le.u32 %p4, %r5, 20;\n@%p4 bra TAKE;\n"
                    "DONE:\nadd.u32 %r9, %r9, 1;\n" END, 32);
    assert_int_equal(o.out[1], 20 * 21 * 41 / 6 + 1);
    assert_int_equal(o.out[0], 1);
    assert_int_equal(o.out[31], 1);
}

// A loop that no analysis takes for one that polls (a plain load): patience lets it end.
static void test_patience(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=1", "core.divergence=its",
                                           "core.its_patience=50", NULL};
    Outcome o = run_on(settings, NULL, HEAD BEGIN
                    "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra WAIT;\n"
                    "mov.u32 %r4, 1;\nst.global.u32 [%rd8], %r4;\nbra.uni JOIN;\n"
                    "WAIT:\nld.global.cg.u32 %r2, [%rd8];\nsetp.eq.u32 %p2, %r2, 0;\n"
                    "@%p2 bra WAIT;\n"
                    "JOIN:\nadd.u32 %r9, %r1, 1;\n" END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t + 1);
    assert_int_equal(o.record.sm.sm.yields, 1);
}

// ---- sync masks ----

// The lanes come to two different shuffles, by two branches, and read each other's values.
static void test_shuffle_from_two_branches(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN "setp.lt.u32 %p1, %r1, 12;\n@%p1 bra LOW;\n"
                               "add.u32 %r2, %r1, 1000;\nmov.u32 %r5, 31;\n"
                               "shfl.sync.bfly.b32 %r9, %r2, 16, %r5, -1;\nbra.uni JOIN;\n"
                               "LOW:\nmul.lo.u32 %r3, %r1, 3;\n"
                               "shfl.sync.bfly.b32 %r9|%p2, %r3, 16, 31, -1;\n"
                               "selp.u32 %r4, 100000, 0, %p2;\nadd.u32 %r9, %r9, %r4;\n"
                               "JOIN:\nadd.u32 %r9, %r9, 5;\n" END,
                    32);
    for (unsigned t = 0; t < 32; t++) {
        unsigned s = t ^ 16, gives = s < 12 ? 3 * s : 1000 + s;
        assert_int_equal(o.out[t], gives + (t < 12 ? 100000 : 0) + 5);
    }
    assert_int_equal(o.record.sm.sm.sync_waits, 1); // the path that came first
    assert_int_equal(o.record.sm.sm.reconvergences, 1);
}

// The same of votes (one of them negated), matches of 64 bits and reductions.
static void test_others_from_two_branches(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "setp.lt.u32 %p1, %r1, 12;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p3, %r2, 0;\n"
                    "cvt.u64.u32 %rd4, %r2;\nshl.b64 %rd4, %rd4, 40;\n@%p1 bra LOW;\n"
                    "vote.sync.ballot.b32 %r3, %p3, -1;\nmatch.any.sync.b64 %r4, %rd4, -1;\n"
                    "redux.sync.add.u32 %r5, %r1, -1;\nbra.uni JOIN;\n"
                    "LOW:\nsetp.ne.u32 %p4, %r2, 0;\nadd.u64 %rd5, %rd4, 0;\n"
                    "mul.lo.u32 %r6, %r1, 2;\n"
                    "vote.sync.ballot.b32 %r3, !%p4, -1;\nmatch.any.sync.b64 %r4, %rd5, -1;\n"
                    "redux.sync.add.u32 %r5, %r6, -1;\n"
                    "JOIN:\nst.global.u32 [%rd7], %r3;\nadd.u32 %r9, %r4, %r5;\n" END,
                    32);
    unsigned sum = 31 * 16 + 11 * 6; // all tid once, those of the low lanes twice
    for (unsigned t = 0; t < 32; t++) {
        assert_int_equal(o.work[t], 0x55555555);
        assert_int_equal(o.out[t], (t % 2 ? 0xaaaaaaaa : 0x55555555) + sum);
    }
}

// bar.warp.sync in a loop that lane t goes round t % 3 + 1 times, with the mask of all: a lane that
// has left comes to the one behind the loop, which is the corresponding one. Each waits for all
// three turns' lanes only as long as there are some.
static void test_syncwarp_with_trip_counts(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "rem.u32 %r2, %r1, 3;\n"
                    "LOOP:\nadd.u32 %r9, %r9, 1;\nbar.warp.sync -1;\n"
                    "setp.ne.u32 %p1, %r2, 0;\nsub.u32 %r2, %r2, 1;\n@%p1 bra LOOP;\n"
                    "bar.warp.sync -1;\nadd.u32 %r9, %r9, 100;\n"
                    "rem.u32 %r2, %r1, 3;\nsetp.eq.u32 %p2, %r2, 2;\n@%p2 bra LAST;\n"
                    "bar.warp.sync -1;\nsetp.eq.u32 %p3, %r2, 1;\n@%p3 bra LAST;\n"
                    "bar.warp.sync -1;\n"
                    "LAST:\nadd.u32 %r9, %r9, 1000;\n" END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t % 3 + 1101);
}

// Lanes that have exited, or that the block does not have, are not waited for.
static void test_exited_lanes(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "setp.ge.u32 %p1, %r1, 20;\n@%p1 exit;\n"
                    "setp.ge.u32 %p2, %r1, 10;\n@%p2 bra LATE;\n"
                    "shfl.sync.idx.b32 %r9, %r1, 9, 31, -1;\nbra.uni JOIN;\n"
                    "LATE:\nsetp.eq.u32 %p3, %r1, 15;\n@%p3 exit;\n"
                    "shfl.sync.idx.b32 %r9, %r1, 9, 31, -1;\n"
                    "JOIN:\n" END, 30);
    for (unsigned t = 0; t < 20; t++) assert_int_equal(o.out[t], t == 15 ? 0 : 9);
}

// Groups of one path, each with its own mask: no group waits for another, and none is split off.
static void test_masks_of_groups(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "and.b32 %r2, %r1, 3;\nmov.u32 %r3, 286331153;\nshl.b32 %r3, %r3, %r2;\n"
                    "redux.sync.add.u32 %r9, %r1, %r3;\n"
                    "setp.lt.u32 %p1, %r1, 16;\nvote.sync.ballot.b32 %r4, %p1, %r3;\n"
                    "st.global.u32 [%rd7], %r4;\n" END, 32);
    for (unsigned t = 0; t < 32; t++) {
        assert_int_equal(o.out[t], 8 * (t % 4) + 4 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7));
        assert_int_equal(o.work[t], 0x1111u << t % 4);
    }
    assert_int_equal(o.record.sm.sm.sync_waits, 0);
    assert_int_equal(o.record.sm.sm.divergent_branches, 0);
}

// A guard: lanes outside of it do not come to the instruction. Their mask names the others only.
static void test_guarded(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "setp.lt.u32 %p1, %r1, 16;\nsetp.lt.u32 %p2, %r1, 8;\n@%p2 bra LOW;\n"
                    "@%p1 shfl.sync.idx.b32 %r9, %r1, 3, 31, 65535;\nbra.uni JOIN;\n"
                    "LOW:\nshfl.sync.idx.b32 %r9, %r1, 12, 31, 65535;\n"
                    "JOIN:\nadd.u32 %r9, %r9, 1;\n" END, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(o.out[t], t < 8 ? 13 : t < 16 ? 4 : 1);
}

// Half of the lanes want a shuffle of all, the others a barrier of all.
static void test_masks_that_never_gather(void **state)
{
    (void)state;
    Bench *b;
    const char *text = fails(with_its, NULL,
                             HEAD BEGIN "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra LOW;\n"
                                        "shfl.sync.idx.b32 %r9, %r1, 3, 31, -1;\nbra.uni JOIN;\n"
                                        "LOW:\nbar.warp.sync -1;\nJOIN:\n" END,
                             32, &b);
    contains(text, "k: deadlock");
    contains(text, "SM 0, block (0,0,0), warp 0, lanes ffff0000: at line 12 wait for lanes "
                   "0000ffff to come to a shfl.sync of lanes ffffffff");
    contains(text, "SM 0, block (0,0,0), warp 0, lanes 0000ffff: at line 15 wait for lanes "
                   "ffff0000 to come to a bar.warp.sync of lanes ffffffff");
    bench_free(b);
    // Without time as well. Lanes 8 and up are at a barrier of two warps, which there are not.
    text = fails(with_its, &(GpuOptions){.functional = true},
                 HEAD BEGIN "setp.lt.u32 %p1, %r1, 8;\n@%p1 bra LOW;\n"
                            "bar.sync 1, 64;\nbra.uni JOIN;\n"
                            "LOW:\nbar.warp.sync 65535;\nJOIN:\n" END,
                 32, &b);
    contains(text, "k: deadlock");
    contains(text, "lanes ffffff00: stand at barrier 1 at line 12");
    contains(text, "lanes 000000ff: at line 15 wait for lanes 0000ff00");
    bench_free(b);
}

// ---- barriers ----

// Lanes of one warp come to the block's barrier by two instructions; it counts threads. The words
// of the other path's lanes are there behind it.
static void test_barrier_from_two_paths(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    ".shared .align 4 .b8 s[256];\nmov.u32 %r2, s;\nmad.lo.u32 %r3, %r1, 4, %r2;\n"
                    "and.b32 %r4, %r1, 1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra EVEN;\n"
                    "add.u32 %r5, %r1, 500;\nst.shared.u32 [%r3], %r5;\nbar.sync 0;\n"
                    "ld.shared.u32 %r9, [%r3+-4];\nbra.uni JOIN;\n"
                    "EVEN:\nadd.u32 %r5, %r1, 900;\nst.shared.u32 [%r3], %r5;\nbar.sync 0;\n"
                    "ld.shared.u32 %r9, [%r3+4];\n"
                    "JOIN:\n" END, 64);
    for (unsigned t = 0; t < 64; t++)
        assert_int_equal(o.out[t], t % 2 ? t - 1 + 900 : t + 1 + 500);
    assert_int_equal(o.record.sm.sm.barriers, 1);
}

// Some lanes come to a barrier inside of an if, the others to the one behind it; those that wait to
// reconverge are what the barrier waits for, so they go on. Then it is the others' turn: the warp
// meets barrier 0 twice, and lanes that have exited count as arrived at the second.
static void test_barrier_inside_an_if(void **state)
{
    (void)state;
    Outcome o = run(HEAD BEGIN
                    "setp.ge.u32 %p1, %r1, 40;\n@%p1 bra JOIN;\n"
                    "bar.sync 0;\nadd.u32 %r9, %r9, 1;\n"
                    "JOIN:\nbar.sync 0;\nadd.u32 %r9, %r9, 10;\n" END, 64);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(o.out[t], t < 40 ? 11 : 10);
    assert_int_equal(o.record.sm.sm.barriers, 2);
}

// ---- functions ----

// The lanes call two functions at once, each of which waits for the other's lanes; both have wide
// values of their own, one calls a third.
static void test_two_functions_at_once(void **state)
{
    (void)state;
    Outcome o = run(
        HEAD ".func (.param .b64 r) cube(.param .b32 n)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
             "ld.param.u32 %r1, [n];\nmul.wide.u32 %rd1, %r1, %r1;\ncvt.u64.u32 %rd2, %r1;\n"
             "bar.warp.sync -1;\n"
             "mul.lo.u64 %rd3, %rd1, %rd2;\nst.param.b64 [r], %rd3;\nret;\n}\n"
             ".func (.param .b64 r) far(.param .b32 n)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
             "ld.param.u32 %r1, [n];\nadd.u32 %r2, %r1, 7;\nadd.u32 %r3, %r1, 9;\n"
             "cvt.u64.u32 %rd1, %r2;\nshl.b64 %rd1, %rd1, 33;\n"
             "{ .param .b32 a; .param .b64 v;\nst.param.b32 [a], %r3;\n"
             "call.uni (v), cube, (a);\nld.param.b64 %rd2, [v]; }\n"
             "add.u64 %rd3, %rd1, %rd2;\nst.param.b64 [r], %rd3;\nret;\n}\n" BEGIN
             "setp.lt.u32 %p1, %r1, 11;\n@%p1 bra LOW;\n"
             "{ .param .b32 a; .param .b64 v;\nst.param.b32 [a], %r1;\n"
             "call.uni (v), far, (a);\nld.param.b64 %rd4, [v]; }\nbra.uni JOIN;\n"
             "LOW:\n{ .param .b32 a; .param .b64 v;\nst.param.b32 [a], %r1;\n"
             "call.uni (v), cube, (a);\nld.param.b64 %rd4, [v]; }\n"
             "JOIN:\nshr.u64 %rd5, %rd4, 32;\ncvt.u32.u64 %r5, %rd5;\ncvt.u32.u64 %r6, %rd4;\n"
             "mad.lo.u32 %r9, %r5, 1000000, %r6;\n" END,
        32);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(o.out[t], t < 11 ? t * t * t
                                          : 2 * (t + 7) * 1000000 + (t + 9) * (t + 9) * (t + 9));
}

// A lane waits in a function for an atomic of its own while another path runs in the kernel: the
// result lands in the function's registers.
static void test_atomic_in_flight(void **state)
{
    (void)state;
    Outcome o = run(
        HEAD ".func (.param .b32 r) next(.param .b64 p)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
             "ld.param.u64 %rd1, [p];\natom.global.add.u32 %r1, [%rd1], 5;\nbar.warp.sync -1;\n"
             "add.u32 %r2, %r1, 1;\nst.param.b32 [r], %r2;\nret;\n}\n" BEGIN
             "mov.u32 %r20, 3;\nmov.u32 %r21, 4;\nsetp.gt.u32 %p1, %r1, 0;\n@%p1 bra HIGH;\n"
             "{ .param .b64 a; .param .b32 v;\nst.param.b64 [a], %rd8;\n"
             "call.uni (v), next, (a);\nld.param.b32 %r9, [v]; }\nbra.uni JOIN;\n"
             "HIGH:\nadd.u32 %r20, %r20, %r1;\nbar.warp.sync -1;\nadd.u32 %r9, %r20, %r21;\n"
             "JOIN:\n" END,
        32);
    assert_int_equal(o.out[0], 1);
    for (unsigned t = 1; t < 32; t++) assert_int_equal(o.out[t], 7 + t);
    assert_int_equal(o.work[0], 5);
}

// ---- traces ----

static void put(void *context, const char *text, size_t length)
{
    char *all = context;
    size_t at = strlen(all);
    assert_true(at + length < 50000);
    memcpy(all + at, text, length);
    all[at + length] = 0;
}

static void test_trace(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", with_its, NULL,
                         HEAD BEGIN "setp.lt.u32 %p1, %r1, 12;\n@%p1 bra LOW;\n"
                                    "bar.warp.sync -1;\nbra.uni JOIN;\n"
                                    "LOW:\nbar.warp.sync -1;\nbar.sync 0;\nJOIN:\n" END);
    uint64_t out = bench_array(b, "out", NULL, 256), work = bench_array(b, "work", NULL, 256);
    static char text[50000];
    text[0] = 0;
    GpuTrace trace = {.launch = 1, .to = UINT64_MAX, .put = put, .context = text};
    assert_true(gpu_trace(b->gpu, &trace, &b->err));
    bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {out, work}});
    bench_free(b);
    contains(text, "diverges: lanes 00000fff go on at line 15; 1 more path");
    contains(text, "line 15, lanes 00000fff: wait for the other lanes of the mask");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_stack),
        cmocka_unit_test(test_table_as_the_stack),
        cmocka_unit_test(test_tagged_histogram),
        cmocka_unit_test(test_recursion_as_the_stack),
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
        cmocka_unit_test(test_shuffle_from_two_branches),
        cmocka_unit_test(test_others_from_two_branches),
        cmocka_unit_test(test_syncwarp_with_trip_counts),
        cmocka_unit_test(test_exited_lanes),
        cmocka_unit_test(test_masks_of_groups),
        cmocka_unit_test(test_guarded),
        cmocka_unit_test(test_masks_that_never_gather),
        cmocka_unit_test(test_barrier_from_two_paths),
        cmocka_unit_test(test_barrier_inside_an_if),
        cmocka_unit_test(test_two_functions_at_once),
        cmocka_unit_test(test_atomic_in_flight),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests_name("its", tests, NULL, NULL);
}
