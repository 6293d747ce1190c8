// State spaces and shapes: local memory, constants, module variables, dynamic shared memory,
// generic addresses, grids of two and three dimensions.
#include "support/bench.h"

static LaunchResult record; // of the last run; plain counters only
static const char *const *machine_settings;

// Runs kernel k on an array `out` of `count` words and reads it.
static void run(const char *ptx, BenchLaunch launch, uint32_t *words, size_t count)
{
    Bench *b = bench_new("fermi-gtx480", machine_settings, NULL, ptx);
    launch.kernel = "k";
    launch.args[0] = bench_array(b, "out", NULL, count * 4);
    record = *bench_run(b, &launch);
    bench_read(b, words, launch.args[0], count * 4);
    bench_free(b);
}

#define BEGIN                                                                                      \
    ".visible .entry k(.param .u64 out)\n"                                                         \
    "{\n"                                                                                          \
    "    .reg .pred %p<9>;\n"                                                                      \
    "    .reg .b32 %r<30>;\n"                                                                      \
    "    .reg .b64 %rd<20>;\n"                                                                     \
    "    mov.u32 %r2, %ctaid.x;\n"                                                                 \
    "    mov.u32 %r3, %ntid.x;\n"                                                                  \
    "    mov.u32 %r4, %tid.x;\n"                                                                   \
    "    mad.lo.u32 %r1, %r2, %r3, %r4;\n"                                                         \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    mul.wide.u32 %rd2, %r1, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd2;\n"
#define END                                                                                        \
    "    st.global.u32 [%rd3], %r9;\n"                                                             \
    "    ret;\n"                                                                                   \
    "}\n"

// An array of 8 words per thread, filled, and read at an index that depends on the thread.
#define LOCAL_ARRAY                                                                                \
    PTX_HEAD BEGIN                                                                                 \
    "    .local .align 8 .b8 depot[32];\n"                                                         \
    "    mov.u64 %rd4, depot;\n"                                                                   \
    "    mov.u32 %r5, 0;\n"                                                                        \
    "FILL:\n"                                                                                      \
    "    mul.wide.u32 %rd5, %r5, 4;\n"                                                             \
    "    add.u64 %rd6, %rd4, %rd5;\n"                                                              \
    "    mad.lo.u32 %r6, %r1, 100, %r5;\n"                                                         \
    "    st.local.u32 [%rd6], %r6;\n"                                                              \
    "    add.u32 %r5, %r5, 1;\n"                                                                   \
    "    setp.lt.u32 %p1, %r5, 8;\n"                                                               \
    "    @%p1 bra FILL;\n"                                                                         \
    "    and.b32 %r7, %r1, 7;\n"                                                                   \
    "    mul.wide.u32 %rd7, %r7, 4;\n"                                                             \
    "    add.u64 %rd8, %rd4, %rd7;\n"                                                              \
    "    ld.local.u32 %r9, [%rd8];\n"                                                              \
    END

static void test_local_array(void **state)
{
    (void)state;
    static uint32_t out[2048];
    run(LOCAL_ARRAY, (BenchLaunch){.grid = {8}, .block = {256}}, out, 2048);
    for (unsigned t = 0; t < 2048; t++) assert_int_equal(out[t], t * 100 + t % 8);
    // Interleaved by thread, the lanes of a warp share a line at each of the 8 stores; the loads of
    // 8 different words touch 8.
    assert_int_equal(record.sm.requests[1], 64 * 8 + 64); // with the final global store
    assert_int_equal(record.sm.requests[8], 64);
}

