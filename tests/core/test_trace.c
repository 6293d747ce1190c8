// The text of a trace, from kernels whose times are known (tests/core/test_latency.c).
#include "support/bench.h"

static const char *const settings[] = {"gpu.sms=1", "frontend.perfect=true", "frontend.decode=1",
                                       NULL};

#define HEAD                                                                                       \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 data)\n"                                                        \
    "{\n"                                                                                          \
    "    .reg .pred %p<8>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .f32 %f<9>;\n"                                                                       \
    "    .reg .b64 %rd<20>;\n"

// Runs the kernel with one block of `threads` and an array `data` of 64 words, word i being i.
static const char *traced(const char *ptx, unsigned threads, GpuTrace trace,
                          const GpuOptions *options)
{
    static BenchText text;
    text = (BenchText){0};
    Bench *b = bench_new("fermi-gtx480", settings, options, ptx);
    uint32_t words[64];
    for (unsigned i = 0; i < 64; i++) words[i] = i;
    uint64_t data = bench_array(b, "data", words, sizeof words);
    trace.put = bench_put;
    trace.launch = 1;
    trace.context = &text;
    assert_true(gpu_trace(b->gpu, &trace, &b->err));
    bench_run(b, &(BenchLaunch){"k", .grid = {1}, .block = {threads}, .args = {data}});
    bench_free(b);
    return text.all;
}

// A move takes 9 cycles without register operands, the others 10; a return waits for all. Lanes 0
// and 1 execute nothing before they reconverge with the others.
static const char five[] =
    HEAD
    "    mov.u32 %r1, %tid.x;\n"
    "    add.u32 %r2, %r1, 5;\n"
    "    setp.lt.u32 %p1, %r2, 7;\n"
    "    @%p1 bra MEET;\n"
    "    mov.u32 %r2, 1;\n"
    "MEET:\n"
    "    ret;\n"
    "}\n";
static const char five_text[] =
    "launch 1, k: SM 0, warp 0, after 3990 cycles of launch overhead\n" // 5.7 us of 700 MHz
    "         0  starts: warp 0 of block (0,0,0), lanes ffffffff\n"
    "         1  line 8, lanes ffffffff: mov.u32 %r1, %tid.x\n"
    "            writes  %r1 = 0 1 2 3 ..\n"
    "        10  result of line 8 is written\n"
    "        10  line 9, lanes ffffffff: add.u32 %r2, %r1, 5\n"
    "            reads  %r1 = 0 1 2 3 ..\n"
    "            writes  %r2 = 5 6 7 8 ..\n"
    "        20  result of line 9 is written\n"
    "        20  line 10, lanes ffffffff: setp.lt.u32 %p1, %r2, 7\n"
    "            reads  %r2 = 5 6 7 8 ..\n"
    "            writes  %p1 = true true false false ..\n"
    "        30  result of line 10 is written\n"
    "        30  line 11, lanes 00000003: @%p1 bra MEET\n"
    "            guard  %p1 = true true false false ..\n"
    "            diverges: lanes fffffffc continue at line 12; 1 more split\n"
    "        31  line 12, lanes fffffffc: mov.u32 %r2, 1\n"
    "            writes  %r2 = 1 (all)\n"
    "            reconverges: lanes ffffffff continue at line 14\n"
    "        40  result of line 12 is written\n"
    "        40  line 14, lanes ffffffff: ret\n"
    "        40  ends: nothing is in flight\n";

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(traced(five, 32, (GpuTrace){.to = UINT64_MAX}, NULL), five_text);
}

// The range of cycles includes both ends.
static void test_cycles(void **state)
{
    (void)state;
    const char *text = traced(five, 32, (GpuTrace){.from = 31, .to = 40}, NULL);
    const char *rest = strstr(five_text, "        31  line 12");
    assert_non_null(rest);
    assert_string_equal(strchr(text, '\n') + 1, rest);
    text = traced(five, 32, (GpuTrace){.from = 0, .to = 9}, NULL);
    assert_null(strstr(text, "        10  "));
    assert_contains(text, "         1  ");
}

// The values of 6 lanes: all of them with all_lanes.
static void test_lanes(void **state)
{
    (void)state;
    assert_contains(traced(five, 6, (GpuTrace){.to = 9}, NULL), "writes  %r1 = 0 1 2 3 ..\n");
    assert_contains(traced(five, 6, (GpuTrace){.to = 9, .all_lanes = true}, NULL),
                    "writes  %r1 = 0 1 2 3 4 5\n");
}

