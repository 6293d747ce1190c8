// The host's memory for the guest is limited (GpuOptions.max_memory): what kernels and copies write
// counts by pages of 2 MiB, reading does not, and a released page counts no more. Beyond the limit
// the fault is the same in every runner and on any number of host threads.
#include "support/bench.h"

enum { MIB = 1 << 20, PAGE = 2 * MIB, PAGES = 8 };

// Thread t of block b accesses byte (b * threads + t) * 2 MiB of `out`.
#define EACH(instruction)                                                                          \
    PTX_HEAD                                                                                       \
    ".visible .entry k(.param .u64 out)\n"                                                         \
    "{\n"                                                                                          \
    "    .reg .b32 %r<5>; .reg .b64 %rd<5>;\n"                                                     \
    "    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"                      \
    "    mad.lo.u32 %r1, %r2, %r3, %r1;\n"                                                         \
    "    ld.param.u64 %rd1, [out]; mad.wide.u32 %rd1, %r1, 2097152, %rd1;\n"                       \
    "    " instruction ";\n"                                                                       \
    "    ret;\n"                                                                                   \
    "}\n"
#define WRITTEN "the written pages of device memory need "
#define REFUSED(place, bytes, address, need, limit)                                                \
    "test.ptx:8: k, " place ": access of " bytes " bytes at " address ", the first write to its "  \
    "page: " WRITTEN need " of memory: expected at most " limit " in all (--max-memory)\n    "

typedef struct Runner {
    const char *const settings[3];
    GpuOptions options;
} Runner;

static const Runner runners[] = {
    {.options = {0}},
    {.options = {.threads = 3, .shuffle = 5}},
    {.options = {.functional = true}},
    {.settings = {"core.divergence=its"}},
    {.settings = {"gpu.sms=1"}, .options = {.no_skip = true}},
};

// Runs 8 threads that access a page each, with room for `pages` pages. message NULL: they fit.
static void run_each(const char *ptx, unsigned pages, unsigned blocks, const char *message)
{
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        GpuOptions options = runners[i].options;
        options.max_memory = (uint64_t)pages * PAGE;
        Bench *b = bench_new("fermi-gtx480", runners[i].settings, &options, ptx);
        uint64_t out = bench_array(b, "out", NULL, (uint64_t)PAGES * PAGE);
        BenchLaunch launch = {"k", .grid = {blocks}, .block = {PAGES / blocks}, .args = {out}};
        if (message) {
            assert_string_equal(bench_fail(b, &launch), message);
            assert_int_equal(gpu_fault(b->gpu), GPU_FAULT_MEMORY);
        } else {
            bench_run(b, &launch);
        }
        assert_true(gpu_memory(b->gpu)->budget.used <= options.max_memory);
        bench_free(b);
    }
}

static void test_writes(void **state)
{
    (void)state;
    static const char store[] = EACH("st.global.u8 [%rd1], 1"),
                      wide[] = EACH("st.global.v2.u64 [%rd1+16], {%rd1, %rd1}"),
                      add[] = EACH("red.global.add.u32 [%rd1], 1"),
                      exchange[] = EACH("atom.exch.b64 %rd2, [%rd1+8], %rd1");
    run_each(store, PAGES, 1, NULL);
    run_each(store, 4, 1,
             REFUSED("block (0,0,0), thread (4,0,0)", "1", "0x100800000", "10.0 MiB", "8.0 MiB")
             "st.global.u8 [%rd1], 1");
    run_each(store, 7, 2,
             REFUSED("block (1,0,0), thread (3,0,0)", "1", "0x100e00000", "16.0 MiB", "14.0 MiB")
             "st.global.u8 [%rd1], 1");
    run_each(wide, 1, 1,
             REFUSED("block (0,0,0), thread (1,0,0)", "16", "0x100200010", "4.0 MiB", "2.0 MiB")
             "st.global.v2.u64 [%rd1+16], {%rd1, %rd1}");
    run_each(add, PAGES, 4, NULL);
    run_each(add, 6, 1,
             REFUSED("block (0,0,0), thread (6,0,0)", "4", "0x100c00000", "14.0 MiB", "12.0 MiB")
             "red.global.add.u32 [%rd1], 1");
    run_each(exchange, 2, 1,
             REFUSED("block (0,0,0), thread (2,0,0)", "8", "0x100400008", "6.0 MiB", "4.0 MiB")
             "atom.exch.b64 %rd2, [%rd1+8], %rd1");
}

// Pages that are only read are the host's page of zeros.
static void test_reads(void **state)
{
    (void)state;
    run_each(EACH("ld.global.u32 %r4, [%rd1]"), 1, 1, NULL);
}

static void expect_refusal(Bench *b, bool ok, const char *message)
{
    assert_false(ok);
    assert_string_equal(b->err.text, message);
}

