// Atomics: each update happens once, old values are right, threads that wait for each other finish,
// and an access to an address with an atomic in flight waits for it.
#include "support/bench.h"

#define BEGIN(name)                                                                                \
    ".visible .entry " name "(.param .u64 out, .param .u64 data)\n"                                \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<12>;\n"                                                                     \
    "    .reg .f32 %f<9>;\n"                                                                       \
    "    mov.u32 %r2, %ctaid.x;\n"                                                                 \
    "    mov.u32 %r3, %ntid.x;\n"                                                                  \
    "    mov.u32 %r4, %tid.x;\n"                                                                   \
    "    mad.lo.u32 %r1, %r2, %r3, %r4;\n"                                                         \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    ld.param.u64 %rd4, [data];\n"                                                             \
    "    mul.wide.u32 %rd2, %r1, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"
#define END                                                                                        \
    "    st.global.u32 [%rd3], %r9;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

enum { BLOCKS = 20, BLOCK = 96, THREADS = BLOCKS * BLOCK };

static LaunchResult run(const char *ptx, uint32_t out[THREADS], void *data, unsigned bytes)
{
    Bench *b = bench_new("fermi-gtx480", NULL, NULL, ptx);
    uint64_t array = bench_array(b, "out", NULL, THREADS * 4),
             second = bench_array(b, "data", data, bytes);
    LaunchResult r = *bench_run(
        b, &(BenchLaunch){"k", .grid = {BLOCKS}, .block = {BLOCK}, .args = {array, second}});
    bench_read(b, out, array, THREADS * 4);
    bench_read(b, data, second, bytes);
    bench_free(b);
    return r; // plain counters only
}

// All threads take a number from one counter: the old values are 0 .. THREADS - 1, each once.
static void test_distinct_tickets(void **state)
{
    (void)state;
    static uint32_t out[THREADS];
    uint32_t counter = 0;
    LaunchResult r = run(
        PTX_HEAD
        BEGIN("k")
        "    atom.global.add.u32 %r9, [%rd4], 1;\n"
        END, out, &counter, 4);
    bool seen[THREADS] = {false};
    for (unsigned t = 0; t < THREADS; t++) {
        assert_in_range(out[t], 0, THREADS - 1);
        assert_false(seen[out[t]]);
        seen[out[t]] = true;
    }
    assert_int_equal(counter, THREADS);
    assert_int_equal(r.sm.sm.global_atomics, THREADS / 32);
    assert_int_equal(r.l2.atomic_accesses, THREADS / 32); // one line, one sector
}

// Each operation once per thread, on words in two lines.
static void test_operations(void **state)
{
    (void)state;
    static uint32_t out[THREADS];
    uint32_t data[64] = {0};
    data[1] = 0xffffffff;
    data[3] = 0xffffffff;
    data[40] = 5;
    run(
        PTX_HEAD
        BEGIN("k")
        "    add.u32 %r5, %r1, 7;\n"
        "    shl.b32 %r6, 1, %r4;\n"
        "    not.b32 %r7, %r6;\n"
        "    red.global.add.u32 [%rd4], %r1;\n"
        "    red.global.min.u32 [%rd4+4], %r5;\n"
        "    red.global.max.u32 [%rd4+8], %r5;\n"
        "    red.global.and.b32 [%rd4+12], %r7;\n"
        "    red.global.or.b32 [%rd4+16], %r6;\n"
        "    red.global.xor.b32 [%rd4+20], %r1;\n"
        "    red.global.inc.u32 [%rd4+24], 6;\n"
        "    red.global.dec.u32 [%rd4+160], 10;\n"
        "    atom.global.exch.b32 %r9, [%rd4+28], %r5;\n"
        END,
        out, data, sizeof data);
    assert_int_equal(data[0], THREADS * (THREADS - 1) / 2);
    assert_int_equal(data[1], 7);
    assert_int_equal(data[2], THREADS - 1 + 7);
    // Thread t shifts by t; 32 and more give 0. So bits 0 .. 31 are all cleared, and all set.
    assert_int_equal(data[3], 0);
    assert_int_equal(data[4], 0xffffffff);
    assert_int_equal(data[5], 0); // 1920 numbers from 0, a multiple of 4
    assert_int_equal(data[6], THREADS % 7);
    // 5 steps down to 0, one up to 10, then 11 steps a round: 1920 steps are 6 and 174 rounds.
    assert_int_equal(data[40], 10 - (THREADS - 6) % 11);
    // Exchanges pass each value on once: the old values but the first 0, and the word that is left,
    // are 7 ..
    uint64_t sum = data[7];
    for (unsigned t = 0; t < THREADS; t++) sum += out[t];
    assert_int_equal(sum, (uint64_t)THREADS * (THREADS - 1) / 2 + 7 * THREADS);
}

