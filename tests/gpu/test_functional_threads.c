// Functional launches on several host threads: the same values and counters as on one, with SMs in
// any order, also where blocks race; and what blocks may rely on when they communicate.
#include "compare.h"
#include "mix.h"

static const GpuOptions ways[] = {
    {.functional = true},
    {.functional = true, .threads = 2},
    {.functional = true, .threads = 3, .shuffle = 4},
    {.functional = true, .shuffle = 9},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void test_mix(void **state)
{
    (void)state;
    static const char *const machines[] = {"fermi-gtx480", "volta-v100", "fermi-c2050-gw8"};
    for (unsigned m = 0; m < 3; m++)
        for (unsigned i = 1; i < WAYS; i++) mix_same(machines[m], NULL, &ways[0], &ways[i]);
}

// Launches that warm the caches, and the timed ones behind them.
static void test_warm(void **state)
{
    (void)state;
    static const char *const machines[] = {"fermi-gtx480", "volta-v100", "hopper-h200"};
    for (unsigned m = 0; m < 3; m++)
        for (unsigned detail = 2; detail <= MIX_KERNELS; detail += 2)
            for (unsigned threads = 2; threads <= 3; threads++)
                mix_same(machines[m], NULL, &(GpuOptions){.detail_first = detail},
                         &(GpuOptions){.detail_first = detail, .threads = threads,
                                       .shuffle = threads % 2});
}

// ---- communication ----

#define HEAD(name)                                                                                 \
    ".visible .entry " name "(.param .u64 in, .param .u64 out)\n"                                  \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    ld.param.u64 %rd1, [in];\n"                                                               \
    "    ld.param.u64 %rd2, [out];\n"                                                              \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mov.u32 %r2, %ctaid.x;\n"                                                                 \
    "    mov.u32 %r3, %ntid.x;\n"                                                                  \
    "    mad.lo.u32 %r4, %r2, %r3, %r1;\n"                                                         \
    "    mul.wide.u32 %rd3, %r4, 4;\n"                                                             \
    "    add.u64 %rd4, %rd1, %rd3;\n"  /* the thread's words */                                    \
    "    add.u64 %rd5, %rd2, %rd3;\n"

static const char kernels[] =
    PTX_HEAD
    // The first thread of each block takes a lock, adds 1 to a word and returns the lock.
    HEAD("locked")
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 ret;\n"
    "TAKE:\n"
    "    atom.global.cas.b32 %r5, [%rd1], 0, 1;\n"
    "    setp.ne.u32 %p2, %r5, 0;\n"
    "    @%p2 bra TAKE;\n"
    "    ld.volatile.global.u32 %r6, [%rd1+64];\n"
    "    add.u32 %r6, %r6, 1;\n"
    "    st.volatile.global.u32 [%rd1+64], %r6;\n"
    "    membar.gl;\n"
    "    st.volatile.global.u32 [%rd1], 0;\n"
    "    ret;\n"
    "}\n"
    // Two blocks: each sets its word, and then reads the other's.
    HEAD("both")
    "    st.volatile.global.u32 [%rd4], 1;\n"
    "    membar.gl;\n"
    "    xor.b32 %r5, %r4, 1;\n"
    "    mul.wide.u32 %rd6, %r5, 4;\n"
    "    add.u64 %rd6, %rd1, %rd6;\n"
    "    ld.volatile.global.u32 %r6, [%rd6];\n"
    "    st.global.u32 [%rd5], %r6;\n"
    "    ret;\n"
    "}\n"
    // A thread reads what it has reduced; behind a barrier, what the thread with the opposite
    // number has; a store behind its reduction stays.
    HEAD("reduced")
    "    red.global.add.u32 [%rd4], 5;\n"
    "    ld.global.u32 %r5, [%rd4];\n"
    "    red.global.add.u32 [%rd4], 1;\n"
    "    bar.sync 0;\n"
    "    sub.u32 %r6, %r3, %r1;\n"
    "    sub.u32 %r6, %r6, 1;\n"
    "    mad.lo.u32 %r6, %r2, %r3, %r6;\n"
    "    mul.wide.u32 %rd6, %r6, 4;\n"
    "    add.u64 %rd6, %rd1, %rd6;\n"
    "    ld.global.u32 %r7, [%rd6];\n"
    "    bar.sync 0;\n"
    "    red.global.add.u32 [%rd4], 1;\n"
    "    st.global.u32 [%rd4], 100;\n"
    "    mad.lo.u32 %r8, %r7, 10, %r5;\n"
    "    st.global.u32 [%rd5], %r8;\n"
    "    ret;\n"
    "}\n"
    // Each thread draws numbers from a counter until it gets an odd one, and puts its own at each
    // place that it has drawn.
    HEAD("draws")
    "DRAW:\n"
    "    atom.global.add.u32 %r5, [%rd1], 1;\n"
    "    mul.wide.u32 %rd6, %r5, 4;\n"
    "    add.u64 %rd6, %rd2, %rd6;\n"
    "    add.u32 %r6, %r4, 1;\n"
    "    st.global.u32 [%rd6], %r6;\n"
    "    and.b32 %r7, %r5, 1;\n"
    "    setp.eq.u32 %p1, %r7, 0;\n"
    "    @%p1 bra DRAW;\n"
    "    ret;\n"
    "}\n"
    // All threads write the same word, and read it: the outcome depends on the order.
    HEAD("races")
    "    mov.u32 %r5, 0;\n"
    "LOOP:\n"
    "    ld.volatile.global.u32 %r6, [%rd1];\n"
    "    mad.lo.u32 %r6, %r6, 3, %r4;\n"
    "    st.volatile.global.u32 [%rd1], %r6;\n"
    "    add.u32 %r5, %r5, 1;\n"
    "    setp.lt.u32 %p1, %r5, 40;\n"
    "    @%p1 bra LOOP;\n"
    "    st.global.u32 [%rd5], %r6;\n"
    "    ret;\n"
    "}\n";

enum { BLOCKS = 40, THREADS = BLOCKS * 64, WORDS = 4 * THREADS };

typedef struct Run {
    Bench *bench;
    uint64_t in, out;
} Run;

static Run run(const GpuOptions *options, const char *kernel, uint32_t blocks, uint32_t threads)
{
    Run r = {.bench = bench_new("volta-v100", NULL, options, kernels)};
    r.in = bench_array(r.bench, "in", NULL, 4 * WORDS);
    r.out = bench_array(r.bench, "out", NULL, 4 * WORDS);
    bench_run(r.bench, &(BenchLaunch){kernel, .grid = {blocks}, .block = {threads},
                                      .args = {r.in, r.out}});
    return r;
}

// Runs the kernel in each of the ways; the first run is returned.
static Run run_all(const char *kernel, uint32_t blocks, uint32_t threads)
{
    static uint32_t first[2 * WORDS], other[2 * WORDS];
    Run all = run(&ways[0], kernel, blocks, threads);
    bench_read(all.bench, first, all.in, sizeof first / 2);
    bench_read(all.bench, first + WORDS, all.out, sizeof first / 2);
    for (unsigned i = 1; i < WAYS; i++) {
        Run r = run(&ways[i], kernel, blocks, threads);
        bench_read(r.bench, other, r.in, sizeof other / 2);
        bench_read(r.bench, other + WORDS, r.out, sizeof other / 2);
        assert_memory_equal(first, other, sizeof first);
        compare_records(all.bench, r.bench);
        bench_free(r.bench);
    }
    return all;
}

// Twenty times, because the order of the threads differs from time to time.
static void test_lock(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        GpuOptions options = {.functional = true, .threads = 1 + i % 3, .shuffle = i};
        Run r = run(&options, "locked", BLOCKS, 64);
        assert_int_equal(bench_word(r.bench, r.in, 16), BLOCKS);
        assert_int_equal(bench_word(r.bench, r.in, 0), 0);
        bench_free(r.bench);
    }
}

