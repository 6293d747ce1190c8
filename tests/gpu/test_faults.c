// Faults of a kernel and their messages: kernel, PTX line, source line, block, thread, cause, and
// instruction.
#include "support/bench.h"

#include <sys/resource.h>
#include <unistd.h>

// The text that follows BEGIN starts in line 11.
#define BEGIN                                                                                      \
    PTX_HEAD                                                                                       \
    ".visible .entry _Z6kernelPi(.param .u64 out)\n"                                               \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<20>;\n"                                                                      \
    "    .reg .b64 %rd<9>;\n"                                                                      \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    mul.wide.u32 %rd2, %r1, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"
#define END "ret;\n}\n"

static Bench *bench;
static uint64_t out;

// Runs the body on an array of 1024 bytes, which must fail. Returns the message.
static const char *failure_of(unsigned threads, const char *ptx, const GpuOptions *options)
{
    bench = bench_new("fermi-gtx480", NULL, options, ptx);
    out = bench_array(bench, "levels", NULL, 1024);
    return bench_fail(bench,
                      &(BenchLaunch){"kernel", .grid = {3}, .block = {threads}, .args = {out}});
}

static const char *failure(const char *ptx, const GpuOptions *options)
{
    return failure_of(64, ptx, options);
}

// With one warp per block, so that the first fault is known.
static const char *failure_of_one_warp(const char *ptx)
{
    return failure_of(32, ptx, NULL);
}

static void done(void)
{
    bench_free(bench);
}

static void expect_kind(GpuFault kind)
{
    assert_int_equal(gpu_fault(bench->gpu), kind);
}

static void expect_address(uint64_t wanted)
{
    uint64_t address;
    assert_true(gpu_fault_address(bench->gpu, &address));
    assert_int_equal(address, wanted);
}

static void test_store_out_of_bounds(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "    setp.ne.u32 %p1, %r1, 37;\n"
        "    @%p1 bra DONE;\n"
        "    st.global.u32 [%rd3+2000], %r1;\n"
        "DONE:\n"
        END,
        NULL);
    assert_contains(text, "test.ptx:13: kernel, block (");
    assert_contains(text, "thread (37,0,0): access of 4 bytes at 0x");
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)(out + 37 * 4 + 2000));
    assert_contains(text, address);
    assert_contains(text, "outside every allocation");
    assert_contains(text, "\"levels\"");
    assert_contains(text, "st.global.u32 [%rd3+2000], %r1");
    expect_kind(GPU_FAULT_ADDRESS);
    expect_address(out + 37 * 4 + 2000);
    done();
}

static void test_load_out_of_bounds(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "    mov.u64 %rd4, 0;\n"
        "    ld.global.u32 %r2, [%rd4];\n"
        END, NULL);
    assert_contains(text, "test.ptx:12: kernel");
    assert_contains(text, "access of 4 bytes at 0x0, outside every allocation");
    expect_kind(GPU_FAULT_ADDRESS);
    expect_address(0);
    done();
}

// The first vector ends at the last element of the array, the second begins after it.
static void test_vector_over_the_end(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "    ld.global.v2.u32 {%r2,%r3}, [%rd1+1016];\n"
        "    ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1+1024];\n"
        END,
        NULL);
    assert_contains(text, "test.ptx:12: kernel");
    assert_contains(text, "access of 16 bytes");
    done();
}

static void test_atomic_out_of_bounds(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "    atom.global.add.u32 %r2, [%rd1+1024], 1;\n"
        END, NULL);
    assert_contains(text, "test.ptx:11: kernel");
    assert_contains(bench->err.text, "outside every allocation");
    done();
}

static void test_released_array(void **state)
{
    (void)state;
    bench = bench_new("fermi-gtx480", NULL, NULL,
        BEGIN
        "    st.global.u32 [%rd3], %r1;\n"
        END);
    out = bench_array(bench, "gone", NULL, 1024);
    assert_true(gpu_release(bench->gpu, out, &bench->err));
    assert_contains(bench_fail(bench, &(BenchLaunch){"kernel", .block = {64}, .args = {out}}),
                    "outside every allocation");
    expect_kind(GPU_FAULT_ADDRESS);
    done();
}

