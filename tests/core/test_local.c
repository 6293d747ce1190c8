// Local memory: its layout (memory.local_layout), and the parameters of device functions in it
// (memory.function_params).
#include "support/bench.h"

// Calls add(8, 16 + tid) `calls` times, and loads a word of local memory each time, which has the
// offset of `sum` among the parameters.
static const char calls[] =
    PTX_HEAD
    ".func (.param .b32 sum) add(.param .b64 a, .param .b32 b)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [a];\n"
    "    ld.param.u32 %r1, [b];\n"
    "    cvt.u32.u64 %r2, %rd1;\n"
    "    add.u32 %r3, %r1, %r2;\n"
    "    st.param.b32 [sum], %r3;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry k(.param .u64 out, .param .u32 calls)\n"
    "{\n"
    "    .local .b32 v[4];\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.u32 %r1, [calls];\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r2, 4;\n"
    "    add.u64 %rd1, %rd1, %rd2;\n"
    "    add.u32 %r2, %r2, 16;\n"
    "    mov.u64 %rd3, 8;\n"
    "again:\n"
    "    .param .b64 a;\n"
    "    .param .b32 b;\n"
    "    .param .b32 sum;\n"
    "    st.param.b64 [a], %rd3;\n"
    "    st.param.b32 [b], %r2;\n"
    "    call (sum), add, (a, b);\n"
    "    ld.param.b32 %r4, [sum];\n"
    "    ld.local.u32 %r5, [v + 12];\n"
    "    add.u32 %r4, %r4, %r5;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra again;\n"
    "    st.global.u32 [%rd1], %r4;\n"
    "    ret;\n"
    "}\n";

static void run_calls(const char *machine, const char *const *settings, unsigned threads,
                      CacheCounters *l1d)
{
    Bench *b = bench_new(machine, settings, NULL, calls);
    uint64_t out = bench_array(b, "out", NULL, threads * 4);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {out, 3}});
    *l1d = r->sm.l1d;
    for (unsigned i = 0; i < threads; i++) assert_int_equal(bench_word(b, out, i), 24 + i);
    bench_free(b);
}

// A warp's 4-byte words are a line. In each of 3 calls it stores a (two words), b and sum, and
// loads all four, and v. The caller's a and b are not where the callee loads them from, and its sum
// is not where the callee stores it: no load finds a line that a store has brought.
static void test_parameters(void **state)
{
    (void)state;
    CacheCounters l1d;
    run_calls("fermi-gtx480", (const char *const[]){"memory.function_params=local", NULL}, 32,
              &l1d);
    assert_int_equal(l1d.store_accesses, 3 * 4 + 1);
    assert_int_equal(l1d.load_accesses, 3 * 5);
    assert_int_equal(l1d.load_misses, 5);
    assert_int_equal(l1d.load_hits, 2 * 5);
    run_calls("fermi-gtx480", NULL, 32, &l1d);
    assert_int_equal(l1d.store_accesses, 1);
    assert_int_equal(l1d.load_accesses, 3);
    assert_int_equal(l1d.load_misses, 1);
}

// Two warps of 8 lanes that issue together have their words together, in half a line.
static void test_pair(void **state)
{
    (void)state;
    static const char *const layouts[] = {"memory.local_layout=warp", "memory.local_layout=gpu"};
    for (unsigned i = 0; i < 2; i++) {
        CacheCounters l1d;
        run_calls("fermi-c2050-gw8", (const char *const[]){"memory.function_params=local",
                                                           "scalar.mode=off", layouts[i], NULL},
                  16, &l1d);
        assert_int_equal(l1d.store_accesses, 3 * 4 + 1);
        assert_int_equal(l1d.load_accesses, 3 * 5);
    }
}

// Reads four words of local memory, twice.
static const char words[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "    .local .b32 v[4];\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    mov.u32 %r1, 2;\n"
    "again:\n"
    "    ld.local.u32 %r2, [v];\n"
    "    ld.local.u32 %r3, [v + 4];\n"
    "    add.u32 %r2, %r2, %r3;\n"
    "    ld.local.u32 %r4, [v + 8];\n"
    "    add.u32 %r2, %r2, %r4;\n"
    "    ld.local.u32 %r5, [v + 12];\n"
    "    add.u32 %r2, %r2, %r5;\n"
    "    add.u32 %r1, %r1, %r2;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra again;\n"
    "    st.global.u32 [%rd1], %r1;\n"
    "    ret;\n"
    "}\n";

static uint64_t hits(const char *layout, const char *sms, const char *blocks)
{
    // Four sets of one line.
    const char *settings[] = {"memory.l1_sizing=fixed", "l1d.size=512B", "l1d.ways=1",
                              "l1d.index=linear", layout, sms, blocks, NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, words);
    uint64_t out = bench_array(b, "out", NULL, 4);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {out}});
    assert_int_equal(r->sm.l1d.load_accesses, 8);
    uint64_t count = r->sm.l1d.load_hits;
    bench_free(b);
    return count;
}

// The words of a warp lie in consecutive lines, which fit into the sets. Those of the GPU are as
// far apart as all its threads have words: a line for each block that it holds. With 2 of them the
// words lie in two sets, with 4 and 8 in one; with 3, 3 lines apart, in all sets.
static void test_layout(void **state)
{
    (void)state;
    assert_int_equal(hits("memory.local_layout=warp", "gpu.sms=4", "core.blocks=1"), 4);
    assert_int_equal(hits("memory.local_layout=gpu", "gpu.sms=1", "core.blocks=1"), 4);
    assert_int_equal(hits("memory.local_layout=gpu", "gpu.sms=2", "core.blocks=1"), 0);
    assert_int_equal(hits("memory.local_layout=gpu", "gpu.sms=3", "core.blocks=1"), 4);
    assert_int_equal(hits("memory.local_layout=gpu", "gpu.sms=4", "core.blocks=1"), 0);
    assert_int_equal(hits("memory.local_layout=gpu", "gpu.sms=1", "core.blocks=3"), 4);
    assert_int_equal(hits("memory.local_layout=gpu", "gpu.sms=1", "core.blocks=8"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parameters),
                                       cmocka_unit_test(test_pair),
                                       cmocka_unit_test(test_layout)};
    return cmocka_run_group_tests_name("local memory", tests, NULL, NULL);
}
