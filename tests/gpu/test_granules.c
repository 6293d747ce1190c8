// Device memory in granules: which accesses beyond an allocation are allowed, and how they are
// reported.
#include "support/bench.h"

#include "exec/granules.h"

// Thread i accesses the word at `out` + `far` + 4 i. The array has 25 words.
#define KERNEL(name, instruction)                                                                  \
    ".visible .entry " name "(.param .u64 out, .param .u64 far)\n"                                 \
    "{\n"                                                                                          \
    "    .reg .b32 %r<9>;\n"                                                                       \
    "    .reg .b64 %rd<9>;\n"                                                                      \
    "    mov.u32 %r1, %tid.x;\n"                                                                   \
    "    ld.param.u64 %rd1, [out];\n"                                                              \
    "    ld.param.u64 %rd2, [far];\n"                                                              \
    "    add.u64 %rd1, %rd1, %rd2;\n"                                                              \
    "    mul.wide.u32 %rd3, %r1, 4;\n"                                                             \
    "    add.u64 %rd3, %rd1, %rd3;\n"                                                              \
    "    .loc 1 12 3\n"                                                                            \
    instruction                                                                                    \
    "    ret;\n"                                                                                   \
    "}\n"
static const char kernels[] =
    PTX_HEAD
    KERNEL("store",
    "    st.global.u32 [%rd3], %r1;\n")
    KERNEL("load",
    "    ld.global.u32 %r2, [%rd3];\n"
    "    add.u32 %r2, %r2, 1;\n"
    "    st.global.u32 [%rd1+-100], %r2;\n")
    KERNEL("add",
    "    atom.global.add.u32 %r2, [%rd3], 5;\n")
    ".file 1 \"a.cu\"\n";

static Bench *bench;
static uint64_t out;

static void begin(GpuOptions options)
{
    options.granules = true;
    bench = bench_new("fermi-gtx480", NULL, &options, kernels);
    out = bench_array(bench, "levels", NULL, 100);
}

static void run_threads(const char *kernel, unsigned threads, uint64_t far)
{
    bench_run(bench, &(BenchLaunch){kernel, .block = {threads}, .args = {out, far}});
}

static void run(const char *kernel, uint64_t far)
{
    run_threads(kernel, 2, far);
}

static void test_notice(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        begin((GpuOptions){.functional = i == 1, .threads = i, .shuffle = i});
        assert_null(gpu_notice(bench->gpu, 0));
        run("store", 96); // the last word, and the first one after the array
        char wanted[256];
        snprintf(
            wanted, sizeof wanted,
            "test.ptx:13: store (a.cu:12), block (0,0,0), thread (1,0,0): access of 4 bytes "
            "at 0x%llx, outside every allocation, which a real device does not notice: 0 bytes "
            "past the end of \"levels\" (0x%llx, 100 bytes)",
            (unsigned long long)out + 100, (unsigned long long)out);
        assert_string_equal(gpu_notice(bench->gpu, 0), wanted);
        run("store", 200);
        assert_null(gpu_notice(bench->gpu, 1)); // reported once for each instruction
        run_threads("load", 1, 100);            // loads the 1 of the first store
        assert_contains(gpu_notice(bench->gpu, 1), "test.ptx:27: load");
        assert_int_equal(bench_word(bench, out, 0), 2);
        assert_null(gpu_notice(bench->gpu, 2)); // the second store is in bounds
        run("add", 100);
        assert_contains(gpu_notice(bench->gpu, 2), "test.ptx:43: add");
        run_threads("load", 1, 100);
        assert_int_equal(bench_word(bench, out, 0), 7);
        assert_int_equal(gpu_fault(bench->gpu), GPU_FAULT_NONE);
        bench_free(bench);
    }
}

// A store into another allocation of the granule is not reported.
static void test_neighbour(void **state)
{
    (void)state;
    begin((GpuOptions){0});
    uint64_t next = bench_array(bench, "next", NULL, 100);
    assert_int_equal(next, out + 512);
    run("store", 512);
    assert_int_equal(bench_word(bench, next, 1), 1);
    assert_null(gpu_notice(bench->gpu, 0));
    bench_free(bench);
}

static void test_beyond_the_granule(void **state)
{
    (void)state;
    begin((GpuOptions){0});
    assert_contains(
        bench_fail(bench, &(BenchLaunch){"store", .block = {2}, .args = {out, 2 << 20}}),
        "outside every allocation; 2097052 bytes past the end of \"levels\"");
    assert_int_equal(gpu_fault(bench->gpu), GPU_FAULT_ADDRESS);
    assert_null(gpu_notice(bench->gpu, 0));
    bench_free(bench);
}