// The same with an L1 that is too small: dirty lines are written back to the L2 and fetched again.
static void test_local_array_in_small_l1(void **state)
{
    (void)state;
    static const char *const misses[] = {"l1d.write_miss=lazy", "l1d.write_miss=fetch",
                                         "l1d.write_miss=around",
                                         "l1d.write_miss=fetch-and-forward"};
    static uint32_t out[2048];
    for (unsigned i = 0; i < 4; i++) {
        machine_settings = (const char *const[]){"l1d.size=1KiB", "l1d.ways=2", "l1d.index=linear",
                                                 "gpu.sms=1",     misses[i],    NULL};
        run(LOCAL_ARRAY, (BenchLaunch){.grid = {8}, .block = {256}}, out, 2048);
        for (unsigned t = 0; t < 2048; t++) assert_int_equal(out[t], t * 100 + t % 8);
        // A store that misses is forwarded by the last two, and no store here hits its line.
        assert_int_equal(record.sm.l1d.writebacks > 0, i < 2);
    }
    machine_settings = NULL;
}

// Elements of 1, 2, 8 and 16 bytes in local memory.
static void test_local_element_sizes(void **state)
{
    (void)state;
    uint32_t out[64];
    run(
        PTX_HEAD BEGIN
        "    .local .align 16 .b8 depot[64];\n"
        "    mov.u64 %rd4, depot;\n"
        "    mov.u32 %r5, 1;\n"
        "    mov.u32 %r6, 2;\n"
        "    mov.u32 %r7, 3;\n"
        "    st.local.v4.u32 [%rd4], {%r5,%r6,%r7,%r1};\n"
        "    cvt.u64.u32 %rd5, %r1;\n"
        "    shl.b64 %rd5, %rd5, 33;\n"
        "    st.local.u64 [%rd4+16], %rd5;\n"
        "    st.local.u8 [%rd4+5], %r1;\n"
        "    st.local.u16 [%rd4+24], %r1;\n"
        "    ld.local.v2.u32 {%r10,%r11}, [%rd4+8];\n"
        "    ld.local.u32 %r12, [%rd4+20];\n"
        "    ld.local.u16 %r13, [%rd4+24];\n"
        "    ld.local.u8 %r14, [%rd4+5];\n"
        "    add.u32 %r9, %r10, %r11;\n"
        "    add.u32 %r9, %r9, %r12;\n"
        "    add.u32 %r9, %r9, %r13;\n"
        "    add.u32 %r9, %r9, %r14;\n"
        END,
        (BenchLaunch){.block = {64}}, out, 64);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(out[t], 3 + t + 2 * t + t + t);
}

// A constant table, with the same index in all lanes and with different ones. Each different line
// is an access.
static void test_constant_table(void **state)
{
    (void)state;
    uint32_t out[32];
    run(
        PTX_HEAD
        ".const .align 4 .b32 table[64] = {10, 11, 12, 13};\n"
        ".const .align 4 .b32 last = 77;\n"
        BEGIN
        "    mov.u64 %rd4, table;\n"
        "    and.b32 %r5, %r1, 3;\n"
        "    mul.wide.u32 %rd5, %r5, 4;\n"
        "    add.u64 %rd6, %rd4, %rd5;\n"
        "    ld.const.u32 %r6, [%rd6];\n"
        "    ld.const.u32 %r7, [last];\n"
        "    ld.const.u32 %r8, [table+8];\n"
        "    add.u32 %r9, %r6, %r7;\n"
        "    add.u32 %r9, %r9, %r8;\n"
        END,
        (BenchLaunch){.block = {32}}, out, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], 10 + t % 4 + 77 + 12);
    // One parameter and three table loads of one 64-byte line each.
    assert_int_equal(record.sm.l1c.accesses, 4);
}

// Global variables of the module: zeroed, with numbers, with a pointer to another one.
static void test_module_variables(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", NULL, NULL,
        PTX_HEAD
        ".global .align 4 .b32 squares[5] = {0, 1, 4, 9, 16};\n"
        ".global .align 4 .u32 counter;\n"
        ".global .align 8 .u64 pointer = squares;\n"
        BEGIN
        "    ld.global.u64 %rd4, [pointer];\n"
        "    ld.global.u32 %r5, [%rd4+12];\n"
        "    ld.global.u32 %r6, [squares+16];\n"
        "    atom.global.add.u32 %r7, [counter], 1;\n"
        "    add.u32 %r9, %r5, %r6;\n"
        "    add.u32 %r9, %r9, %r7;\n"
        END);
    uint64_t out = bench_array(b, "out", NULL, 4);
    BenchLaunch launch = {"k", .args = {out}};
    bench_run(b, &launch);
    assert_int_equal(bench_word(b, out, 0), 9 + 16 + 0);
    bench_run(b, &launch); // variables keep their values between launches
    assert_int_equal(bench_word(b, out, 0), 9 + 16 + 1);
    bench_free(b);
}