static void test_misaligned(void **state)
{
    (void)state;
    const char *text = failure_of_one_warp(
        BEGIN
        "    add.u64 %rd3, %rd3, 2;\n"
        "    st.global.u32 [%rd3], %r1;\n"
        END);
    assert_contains(text, "test.ptx:12: kernel");
    assert_contains(text, "thread (0,0,0)");
    assert_contains(text, "access of 4 bytes at 0x");
    assert_contains(text, "is not aligned");
    expect_kind(GPU_FAULT_MISALIGNED);
    expect_address(out + 2);
    done();
    text = failure_of_one_warp(
        BEGIN
        "    ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1+8];\n"
        END);
    assert_contains(text, "access of 16 bytes");
    assert_contains(text, "is not aligned");
    done();
}

static void test_shared_out_of_bounds(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "    .shared .align 4 .b8 s[256];\n"
        "    mov.u32 %r2, s;\n"
        "    mad.lo.u32 %r2, %r1, 8, %r2;\n"
        "    st.shared.u32 [%r2], %r1;\n"
        END,
        NULL);
    assert_contains(text, "test.ptx:14: kernel");
    assert_contains(text, "thread (32,0,0)");
    assert_contains(text, "offset 0x100 of shared memory is outside it");
    expect_kind(GPU_FAULT_ADDRESS);
    uint64_t address;
    assert_false(gpu_fault_address(bench->gpu, &address)); // of shared memory
    done();
}

static void test_local_out_of_bounds(void **state)
{
    (void)state;
    const char *text = failure_of_one_warp(
        BEGIN
        "    .local .align 4 .b8 depot[64];\n"
        "    mov.u64 %rd4, depot;\n"
        "    add.u64 %rd4, %rd4, %rd2;\n"
        "    st.local.u32 [%rd4], %r1;\n"
        END);
    assert_contains(text, "test.ptx:14: kernel");
    assert_contains(text, "thread (16,0,0)");
    assert_contains(text, "of local memory");
    done();
}

static void test_constant_out_of_bounds(void **state)
{
    (void)state;
    const char *text = failure_of_one_warp(
        PTX_HEAD
        ".const .align 4 .b32 table[4] = {1, 2, 3, 4};\n"
        ".visible .entry kernel(.param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u64 %rd1, table;\n"
        "    mul.wide.u32 %rd2, %r1, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    ld.const.u32 %r2, [%rd3];\n"
        "    ret;\n"
        "}\n");
    assert_contains(text, "test.ptx:11: kernel");
    assert_contains(text, "thread (4,0,0)");
    assert_contains(text, "of constant memory");
    done();
}

static void test_trap(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "    setp.eq.u32 %p1, %r1, 50;\n"
        "    @%p1 trap;\n"
        END, NULL);
    assert_contains(text, "test.ptx:12: kernel");
    assert_contains(text, "thread (50,0,0): the kernel executed trap");
    expect_kind(GPU_FAULT_TRAP);
    done();
}

static void test_endless_loop(void **state)
{
    (void)state;
    const char *text = failure(
        BEGIN
        "LOOP:\n"
        "    add.u32 %r2, %r2, 1;\n"
        "    bra.uni LOOP;\n"
        END,
        &(GpuOptions){.max_cycles = 5000});
    assert_contains(text, "has not ended after 5000 cycles");
    assert_contains(text, "0 of 3 blocks are done");
    assert_contains(text, "block (0,0,0), warp 0");
    expect_kind(GPU_FAULT_STOPPED);
    done();
}

// A limit above what the kernel needs changes nothing.
static void test_limit_not_reached(void **state)
{
    (void)state;
    bench = bench_new("fermi-gtx480", NULL, &(GpuOptions){.max_cycles = 100000},
        BEGIN
        "    st.global.u32 [%rd3], %r1;\n"
        END);
    out = bench_array(bench, "levels", NULL, 1024);
    bench_run(bench, &(BenchLaunch){"kernel", .block = {64}, .args = {out}});
    assert_int_equal(bench_word(bench, out, 63), 63);
    expect_kind(GPU_FAULT_NONE);
    done();
}

// The message names the line of the source file, if there is one.
static void test_source_line(void **state)
{
    (void)state;
    const char *text = failure(
        PTX_HEAD
        ".visible .entry kernel(.param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<9>;\n"
        "    .loc 1 42 7\n"
        "    trap;\n"
        "    ret;\n"
        "}\n"
        ".file 1 \"walk.cu\"\n",
        NULL);
    assert_contains(text, "test.ptx:6: kernel (walk.cu:42), block (");
    done();
}

// After a failure the GPU reports it, and does not run on from a broken state.
static void test_after_a_failure(void **state)
{
    (void)state;
    failure(BEGIN "trap;\n" END, NULL);
    assert_contains(bench_fail(bench, &(BenchLaunch){"kernel", .block = {64}, .args = {out}}),
                    "an earlier launch failed");
    expect_kind(GPU_FAULT_TRAP); // the kind of the first failure
    done();
}