// What copies and fills write counts as well, and what is released does not.
static void test_host(void **state)
{
    (void)state;
    static uint8_t bytes[3 * PAGE];
    static const GpuOptions options = {.max_memory = 3 * PAGE};
    static const char four[] =
        WRITTEN "8.0 MiB of memory: expected at most 6.0 MiB in all (--max-memory)";
    for (int granules = 0; granules < 2; granules++) {
        GpuOptions with = options;
        with.granules = granules;
        Bench *b = bench_new("fermi-gtx480", NULL, &with, NULL);
        for (int i = 0; i < 5; i++) {
            uint64_t a = bench_array(b, "a", NULL, 4 * PAGE);
            assert_int_equal(gpu_memory(b->gpu)->budget.used, 0);
            assert_true(gpu_write(b->gpu, a + PAGE - 1, bytes, 2, &b->err));
            assert_true(gpu_fill(b->gpu, a + 2 * PAGE, 0, 1, &b->err));
            expect_refusal(b, gpu_fill(b->gpu, a + 2 * PAGE, 7, PAGE + 1, &b->err), four);
            expect_refusal(b, gpu_write(b->gpu, a + PAGE, bytes, 2 * PAGE + 1, &b->err), four);
            expect_refusal(b, gpu_copy(b->gpu, a + 3 * PAGE, a, 1, &b->err), four);
            assert_true(gpu_copy(b->gpu, a, a + 3 * PAGE, PAGE, &b->err)); // reads the fourth
            assert_true(gpu_release(b->gpu, a, &b->err));
        }
        bench_free(b);
    }
}

// Local memory of all threads that run at the same time, and what the SMs hold from the launches
// before, unless it is too much. 2 blocks of 128 threads with 16 KiB: 4 MiB.
static void test_local(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .local .b8 v[16384];\n"
        "    st.local.u8 [v], 1;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry s()\n"
        "{\n"
        "    .reg .b64 %rd<3>;\n"
        "    mov.u64 %rd1, 64;\n"
        "    alloca.u64 %rd2, %rd1, 16;\n"
        "    st.local.u8 [%rd2], 1;\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", NULL, &(GpuOptions){.max_memory = 4 * MIB}, ptx);
    for (int i = 0; i < 3; i++) bench_run(b, &(BenchLaunch){"k", .grid = {2}, .block = {128}});
    assert_string_equal(
        bench_fail(b, &(BenchLaunch){"k", .grid = {3}, .block = {128}}),
        "k: local memory and frames of 384 threads need 6.0 MiB of memory: expected at most 4.0 "
        "MiB in all (--max-memory)");
    bench_run(b, &(BenchLaunch){"s", .grid = {1}, .block = {32}});
    assert_string_equal(
        bench_fail(b, &(BenchLaunch){"s", .grid = {2}, .block = {32}}),
        "s: local memory and frames of 64 threads need 4.1 MiB of memory: expected at most 4.0 MiB "
        "in all (--max-memory)");
    bench_free(b);
    // A block on the next one of 3 SMs each time, with room for 2 blocks, or for 4.
    static const char *const settings[] = {"gpu.sms=3", "launch.round_robin=continue", NULL};
    static const unsigned used[2][5] = {{2, 4, 2, 4, 2}, {2, 4, 6, 6, 6}};
    for (unsigned i = 0; i < 2; i++) {
        GpuOptions options = {.max_memory = (4 + 4 * i) * (uint64_t)MIB};
        b = bench_new("fermi-gtx480", settings, &options, ptx);
        for (unsigned k = 0; k < 5; k++) {
            bench_run(b, &(BenchLaunch){"k", .block = {128}});
            assert_int_equal(gpu_memory(b->gpu)->budget.used, used[i][k] * MIB);
        }
        bench_free(b);
    }
}

// A recursion counts as it goes deeper, and no more after it.
static void test_recursion(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".func f(.param .b32 n)\n"
        "{\n"
        "    .reg .b32 %r<3>; .reg .pred %p;\n"
        "    .local .b8 v[1000];\n"
        "    .param .b32 m;\n"
        "    ld.param.u32 %r1, [n]; setp.eq.u32 %p, %r1, 0;\n"
        "    @%p ret;\n"
        "    sub.u32 %r1, %r1, 1; st.param.b32 [m], %r1;\n"
        "    call f, (m);\n"
        "    ret;\n"
        "}\n"
        ".visible .entry k(.param .u32 n)\n"
        "{\n"
        "    .reg .b32 %r<3>; .param .b32 m;\n"
        "    ld.param.u32 %r1, [n]; st.param.b32 [m], %r1;\n"
        "    call f, (m);\n"
        "    ret;\n"
        "}\n";
    for (int functional = 0; functional < 2; functional++) {
        GpuOptions options = {.functional = functional, .max_memory = 2 * MIB};
        Bench *b = bench_new("fermi-gtx480", (const char *const[]){"gpu.sms=1", NULL}, &options,
                             ptx);
        // A level takes 32,900 bytes (1,000 of local memory and 8 of parameters for each of 32
        // threads, 5 registers, a predicate), the kernel 640 (4 registers, a parameter).
        for (int i = 0; i < 3; i++)
            bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {50}});
        assert_string_equal(
            bench_fail(b, &(BenchLaunch){"k", .block = {32}, .args = {70}}),
            "test.ptx:10: f, block (0,0,0), thread (0,0,0): the calls of all threads on SM 0 take "
            "2106240 bytes: expected at most 2097152, its part of the memory that this host has "
            "left, or that --max-memory allows; is the recursion unbounded?\n    call f, (m)");
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes), cmocka_unit_test(test_reads), cmocka_unit_test(test_host),
        cmocka_unit_test(test_local),  cmocka_unit_test(test_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