// Dynamic shared memory follows the static part.
static void test_dynamic_shared(void **state)
{
    (void)state;
    uint32_t out[256];
    const char *ptx =
        PTX_HEAD
        ".extern .shared .align 16 .b8 dynamic[];\n"
        BEGIN
        "    .shared .align 4 .b8 fixed[512];\n"
        "    mov.u32 %r5, fixed;\n"
        "    mov.u32 %r6, dynamic;\n"
        "    mad.lo.u32 %r7, %r4, 4, %r5;\n"
        "    mad.lo.u32 %r8, %r4, 4, %r6;\n"
        "    st.shared.u32 [%r7], %r1;\n"
        "    add.u32 %r10, %r1, 1000;\n"
        "    st.shared.u32 [%r8], %r10;\n"
        "    bar.sync 0;\n"
        "    xor.b32 %r11, %r4, 1;\n"
        "    mad.lo.u32 %r12, %r11, 4, %r6;\n"
        "    ld.shared.u32 %r13, [%r12];\n"
        "    ld.shared.u32 %r14, [%r7];\n"
        "    add.u32 %r9, %r13, %r14;\n"
        "    mov.u32 %r15, %dynamic_smem_size;\n"
        "    add.u32 %r9, %r9, %r15;\n"
        END;
    run(ptx, (BenchLaunch){.grid = {2}, .block = {128}, .shared = 512}, out, 256);
    for (unsigned t = 0; t < 256; t++) assert_int_equal(out[t], t + (t ^ 1) + 1000 + 512);
    assert_int_equal(record.shared_bytes, 1024);
}