// ---- invalid launches ----

static void expect_refusal(BenchLaunch launch, const char *part)
{
    launch.kernel = "kernel";
    launch.args[0] = out;
    assert_contains(bench_fail(bench, &launch), part);
}

static void test_impossible_launches(void **state)
{
    (void)state;
    bench = bench_new("fermi-gtx480", NULL, &(GpuOptions){.max_memory = UINT64_C(4) << 30},
        PTX_HEAD
        ".visible .entry kernel(.param .u64 out)\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".visible .entry fixed() .reqntid 32, 2\n"
        "{\n"
        "    ret;\n"
        "}\n"
        ".visible .entry local()\n"
        "{\n"
        "    .local .b8 big[524288];\n"
        "    st.local.u8 [big], 1;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry params()\n"
        "{\n"
        "    .local .b8 v[16];\n"
        "    .param .b8 big[32768]; .param .b8 large[32768]; .param .b8 more[32768];\n"
        "    st.local.u8 [v], 1; st.param.b8 [big], 1;\n"
        "    ret;\n"
        "}\n");
    out = bench_array(bench, "levels", NULL, 1024);
    expect_refusal((BenchLaunch){.block = {1025}}, "1025 threads per block: expected at most 1024");
    expect_refusal((BenchLaunch){.block = {64, 17}}, "1088 threads per block");
    expect_refusal((BenchLaunch){.block = {1u << 31, 1u << 31, 4}}, "threads per block"); // 2^64
    expect_refusal((BenchLaunch){.grid = {1u << 31, 1u << 31, 4}}, "has 2^64 blocks or more");
    expect_refusal((BenchLaunch){.grid = {1, 65536}}, "a grid of (1,65536,1) blocks");
    expect_refusal((BenchLaunch){.grid = {1u << 31}}, "expected at most (2147483647,65535,65535)");
    expect_refusal((BenchLaunch){.block = {1, 1, 65}}, "65 threads in z: expected at most 64");
    expect_kind(GPU_FAULT_CONFIGURATION);
    expect_refusal((BenchLaunch){.shared = 64 << 10}, " bytes of shared memory, the SM has 49152");
    expect_kind(GPU_FAULT_RESOURCES);
    assert_contains(bench_fail(bench, &(BenchLaunch){"fixed", .block = {64}}),
                    ".reqntid requires blocks of (32,2,1)");
    bench_run(bench, &(BenchLaunch){"fixed", .block = {32, 2}});
    // 15 SMs of 8 blocks; a smaller grid fits.
    assert_string_equal(
        bench_fail(bench, &(BenchLaunch){"local", .grid = {1000}, .block = {32}}),
        "local: 524288 bytes of local memory for each of 3840 threads at the same time: expected "
        "at most 1610612736 bytes in all (memory.capacity)");
    assert_string_equal(
        bench_fail(bench, &(BenchLaunch){"params", .grid = {1000}, .block = {192}}),
        "params: 16 bytes of local memory, and 98304 of spilled registers and of functions' "
        "parameters, for each of 23040 threads at the same time: expected at most 1610612736 "
        "bytes in all (memory.capacity)");
    expect_kind(GPU_FAULT_RESOURCES);
    bench_run(bench, &(BenchLaunch){"local", .grid = {96}, .block = {32}});
    bench_run(bench, &(BenchLaunch){"kernel", .args = {out}}); // a rejected launch is no fault
    done();
}

// If one function of a module is unusable, the other kernels of the module still run.
static void test_unusable_kernel(void **state)
{
    (void)state;
    bench = bench_new("fermi-gtx480", NULL, NULL, NULL);
    bench->module = ptx_parse_with(
        PTX_HEAD
        ".extern .func cudaLaunchDeviceV2();\n"
        ".func child()\n"
        "{\n"
        "    call cudaLaunchDeviceV2;\n"
        "}\n"
        ".visible .entry parent()\n"
        "{\n"
        "    call child;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry wrong()\n"
        "{\n"
        "    .reg .f64 %d<2>;\n"
        "    sin.approx.f64 %d1, %d1;\n"
        "    ret;\n"
        "}\n"
        ".visible .entry kernel(.param .u64 out)\n"
        "{\n"
        "    .reg .b64 %rd<2>;\n"
        "    ld.param.u64 %rd1, [out];\n"
        "    st.global.u32 [%rd1], 7;\n"
        "    ret;\n"
        "}\n",
        "test.ptx", (PtxOptions){.lenient = true}, &bench->err);
    assert_true(bench->module && gpu_load(bench->gpu, bench->module, &bench->err));
    out = bench_array(bench, "levels", NULL, 1024);
    assert_contains(
        bench_fail(bench, &(BenchLaunch){.kernel = "parent"}),
        "parent cannot run: test.ptx:5:10: function 'cudaLaunchDeviceV2' is not defined");
    assert_contains(bench->err.text, "from the host");
    expect_kind(GPU_FAULT_UNSUPPORTED);
    assert_contains(bench_fail(bench, &(BenchLaunch){.kernel = "wrong"}),
                    "wrong cannot run: test.ptx:15");
    bench_run(bench, &(BenchLaunch){"kernel", .args = {out}});
    assert_int_equal(bench_word(bench, out, 0), 7);
    done();
}

