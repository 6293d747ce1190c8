// System calls of kernels: printf, assert, malloc and free. Output and addresses are the same on
// any number of host threads.
#include "support/bench.h"

#define DECLARE                                                                                    \
    PTX_HEAD                                                                                       \
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"                       \
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c,\n"                    \
    "    .param .b64 d, .param .b64 e);\n"                                                         \
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"                                       \
    ".extern .func free(.param .b64 a);\n"
#define REGISTERS                                                                                  \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    mov.u32 %r2, %ctaid.x;\n"                                                                 \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    mov.u32 %r3, %ntid.x;\n"                                                                  \
    "    mad.lo.u32 %r4, %r2, %r3, %r1;\n"                                                         \
    "    mul.wide.u32 %rd2, %r4, 8;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"
#define MALLOC(bytes)                                                                              \
    "    {\n"                                                                                      \
    "        .param .b64 p;\n"                                                                     \
    "        .param .b64 q;\n"                                                                     \
    "        st.param.b64 [p], " bytes ";\n"                                                       \
    "        call (q), malloc, (p);\n"                                                             \
    "        ld.param.b64 %rd10, [q];\n"                                                           \
    "    }\n"
#define FREE(address)                                                                              \
    "    {\n"                                                                                      \
    "        .param .b64 p;\n"                                                                     \
    "        st.param.b64 [p], " address ";\n"                                                     \
    "        call free, (p);\n"                                                                    \
    "    }\n"

typedef struct Output {
    BenchText text, error;
} Output;

static Output output;

static void take_text(void *context, const char *text, size_t length)
{
    bench_put(&((Output *)context)->text, text, length);
}

static void take_error(void *context, const char *text, size_t length)
{
    bench_put(&((Output *)context)->error, text, length);
}

#define SAYS(thread)                                                                               \
    "a.cu:17: f(): block: [0,0,0], thread: [" thread ",0,0] Assertion `x < 3` failed.\n"

static Bench *bench_printing(const char *ptx, GpuOptions options)
{
    memset(&output, 0, sizeof output);
    options.print = take_text;
    options.print_error = take_error;
    options.print_context = &output;
    return bench_new("fermi-gtx480", NULL, &options, ptx);
}

// Each thread prints its block, its number and a text.
static const char prints[] =
    DECLARE
    ".global .align 1 .b8 format[14] = {98, 37, 100, 32, 116, 37, 50, 100, 32, 37, 115, 37, 99};\n"
    ".const .align 1 .b8 word[3] = {104, 105, 0};\n"
    ".visible .entry kernel(.param .u64 out)\n"
    "{\n"
    REGISTERS
    "    .local .align 8 .b8 depot[24];\n"
    "    mov.u64 %rd4, depot;\n"
    "    cvta.local.u64 %rd5, %rd4;\n"
    "    st.local.u32 [%rd4], %r2;\n"
    "    st.u32 [%rd5+4], %r1;\n"
    "    mov.u64 %rd6, word;\n"
    "    cvta.const.u64 %rd6, %rd6;\n"
    "    st.u64 [%rd5+8], %rd6;\n"
    "    st.u32 [%rd5+16], 10;\n"
    "    mov.u64 %rd7, format;\n"
    "    cvta.global.u64 %rd7, %rd7;\n"
    "    {\n"
    "        .param .b64 f;\n"
    "        .param .b64 g;\n"
    "        .param .b32 n;\n"
    "        st.param.b64 [f], %rd7;\n"
    "        st.param.b64 [g], %rd5;\n"
    "        call.uni (n), vprintf, (f, g);\n"
    "        ld.param.b32 %r5, [n];\n"
    "    }\n"
    "    cvt.u64.u32 %rd8, %r5;\n"
    "    st.global.u64 [%rd3], %rd8;\n"
    "    ret;\n"
    "}\n";

static void test_print(void **state)
{
    (void)state;
    Bench *bench = bench_printing(prints, (GpuOptions){0});
    uint64_t out = bench_array(bench, "out", NULL, 3 * 8);
    bench_run(bench, &(BenchLaunch){"kernel", .block = {3}, .args = {out}});
    assert_string_equal(output.text.all, "b0 t 0 hi\nb0 t 1 hi\nb0 t 2 hi\n");
    assert_int_equal(bench_long(bench, out, 2), 4); // arguments
    bench_free(bench);
}