// One generic pointer to each space.
static void test_generic_addresses(void **state)
{
    (void)state;
    uint32_t out[32];
    run(
        PTX_HEAD
        ".const .align 4 .b32 c[2] = {5000, 20000};\n"
        ".global .u64 pointer = generic(c)+4;\n"
        BEGIN
        "    .shared .align 4 .b8 s[128];\n"
        "    .local .align 4 .b8 depot[16];\n"
        "    mov.u64 %rd4, s;\n"
        "    cvta.shared.u64 %rd5, %rd4;\n"
        "    add.u64 %rd5, %rd5, %rd2;\n"
        "    st.u32 [%rd5], %r1;\n"
        "    mov.u64 %rd6, depot;\n"
        "    cvta.local.u64 %rd7, %rd6;\n"
        "    add.u32 %r5, %r1, 100;\n"
        "    st.u32 [%rd7+8], %r5;\n"
        "    cvta.global.u64 %rd8, %rd3;\n"
        "    mov.u32 %r6, 7;\n"
        "    st.u32 [%rd8], %r6;\n"
        "    mov.u64 %rd9, c;\n"
        "    cvta.const.u64 %rd10, %rd9;\n"
        "    ld.u32 %r10, [%rd10];\n"
        "    ld.u32 %r11, [%rd5];\n"
        "    ld.u32 %r12, [%rd7+8];\n"
        "    ld.u32 %r13, [%rd8];\n"
        "    cvta.to.shared.u64 %rd11, %rd5;\n"
        "    ld.shared.u32 %r14, [%rd11];\n"
        "    add.u32 %r9, %r10, %r11;\n"
        "    add.u32 %r9, %r9, %r12;\n"
        "    add.u32 %r9, %r9, %r13;\n"
        "    add.u32 %r9, %r9, %r14;\n" // the kernel's parameter is what ld.param gives
        "    mov.u64 %rd9, out;\n"
        "    cvta.param.u64 %rd9, %rd9;\n"
        "    ld.u64 %rd9, [%rd9];\n"
        "    ld.param.u64 %rd10, [out];\n"
        "    sub.u64 %rd9, %rd10, %rd9;\n"
        "    cvt.u32.u64 %r10, %rd9;\n"
        "    add.u32 %r9, %r9, %r10;\n"
        // a constant through a pointer that a variable holds, by ld.global too
        "    ld.global.u64 %rd9, [pointer];\n"
        "    ld.global.u32 %r10, [%rd9];\n"
        "    add.u32 %r9, %r9, %r10;\n"
        END,
        (BenchLaunch){.block = {32}}, out, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(out[t], 25000 + t + t + 100 + 7 + t);
}

// The lanes of one generic access lie in three spaces: it is executed once for each space. The
// second access is an atomic, in shared and global memory. Lanes outside the guard take no part.
static void test_mixed_generic_addresses(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD BEGIN
        "    .shared .align 4 .b8 s[128];\n"
        "    .local .align 4 .b8 depot[16];\n"
        "    mov.u64 %rd4, s;\n"
        "    cvta.shared.u64 %rd5, %rd4;\n"
        "    add.u64 %rd5, %rd5, %rd2;\n"
        "    mov.u64 %rd6, depot;\n"
        "    cvta.local.u64 %rd7, %rd6;\n"
        "    cvta.global.u64 %rd8, %rd3;\n"
        "    add.u32 %r5, %r1, 1000;\n"
        "    st.u32 [%rd5], %r5;\n"
        "    add.u32 %r5, %r1, 2000;\n"
        "    st.u32 [%rd8], %r5;\n"
        "    add.u32 %r5, %r1, 3000;\n"
        "    st.u32 [%rd7], %r5;\n"
        "    rem.u32 %r6, %r1, 3;\n"
        "    setp.eq.u32 %p2, %r6, 0;\n"
        "    setp.eq.u32 %p3, %r6, 1;\n"
        "    selp.b64 %rd9, %rd8, %rd7, %p3;\n"
        "    selp.b64 %rd9, %rd5, %rd9, %p2;\n"
        "    mov.u32 %r9, 7;\n"
        "    setp.ne.u32 %p1, %r1, 31;\n"
        "    @%p1 ld.u32 %r9, [%rd9];\n"
        "    mov.u32 %r10, 0;\n"
        "    setp.ne.u32 %p4, %r6, 2;\n"
        "    @%p4 atom.add.u32 %r10, [%rd9], 5;\n"
        "    ld.u32 %r11, [%rd9];\n"
        "    add.u32 %r9, %r9, %r10;\n"
        "    add.u32 %r9, %r9, %r11;\n"
        END;
    static const char *const stack[] = {"core.divergence=stack", NULL};
    static const char *const its[] = {"core.divergence=its", NULL};
    for (unsigned k = 0; k < 4; k++) {
        uint32_t out[32];
        Bench *b = bench_new("fermi-gtx480", k & 1 ? its : stack,
                             &(GpuOptions){.functional = k & 2}, ptx);
        uint64_t array = bench_array(b, "out", NULL, sizeof out);
        record = *bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {array}});
        bench_read(b, out, array, sizeof out);
        for (unsigned t = 0; t < 32; t++) {
            unsigned was = 1000 * (t % 3 + 1) + t, added = t % 3 == 2 ? 0 : was + 5;
            assert_int_equal(out[t],
                             (t == 31 ? 7 : was) + (added ? was : 0) + (added ? added : was));
        }
        assert_int_equal(record.sm.sm.divergent_branches, 2 + 1 + 2);
        bench_free(b);
    }
}