// The same text with the SMs in another order, and cycle by cycle.
static void test_sameness(void **state)
{
    (void)state;
    GpuTrace all = {.to = UINT64_MAX};
    assert_string_equal(traced(five, 32, all, &(GpuOptions){.no_skip = true}), five_text);
    assert_string_equal(traced(five, 32, all, &(GpuOptions){.shuffle = 9, .threads = 2}),
                        five_text);
}

// A load from DRAM, an L1D hit (39 cycles: tests/core/test_waits.c), an atomic, whose old values
// arrive with the reply, and a store. Words 32 .. 63 lie in one line.
static void test_memory(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    ld.param.u64 %rd1, [data];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mul.wide.u32 %rd2, %r1, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    ld.global.u32 %r2, [%rd3+128];\n"
        "    add.u32 %r3, %r2, 1;\n"
        "    ld.global.u32 %r4, [%rd1+128];\n"
        "    add.u32 %r5, %r4, 1;\n"
        "    atom.global.add.u32 %r6, [%rd3], 7;\n"
        "    add.u32 %r7, %r6, 1;\n"
        "    mov.f32 %f1, 0f3FC00000;\n"
        "    st.global.f32 [%rd3], %f1;\n"
        "    ret;\n"
        "}\n";
    const char *text = traced(ptx, 32, (GpuTrace){.to = UINT64_MAX}, NULL);
    assert_contains(
        text, "global memory, 4 bytes a lane: 0x100000080 data[32], 0x100000084 data[33], "
        "0x100000088 data[34], 0x10000008c data[35] ..\n");
    assert_contains(text, "access 1 of 1: line 0x100000080, lanes ffffffff\n"
                    "            writes  %r2 = 32 33 34 35 ..\n");
    assert_contains(text, "line 12, access 1: L1D miss\n");
    assert_contains(text, "line 12, an access is answered by DRAM; the last, ");
    assert_contains(text, "global memory, 4 bytes a lane: 0x100000080 data[32] (all)\n");
    assert_contains(text, "line 14, access 1: L1D hit\n");
    assert_contains(
        text,
        "line 14, an access is answered by the first level; the last, 39 cycles after issue\n");
    assert_contains(text, ", bypasses the L1\n");
    const char *answer = strstr(text, "line 16, an access is answered by DRAM");
    assert_non_null(answer);
    assert_contains(answer, "writes  %r6 = 0 1 2 3 ..\n");
    assert_null(strstr(answer, "line 16, lanes"));
    assert_contains(
        text,
        "reads  %rd3 = 0x100000000 0x100000004 0x100000008 0x10000000c ..; %f1 = 1.5 (all)\n");
    assert_contains(text, "line 19, access 1: L1D miss, the store is sent to the L2\n");
}

// The trace shows when a barrier releases the warp.
static void test_barrier(void **state)
{
    (void)state;
    static const char ptx[] =
        HEAD
        "    mov.u32 %r1, %tid.x;\n"
        "    bar.sync 3;\n"
        "    ret;\n"
        "}\n";
    const char *text = traced(ptx, 64, (GpuTrace){.warp = 1, .to = UINT64_MAX}, NULL);
    assert_contains(text, "starts: warp 1 of block (0,0,0)");
    assert_contains(text, "writes  %r1 = 32 33 34 35 ..\n");
    assert_contains(text, "passes barrier 3\n");
}

// The run ends after the trace. A launch without such a warp is rejected.
static void test_ends(void **state)
{
    (void)state;
    static BenchText text;
    Bench *b = bench_new("fermi-gtx480", settings, NULL, five);
    GpuTrace trace = {.launch = 1, .to = 5, .put = bench_put, .context = &text};
    assert_false(gpu_trace(b->gpu, &(GpuTrace){.sm = 1, .put = bench_put}, &b->err));
    assert_contains(b->err.text, "SM 1: expected 0 to 0");
    assert_false(gpu_trace(b->gpu, &(GpuTrace){.warp = 48, .put = bench_put}, &b->err));
    assert_contains(b->err.text, "expected 0 to 47");
    assert_true(gpu_trace(b->gpu, &trace, &b->err));
    assert_contains(bench_fail(b, &(BenchLaunch){"k", .grid = {200}, .block = {1024}}),
                    "the trace ends");
    assert_int_equal(gpu_stop(b->gpu)->reason, STOP_TRACED);
    bench_free(b);
    b = bench_new("fermi-gtx480", settings, NULL, five);
    trace.warp = 40;
    assert_true(gpu_trace(b->gpu, &trace, &b->err));
    assert_contains(bench_fail(b, &(BenchLaunch){"k", .grid = {1}, .block = {32}}),
                    "expected 0 to 7");
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_lanes),  cmocka_unit_test(test_sameness),
        cmocka_unit_test(test_memory), cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