static void test_64_bit_and_float(void **state)
{
    (void)state;
    static uint32_t out[THREADS];
    struct {
        uint64_t sum;
        float real;
        uint32_t unused;
    } data = {UINT64_C(0xfffffff0), 0.5f, 0};
    run(
        PTX_HEAD
        BEGIN("k")
        "    cvt.u64.u32 %rd5, %r1;\n"
        "    atom.global.add.u64 %rd6, [%rd4], %rd5;\n"
        "    mov.f32 %f1, 0f3F800000;\n"
        "    atom.global.add.f32 %f2, [%rd4+8], %f1;\n"
        "    cvt.rzi.u32.f32 %r9, %f2;\n"
        END,
        out, &data, sizeof data);
    assert_true(data.sum == UINT64_C(0xfffffff0) + (uint64_t)THREADS * (THREADS - 1) / 2);
    assert_true(data.real == THREADS + 0.5f);
}

// A lock by compare-and-swap around a plain read-modify-write of another word. Lane 0 of each warp
// takes it: with the SIMT stack, lanes of one warp cannot wait for each other.
static void test_lock(void **state)
{
    (void)state;
    static uint32_t out[THREADS];
    uint32_t data[64] = {0};
    run(
        PTX_HEAD
        BEGIN("k")
        "    and.b32 %r5, %r4, 31;\n"
        "    mov.u32 %r9, 0;\n"
        "    setp.ne.u32 %p1, %r5, 0;\n"
        "    @%p1 bra DONE;\n"
        "TAKE:\n"
        "    atom.global.cas.b32 %r6, [%rd4], 0, 1;\n"
        "    setp.ne.u32 %p2, %r6, 0;\n"
        "    @%p2 bra TAKE;\n"
        "    membar.gl;\n"
        "    ld.volatile.global.u32 %r7, [%rd4+128];\n"
        "    add.u32 %r9, %r7, 3;\n"
        "    st.volatile.global.u32 [%rd4+128], %r9;\n"
        "    membar.gl;\n"
        "    atom.global.exch.b32 %r8, [%rd4], 0;\n"
        "DONE:\n"
        END,
        out, data, sizeof data);
    assert_int_equal(data[0], 0);
    assert_int_equal(data[32], 3 * THREADS / 32);
    bool seen[THREADS / 32 + 1] = {false};
    for (unsigned t = 0; t < THREADS; t += 32) {
        assert_int_equal(out[t] % 3, 0);
        assert_in_range(out[t] / 3, 1, THREADS / 32);
        assert_false(seen[out[t] / 3]);
        seen[out[t] / 3] = true;
    }
}

// A plain load after the thread's own atomic sees the atomic's result, and a plain store after it
// is not overwritten by it: the access waits for the reply.
static void test_own_atomic_then_plain_access(void **state)
{
    (void)state;
    static uint32_t out[THREADS], data[THREADS];
    for (unsigned t = 0; t < THREADS; t++) data[t] = 1000 + t;
    run(
        PTX_HEAD
        BEGIN("k")
        "    add.u64 %rd5, %rd4, %rd2;\n"
        "    red.global.add.u32 [%rd5], 5;\n"
        "    ld.global.u32 %r9, [%rd5];\n"
        "    red.global.add.u32 [%rd5], 6;\n"
        "    mov.u32 %r5, 77;\n"
        "    st.global.u32 [%rd5], %r5;\n"
        "    red.global.add.u32 [%rd5], %r1;\n"
        END,
        out, data, sizeof data);
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(out[t], 1005 + t);
        assert_int_equal(data[t], 77 + t);
    }
}

// The same if an earlier load brought the line into the L1: the atomic leaves no stale copy.
static void test_load_atomic_load(void **state)
{
    (void)state;
    static uint32_t out[THREADS], data[THREADS];
    memset(data, 0, sizeof data);
    run(
        PTX_HEAD
        BEGIN("k")
        "    add.u64 %rd5, %rd4, %rd2;\n"
        "    ld.global.u32 %r5, [%rd5];\n"
        "    add.u32 %r6, %r5, 9;\n"
        "    atom.global.exch.b32 %r7, [%rd5], %r6;\n"
        "    ld.global.u32 %r8, [%rd5];\n"
        "    add.u32 %r9, %r7, %r8;\n"
        END,
        out, data, sizeof data);
    for (unsigned t = 0; t < THREADS; t++) assert_int_equal(out[t], 9);
}