// A call takes more time than the kernel without it.
static void test_print_takes_time(void **state)
{
    (void)state;
    Bench *bench = bench_printing(prints, (GpuOptions){0});
    uint64_t out = bench_array(bench, "out", NULL, 32 * 8);
    uint64_t cycles =
        bench_run(bench, &(BenchLaunch){"kernel", .block = {32}, .args = {out}})->cycles;
    bench_free(bench);
    bench = bench_new("fermi-gtx480", (const char *const[]){"core.system_call=5000", NULL},
                      &(GpuOptions){.print = take_text, .print_context = &output}, prints);
    out = bench_array(bench, "out", NULL, 32 * 8);
    assert_int_equal(
        bench_run(bench, &(BenchLaunch){"kernel", .block = {32}, .args = {out}})->cycles,
        cycles + 3000); // the default is 2000
    bench_free(bench);
}

// Each thread allocates 40 bytes and stores its number there; a second kernel reads and frees them.
static const char heap[] =
    DECLARE
    ".visible .entry take(.param .u64 out, .param .u64 bytes)\n"
    "{\n"
    REGISTERS
    "    ld.param.u64 %rd4, [bytes];\n"
    MALLOC("%rd4")
    "    st.global.u64 [%rd3], %rd10;\n"
    "    setp.eq.u64 %p1, %rd10, 0;\n"
    "    @%p1 ret;\n"
    "    st.u32 [%rd10+36], %r4;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry give(.param .u64 out)\n"
    "{\n"
    REGISTERS
    "    ld.global.u64 %rd4, [%rd3];\n"
    "    ld.u32 %r5, [%rd4+36];\n"
    "    cvt.u64.u32 %rd5, %r5;\n"
    "    st.global.u64 [%rd3], %rd5;\n"
    FREE("%rd4")
    "    ret;\n"
    "}\n"
    ".visible .entry twice(.param .u64 out)\n"
    "{\n"
    REGISTERS
    MALLOC("64")
    FREE("%rd10")
    "    setp.ne.u32 %p1, %r1, 2;\n"
    "    @%p1 ret;\n"
    FREE("%rd10")
    "    ret;\n"
    "}\n"
    ".visible .entry none(.param .u64 out)\n"
    "{\n"
    REGISTERS
    FREE("0")
    MALLOC("0")
    "    st.global.u64 [%rd3], %rd10;\n"
    "    ret;\n"
    "}\n";

static void test_heap(void **state)
{
    (void)state;
    enum { THREADS = 8 * 64 };
    uint64_t first[THREADS], now[THREADS];
    for (unsigned i = 0; i < 8; i++) { // the last three are functional
        Bench *bench = bench_printing(heap, (GpuOptions){.threads = 1 + i % 4, .shuffle = i,
                                                         .no_skip = i == 3, .functional = i >= 5});
        uint64_t out = bench_array(bench, "out", NULL, sizeof now);
        bench_run(bench, &(BenchLaunch){"take", .grid = {8}, .block = {64}, .args = {out, 40}});
        bench_read(bench, now, out, sizeof now);
        if (!i || i == 5) memcpy(first, now, sizeof now);
        else assert_memory_equal(now, first, sizeof now);
        bench_run(bench, &(BenchLaunch){"give", .grid = {8}, .block = {64}, .args = {out}});
        for (unsigned t = 0; t < THREADS; t++) assert_int_equal(bench_long(bench, out, t), t);
        // All of it is free again.
        bench_run(bench, &(BenchLaunch){"take", .args = {out, 8 << 20}});
        assert_int_not_equal(bench_long(bench, out, 0), 0);
        bench_free(bench);
    }
}