static void test_registers_option(void **state)
{
    (void)state;
    const char *ptx =
        PTX_HEAD
        ".visible .entry kernel()\n"
        "{\n"
        "    ret;\n"
        "}\n";
    bench = bench_new(
        "fermi-gtx480", NULL,
        &(GpuOptions){.registers = (const char *const[]){"kernel=63", "other=1", NULL}}, ptx);
    const LaunchResult *r = bench_run(bench, &(BenchLaunch){"kernel", .block = {128}});
    assert_int_equal(r->registers, 63);
    assert_int_equal(r->blocks_per_sm, 4); // 32768 / (128 * 63 = 8064)
    assert_string_equal(r->limit, "registers");
    done();
    bench = bench_new("fermi-gtx480", NULL,
                      &(GpuOptions){.registers = (const char *const[]){"kernel=x", NULL}}, ptx);
    assert_contains(bench_fail(bench, &(BenchLaunch){"kernel", .block = {128}}),
                    "--registers kernel=x: expected KERNEL=NUMBER");
    done();
}

// Blocks on several SMs fault in the same quantum, those of higher numbers earlier. The earliest
// fault is reported, in whatever order the SMs run.
static void test_several_in_one_quantum(void **state)
{
    (void)state;
    static const char kernel[] =
        BEGIN
        "    mov.u32 %r2, %ctaid.x;\n"
        "    sub.u32 %r3, 3, %r2;\n"
        "    mov.u32 %r4, 0;\n"
        "LOOP:\n"
        "    setp.ge.u32 %p1, %r4, %r3;\n"
        "    add.u32 %r4, %r4, 1;\n"
        "    @!%p1 bra LOOP;\n"
        "    st.global.u32 [%rd3+5000], %r1;\n"
        END;
    for (unsigned i = 0; i < 8; i++) {
        const char *text = failure(kernel, &(GpuOptions){.threads = 1 + i % 4, .shuffle = i});
        assert_contains(text, "block (2,0,0), thread (");
        done();
    }
}

// Address space in use, in bytes.
static rlim_t space_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

// A launch for which the host has no memory is over; the next one runs.
static void test_no_memory_for_a_launch(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD
        ".visible .entry large() { .local .b8 depot[524288]; ret; }\n"
        ".visible .entry small() { ret; }\n";
    struct rlimit old, limit;
    bench = bench_new("fermi-gtx480", NULL, NULL, ptx);
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    limit = (struct rlimit){space_in_use() + (64 << 20), old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    const char *text = bench_fail(bench, &(BenchLaunch){.kernel = "large", .block = {512}});
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_string_equal(text, "out of memory while placing warps");
    bench_run(bench, &(BenchLaunch){.kernel = "small"});
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_out_of_bounds),
        cmocka_unit_test(test_load_out_of_bounds),
        cmocka_unit_test(test_vector_over_the_end),
        cmocka_unit_test(test_atomic_out_of_bounds),
        cmocka_unit_test(test_released_array),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_shared_out_of_bounds),
        cmocka_unit_test(test_local_out_of_bounds),
        cmocka_unit_test(test_constant_out_of_bounds),
        cmocka_unit_test(test_trap),
        cmocka_unit_test(test_endless_loop),
        cmocka_unit_test(test_limit_not_reached),
        cmocka_unit_test(test_source_line),
        cmocka_unit_test(test_after_a_failure),
        cmocka_unit_test(test_impossible_launches),
        cmocka_unit_test(test_unusable_kernel),
        cmocka_unit_test(test_registers_option),
        cmocka_unit_test(test_several_in_one_quantum),
        cmocka_unit_test(test_no_memory_for_a_launch),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