// Each thread of a grid of 3 x 2 x 2 blocks of 5 x 4 x 3 threads writes its coordinates.
static void test_three_dimensions(void **state)
{
    (void)state;
    enum { THREADS = 12 * 60 };
    static uint32_t out[THREADS];
    static const char *const reads =
        PTX_HEAD
        ".visible .entry k(.param .u64 out)\n"
        "{\n"
        "    .reg .b32 %r<40>;\n"
        "    .reg .b64 %rd<9>;\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    mov.u32 %r2, %tid.y;\n"
        "    mov.u32 %r3, %tid.z;\n"
        "    mov.u32 %r4, %ctaid.x;\n"
        "    mov.u32 %r5, %ctaid.y;\n"
        "    mov.u32 %r6, %ctaid.z;\n"
        "    mov.u32 %r7, %ntid.x;\n"
        "    mov.u32 %r8, %ntid.y;\n"
        "    mov.u32 %r9, %ntid.z;\n"
        "    mov.u32 %r10, %nctaid.x;\n"
        "    mov.u32 %r11, %nctaid.y;\n"
        "    mov.u32 %r12, %nctaid.z;\n" // block and thread as numbers, x fastest
        "    mad.lo.u32 %r13, %r6, %r11, %r5;\n"
        "    mad.lo.u32 %r13, %r13, %r10, %r4;\n"
        "    mad.lo.u32 %r14, %r3, %r8, %r2;\n"
        "    mad.lo.u32 %r14, %r14, %r7, %r1;\n"
        "    mul.lo.u32 %r15, %r7, %r8;\n"
        "    mul.lo.u32 %r15, %r15, %r9;\n"
        "    mad.lo.u32 %r16, %r13, %r15, %r14;\n" // coordinates in decimal digits
        "    mad.lo.u32 %r17, %r6, 10, %r5;\n"
        "    mad.lo.u32 %r17, %r17, 10, %r4;\n"
        "    mad.lo.u32 %r17, %r17, 10, %r3;\n"
        "    mad.lo.u32 %r17, %r17, 10, %r2;\n"
        "    mad.lo.u32 %r17, %r17, 10, %r1;\n"
        "    mad.lo.u32 %r17, %r12, 1000000, %r17;\n"
        "    ld.param.u64 %rd1, [out];\n"
        "    mul.wide.u32 %rd2, %r16, 4;\n"
        "    add.u64 %rd3, %rd1, %rd2;\n"
        "    st.global.u32 [%rd3], %r17;\n"
        "    ret;\n"
        "}\n";
    run(reads, (BenchLaunch){.grid = {3, 2, 2}, .block = {5, 4, 3}}, out, THREADS);
    unsigned i = 0;
    for (unsigned bz = 0; bz < 2; bz++)
        for (unsigned by = 0; by < 2; by++)
            for (unsigned bx = 0; bx < 3; bx++)
                for (unsigned z = 0; z < 3; z++)
                    for (unsigned y = 0; y < 4; y++)
                        for (unsigned x = 0; x < 5; x++)
                            assert_int_equal(
                                out[i++],
                                2000000 + ((((bz * 10 + by) * 10 + bx) * 10 + z) * 10 + y) * 10 +
                                    x);
    assert_int_equal(record.sm.sm.blocks, 12);
    assert_int_equal(record.sm.sm.warps, 24); // 60 threads are two warps
}

// A sleep of 1000 ns at 700 MHz takes at least 700 cycles.
static void test_sleep(void **state)
{
    (void)state;
    uint32_t out[32];
    run(
        PTX_HEAD BEGIN
        "    mov.u32 %r5, %clock;\n"
        "    nanosleep.u32 1000;\n"
        "    mov.u32 %r6, %clock;\n"
        "    sub.u32 %r9, %r6, %r5;\n"
        END,
        (BenchLaunch){.block = {32}}, out, 32);
    assert_in_range(out[0], 700, 720);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_array),
        cmocka_unit_test(test_local_array_in_small_l1),
        cmocka_unit_test(test_local_element_sizes),
        cmocka_unit_test(test_constant_table),
        cmocka_unit_test(test_module_variables),
        cmocka_unit_test(test_dynamic_shared),
        cmocka_unit_test(test_generic_addresses),
        cmocka_unit_test(test_mixed_generic_addresses),
        cmocka_unit_test(test_three_dimensions),
        cmocka_unit_test(test_sleep),
    };
    return cmocka_run_group_tests_name("spaces", tests, NULL, NULL);
}