// Block 1 spins on a flag that block 0 sets after a long loop; then block 0 spins on the flag of
// block 1.
static void test_spinning_blocks(void **state)
{
    (void)state;
    Bench *b = bench_new(
        "fermi-gtx480", NULL, &(GpuOptions){.max_cycles = 1000000},
        PTX_HEAD
        BEGIN("k")
        "    setp.ne.u32 %p1, %r2, 0;\n"
        "    @%p1 bra SECOND;\n"
        "    mov.u32 %r5, 0;\n"
        "WORK:\n"
        "    add.u32 %r5, %r5, 1;\n"
        "    setp.lt.u32 %p2, %r5, 100;\n"
        "    @%p2 bra WORK;\n"
        "    st.volatile.global.u32 [%rd4], %r5;\n"
        "WAIT0:\n"
        "    ld.volatile.global.u32 %r9, [%rd4+4];\n"
        "    setp.eq.u32 %p3, %r9, 0;\n"
        "    @%p3 bra WAIT0;\n"
        "    bra.uni DONE;\n"
        "SECOND:\n"
        "    ld.volatile.global.u32 %r9, [%rd4];\n"
        "    setp.eq.u32 %p4, %r9, 0;\n"
        "    @%p4 bra SECOND;\n"
        "    add.u32 %r6, %r9, 1;\n"
        "    st.volatile.global.u32 [%rd4+4], %r6;\n"
        "DONE:\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 256), flags = bench_array(b, "flags", NULL, 8);
    bench_run(b, &(BenchLaunch){"k", .grid = {2}, .block = {32}, .args = {out, flags}});
    assert_int_equal(bench_word(b, out, 0), 101);
    assert_int_equal(bench_word(b, out, 40), 100);
    bench_free(b);
}

// A thread that sees a flag sees the store before the fence before that flag, in many pairs of
// blocks.
static void test_fence(void **state)
{
    (void)state;
    static uint32_t out[THREADS], data[THREADS + 64];
    memset(data, 0, sizeof data);
    // Even blocks write a word and raise a flag; each odd block waits for its neighbour's flag.
    run(
        PTX_HEAD
        BEGIN("k")
        "    and.b32 %r5, %r2, 1;\n"
        "    sub.u32 %r6, %r2, %r5;\n"
        "    mul.wide.u32 %rd5, %r6, 4;\n"
        "    add.u64 %rd6, %rd4, %rd5;\n"
        "    mad.lo.u32 %r7, %r6, %r3, %r4;\n"
        "    mul.wide.u32 %rd7, %r7, 4;\n"
        "    add.u64 %rd8, %rd4, %rd7;\n"
        "    mov.u32 %r9, 0;\n"
        "    setp.eq.u32 %p1, %r5, 1;\n"
        "    @%p1 bra READER;\n"
        "    add.u32 %r10, %r1, 1;\n"
        "    st.global.u32 [%rd8+256], %r10;\n"
        "    membar.gl;\n"
        "    bar.sync 0;\n"
        "    setp.ne.u32 %p2, %r4, 0;\n"
        "    @%p2 bra DONE;\n"
        "    atom.global.exch.b32 %r11, [%rd6], 1;\n"
        "    bra.uni DONE;\n"
        "READER:\n"
        "    ld.volatile.global.u32 %r12, [%rd6];\n"
        "    setp.eq.u32 %p3, %r12, 0;\n"
        "    @%p3 bra READER;\n"
        "    membar.gl;\n"
        "    ld.global.u32 %r9, [%rd8+256];\n"
        "DONE:\n"
        END,
        out, data, sizeof data);
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(out[t], t / BLOCK % 2 ? t - BLOCK + 1 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distinct_tickets),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_64_bit_and_float),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_own_atomic_then_plain_access),
        cmocka_unit_test(test_load_atomic_load),
        cmocka_unit_test(test_spinning_blocks),
        cmocka_unit_test(test_fence),
    };
    return cmocka_run_group_tests_name("atomics", tests, NULL, NULL);
}