static void test_full_heap(void **state)
{
    (void)state;
    Bench *bench = bench_printing(heap, (GpuOptions){0});
    uint64_t out = bench_array(bench, "out", NULL, 64 * 8), none = 0;
    assert_int_equal(gpu_heap_bytes(bench->gpu), 8 << 20);
    assert_true(gpu_set_heap(bench->gpu, 1024, &bench->err));
    bench_run(bench, &(BenchLaunch){"take", .block = {64}, .args = {out, 100}});
    for (unsigned t = 0; t < 64; t++) none += !bench_long(bench, out, t);
    assert_int_equal(none, 64 - 9); // 9 x 112 bytes of 1024
    assert_false(gpu_set_heap(bench->gpu, 4096, &bench->err));
    bench_run(bench, &(BenchLaunch){"none", .block = {64}, .args = {out}});
    assert_int_equal(bench_long(bench, out, 5), 0);
    bench_free(bench);
}

static void test_free_twice(void **state)
{
    (void)state;
    for (unsigned functional = 0; functional < 2; functional++) {
        Bench *bench = bench_printing(heap, (GpuOptions){.functional = functional});
        uint64_t out = bench_array(bench, "out", NULL, 64 * 8);
        const char *text =
            bench_fail(bench, &(BenchLaunch){"twice", .block = {32}, .args = {out}});
        assert_contains(text, "twice, block (0,0,0), thread (2,0,0): free of 0x");
        assert_int_equal(gpu_fault(bench->gpu), GPU_FAULT_ADDRESS);
        bench_free(bench);
    }
}

// Blocks on several SMs print in many quanta: the output is always the same.
static void test_order(void **state)
{
    (void)state;
    static Output first;
    for (unsigned i = 0; i < 6; i++) {
        Bench *bench = bench_printing(prints, (GpuOptions){.threads = 1 + i % 4, .shuffle = i,
                                                           .no_skip = i == 3});
        uint64_t out = bench_array(bench, "out", NULL, 40 * 64 * 8);
        bench_run(bench, &(BenchLaunch){"kernel", .grid = {40}, .block = {64}, .args = {out}});
        if (!i) first = output;
        assert_int_equal(output.text.length, 10 * 64 * 10 + 30 * 64 * 11);
        assert_string_equal(output.text.all, first.text.all);
        bench_free(bench);
    }
}

// In a functional launch the SMs print one after the other, each with three blocks or fewer.
static void test_functional_order(void **state)
{
    (void)state;
    enum { SMS = 15, BLOCKS = 40 };
    static BenchText expected;
    expected.length = 0;
    for (unsigned sm = 0; sm < SMS; sm++)
        for (unsigned block = sm; block < BLOCKS; block += SMS)
            for (unsigned t = 0; t < 64; t++) {
                char line[32];
                int length = snprintf(line, sizeof line, "b%u t%2u hi\n", block, t);
                bench_put(&expected, line, (size_t)length);
            }
    for (unsigned i = 0; i < 4; i++) {
        Bench *bench = bench_printing(prints, (GpuOptions){.functional = true, .threads = 1 + i % 3,
                                                           .shuffle = i});
        uint64_t out = bench_array(bench, "out", NULL, BLOCKS * 64 * 8);
        bench_run(bench, &(BenchLaunch){"kernel", .grid = {BLOCKS}, .block = {64}, .args = {out}});
        assert_string_equal(output.text.all, expected.all);
        bench_free(bench);
    }
}

static void count_text(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
}

// In a functional launch a warp prints once in a round, so that what an SM keeps stays small: here
// all text has 19 MiB, and 8 MiB would be a fault.
static void test_much_text(void **state)
{
    (void)state;
    enum { THREADS = 1024, TIMES = 64 };
    static const char kernel[] =
        DECLARE
        ".global .align 1 .b8 format[7] = {37, 51, 48, 48, 100, 10};\n" // %300d
        ".visible .entry kernel(.param .u64 out)\n"
        "{\n"
        REGISTERS
        "    mov.u64 %rd7, format;\n"
        "    cvta.global.u64 %rd7, %rd7;\n"
        "    mov.u32 %r6, 0;\n"
        "LOOP:\n"
        "    {\n"
        "        .param .b64 f;\n"
        "        .param .b64 g;\n"
        "        .param .b32 n;\n"
        "        st.param.b64 [f], %rd7;\n"
        "        st.param.b64 [g], %rd3;\n"
        "        call.uni (n), vprintf, (f, g);\n"
        "        ld.param.b32 %r5, [n];\n"
        "    }\n"
        "    add.u32 %r6, %r6, 1;\n"
        "    setp.lt.u32 %p1, %r6, 64;\n"
        "    @%p1 bra LOOP;\n"
        "    ret;\n"
        "}\n";
    size_t length = 0;
    GpuOptions options = {.functional = true, .print = count_text, .print_context = &length};
    Bench *bench = bench_new("fermi-gtx480", NULL, &options, kernel);
    uint64_t out = bench_array(bench, "out", NULL, THREADS * 8);
    bench_run(bench, &(BenchLaunch){"kernel", .block = {THREADS}, .args = {out}});
    assert_int_equal(length, THREADS * TIMES * 301);
    bench_free(bench);
}

