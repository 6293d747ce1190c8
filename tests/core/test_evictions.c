// Evictions of the first-level caches: valid lines that leave to make room.
#include "support/bench.h"

// Loads of `out` + 0, 128, 256, 384 and + 0 again, each after the data of the one before.
static const char kernel[] =
    PTX_HEAD
    ".visible .entry k(.param .u64 in)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n"
    "    .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [in];\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    add.u32 %r2, %r1, 0;\n"
    "    bar.sync 0;\n"
    "    ld.global.u32 %r1, [%rd1+128];\n"
    "    add.u32 %r2, %r1, 0;\n"
    "    bar.sync 0;\n"
    "    ld.global.u32 %r1, [%rd1+256];\n"
    "    add.u32 %r2, %r1, 0;\n"
    "    bar.sync 0;\n"
    "    ld.global.u32 %r1, [%rd1+384];\n"
    "    add.u32 %r2, %r1, 0;\n"
    "    bar.sync 0;\n"
    "    ld.global.u32 %r1, [%rd1];\n"
    "    add.u32 %r2, %r1, 0;\n"
    "    ret;\n"
    "}\n";

static uint64_t evictions(const char *const *settings)
{
    Bench *b = bench_new("fermi-gtx480", settings, NULL, kernel);
    uint64_t in = bench_array(b, "in", NULL, 512);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {1}, .args = {in}});
    assert_int_equal(r->sm.l1d.misses, 5);
    uint64_t count = r->sm.l1d.evictions;
    bench_free(b);
    return count;
}

// Two lines in one set: the third, fourth and fifth load evict one each.
static void test_on_miss(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "gpu.sms=1", "memory.l1_sizing=fixed", "l1d.size=256B", "l1d.ways=2", "l1d.index=linear",
        "l1d.allocate=on_miss", NULL};
    assert_int_equal(evictions(settings), 3);
}

static void test_on_fill(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "gpu.sms=1", "memory.l1_sizing=fixed", "l1d.size=256B", "l1d.ways=2", "l1d.index=linear",
        "l1d.allocate=on_fill", "l1d.local_write=through", NULL};
    assert_int_equal(evictions(settings), 3);
}

// An element of local memory of 32 threads is a line. The third evicts the first, which is dirty.
// An L1D without sectors writes all of it back: 128 bytes of data and 8 in front are 4 flits of 40.
static void test_write_back(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "gpu.sms=1", "memory.l1_sizing=fixed", "l1d.size=256B", "l1d.ways=2", "l1d.index=linear",
        "l1d.local_write=back", NULL};
    static const char local[] = PTX_HEAD
        ".visible .entry k()\n"
        "{\n"
        "    .reg .b32 %r<4>;\n"
        "    .local .b32 mine[3];\n"
        "    mov.u32 %r1, %tid.x;\n"
        "    ld.local.u32 %r2, [mine];\n"
        "    st.local.u32 [mine], %r2;\n"
        "    ld.local.u32 %r2, [mine+4];\n"
        "    ld.local.u32 %r3, [mine+8];\n"
        "    ret;\n"
        "}\n";
    Bench *b = bench_new("fermi-gtx480", settings, NULL, local);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}});
    assert_int_equal(r->sm.l1d.writebacks, 1);
    assert_int_equal(r->icnt.to_memory_by_kind[MEM_LOCAL_STORE], 4);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_miss),
        cmocka_unit_test(test_on_fill),
        cmocka_unit_test(test_write_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
