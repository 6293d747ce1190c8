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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_miss),
        cmocka_unit_test(test_on_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