static const char asserts[] =
    DECLARE
    ".global .align 1 .b8 what[6] = {120, 32, 60, 32, 51, 0};\n"
    ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n"
    ".global .align 1 .b8 name[4] = {102, 40, 41, 0};\n"
    ".visible .entry kernel(.param .u64 out)\n"
    "{\n"
    REGISTERS
    "    setp.lt.u32 %p1, %r1, 30;\n"
    "    @%p1 bra DONE;\n"
    "    mov.u64 %rd4, what;\n"
    "    mov.u64 %rd5, file;\n"
    "    mov.u64 %rd6, name;\n"
    "    {\n"
    "        .param .b64 a;\n"
    "        .param .b64 b;\n"
    "        .param .b32 c;\n"
    "        .param .b64 d;\n"
    "        .param .b64 e;\n"
    "        st.param.b64 [a], %rd4;\n"
    "        st.param.b64 [b], %rd5;\n"
    "        st.param.b32 [c], 17;\n"
    "        st.param.b64 [d], %rd6;\n"
    "        st.param.b64 [e], 1;\n"
    "        call.uni __assertfail, (a, b, c, d, e);\n"
    "    }\n"
    "DONE:\n"
    "    ret;\n"
    "}\n";

static void test_assert(void **state)
{
    (void)state;
    Bench *bench = bench_printing(asserts, (GpuOptions){0});
    uint64_t out = bench_array(bench, "out", NULL, 64 * 8);
    const char *text = bench_fail(bench, &(BenchLaunch){"kernel", .block = {32}, .args = {out}});
    assert_string_equal(output.error.all, SAYS("30") SAYS("31"));
    assert_int_equal(output.text.length, 0);
    assert_contains(text, "thread (30,0,0): an assertion failed: a.cu:17: f(): block: [0,0,0]");
    assert_int_equal(gpu_fault(bench->gpu), GPU_FAULT_ASSERT);
    bench_free(bench);
}

static void test_bad_format(void **state)
{
    (void)state;
    Bench *bench = bench_printing(
        DECLARE
        ".visible .entry kernel(.param .u64 out)\n"
        "{\n"
        REGISTERS
        "    {\n"
        "        .param .b64 f;\n"
        "        .param .b64 g;\n"
        "        .param .b32 n;\n"
        "        st.param.b64 [f], 64;\n"
        "        st.param.b64 [g], 0;\n"
        "        call.uni (n), vprintf, (f, g);\n"
        "    }\n"
        "    ret;\n"
        "}\n",
        (GpuOptions){0});
    uint64_t out = bench_array(bench, "out", NULL, 64 * 8);
    const char *text = bench_fail(bench, &(BenchLaunch){"kernel", .block = {32}, .args = {out}});
    assert_contains(text, "a text or an argument to print is at 0x40;");
    uint64_t address;
    assert_true(gpu_fault_address(bench->gpu, &address));
    assert_int_equal(address, 64);
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print),     cmocka_unit_test(test_print_takes_time),
        cmocka_unit_test(test_order), cmocka_unit_test(test_functional_order),
        cmocka_unit_test(test_much_text), cmocka_unit_test(test_heap),
        cmocka_unit_test(test_full_heap), cmocka_unit_test(test_free_twice),
        cmocka_unit_test(test_assert),    cmocka_unit_test(test_bad_format),
    };
    return cmocka_run_group_tests_name("system", tests, NULL, NULL);
}