// The driver's granule lies before the first array, and nothing lies before that granule.
static void test_in_front(void **state)
{
    (void)state;
    begin((GpuOptions){0});
    run_threads("store", 1, -(uint64_t)GRANULE_BYTES);
    assert_contains(gpu_notice(bench->gpu, 0), "2097152 bytes before the start of \"levels\"");
    assert_contains(bench_fail(bench, &(BenchLaunch){"store", .block = {1},
                    .args = {out, -(uint64_t)GRANULE_BYTES - 4}}),
                    "outside every allocation; 2097156 bytes before the start of \"levels\"");
    bench_free(bench);
    begin((GpuOptions){.strict = true});
    assert_contains(
        bench_fail(bench, &(BenchLaunch){"store", .block = {1}, .args = {out, -UINT64_C(4)}}),
        "outside every allocation; 4 bytes before the start of \"levels\"");
    bench_free(bench);
}

static void test_strict(void **state)
{
    (void)state;
    begin((GpuOptions){.strict = true});
    run("store", 92);
    assert_contains(bench_fail(bench, &(BenchLaunch){"store", .block = {2}, .args = {out, 96}}),
                    "thread (1,0,0): access of 4 bytes");
    bench_free(bench);
}

static void test_use_after_free(void **state)
{
    (void)state;
    begin((GpuOptions){0});
    uint64_t next = bench_array(bench, "next", NULL, 100);
    assert_true(gpu_release(bench->gpu, out, &bench->err));
    assert_false(gpu_release(bench->gpu, out, &bench->err)); // released already
    run("store", 0); // the granule is in use
    assert_contains(gpu_notice(bench->gpu, 0), "0 bytes into \"levels\"");
    assert_contains(gpu_notice(bench->gpu, 0), "which is released");
    assert_true(gpu_release(bench->gpu, next, &bench->err));
    assert_contains(bench_fail(bench, &(BenchLaunch){"store", .block = {2}, .args = {out, 0}}),
                    "\"levels\" (0x100200000, 100 bytes), which is released");
    bench_free(bench);
}

static void test_capacity(void **state)
{
    (void)state;
    bench = bench_new("fermi-gtx480", (const char *const[]){"memory.capacity=10MiB", NULL},
                      &(GpuOptions){.granules = true}, NULL);
    assert_int_equal(gpu_memory_total(bench->gpu), 10 << 20);
    assert_int_equal(gpu_memory_free(bench->gpu), 10 << 20);
    uint64_t a = bench_array(bench, "a", NULL, 4), b = bench_array(bench, "b", NULL, 5 << 20);
    assert_int_equal(gpu_memory_free(bench->gpu), 2 << 20);
    assert_int_equal(gpu_allocate(bench->gpu, (2 << 20) + 1, "c", &bench->err), 0);
    assert_contains(bench->err.text, "\"c\" needs 2097153 bytes, and 8388608 of 10485760");
    assert_int_equal(gpu_memory_free(bench->gpu), 2 << 20);
    bench_array(bench, "d", NULL, 2 << 20);
    assert_int_equal(gpu_memory_free(bench->gpu), 0);
    assert_int_not_equal(gpu_allocate(bench->gpu, 4, "e", &bench->err), 0); // beside a
    assert_true(gpu_release(bench->gpu, b, &bench->err));
    assert_int_equal(gpu_memory_free(bench->gpu), 6 << 20);
    assert_true(gpu_release(bench->gpu, a, &bench->err));
    bench_free(bench);
}

// The arrays that a loop allocates and releases share rows: the tables stay small.
static void test_many_launches(void **state)
{
    (void)state;
    begin((GpuOptions){0});
    for (unsigned i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "cudaMalloc #%u, a.cu:7", i);
        uint64_t at = bench_array(bench, name, NULL, 3 << 20);
        const LaunchResult *r =
            bench_run(bench, &(BenchLaunch){"store", .block = {2}, .args = {at, 0}});
        assert_int_equal(r->allocations, 2);
        assert_int_equal(r->l2_allocations[1].accesses, 1);
        assert_true(gpu_release(bench->gpu, at, &bench->err));
    }
    assert_null(gpu_notice(bench->gpu, 0));
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notice),
        cmocka_unit_test(test_neighbour),
        cmocka_unit_test(test_beyond_the_granule),
        cmocka_unit_test(test_in_front),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_use_after_free),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_many_launches),
    };
    return cmocka_run_group_tests_name("granules", tests, NULL, NULL);
}