// With a fence between its store and its load, one of the blocks sees the other's store.
static void test_fence(void **state)
{
    (void)state;
    Run r = run_all("both", 2, 1);
    assert_true(bench_word(r.bench, r.out, 0) || bench_word(r.bench, r.out, 1));
    bench_free(r.bench);
}

static void test_reductions(void **state)
{
    (void)state;
    Run r = run_all("reduced", BLOCKS, 64);
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(bench_word(r.bench, r.out, t), 65); // first 5, then 6
        assert_int_equal(bench_word(r.bench, r.in, t), 100);
    }
    bench_free(r.bench);
}

// Values of atomics decide where threads go. Each draws one odd number, and 0 to THREADS - 1 even
// ones.
static void test_draws(void **state)
{
    (void)state;
    static uint8_t odd[THREADS];
    memset(odd, 0, sizeof odd);
    Run r = run_all("draws", BLOCKS, 64);
    uint32_t drawn = bench_word(r.bench, r.in, 0);
    assert_int_equal(drawn, 2 * THREADS); // the last number is odd, and so is every second one
    for (uint32_t i = 0; i < drawn; i++) {
        uint32_t thread = bench_word(r.bench, r.out, i);
        assert_in_range(thread, 1, THREADS);
        if (i % 2) assert_int_equal(odd[thread - 1]++, 0);
    }
    bench_free(r.bench);
}

static void test_races(void **state)
{
    (void)state;
    bench_free(run_all("races", BLOCKS, 64).bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mix), cmocka_unit_test(test_warm), cmocka_unit_test(test_lock),
        cmocka_unit_test(test_fence), cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_draws), cmocka_unit_test(test_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
