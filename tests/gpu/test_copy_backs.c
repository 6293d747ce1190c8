// Copy-backs on the machine of lakshminarayana2014: each line of an exclusive hierarchy; right
// answers, invariants (which each launch checks), and the same counters however the simulation
// runs.
#include "compare.h"
#include "hooks/cache_hooks.h"
#include "mechanisms/mechanism_registry.h"
#include "mix.h"

// LINES: of the array that sweep.ptx loads twice.
enum { LINES = 512, L1_LINES = 128, VICTIMS = 8 };

static HookPlan plan_of(const char *text)
{
    HdError err = {0};
    HookPlan plan;
    if (!plan_read(&plan, text, mechanism_find, &err)) fail_msg("%s", err.text);
    return plan;
}

static const char *const one_sm[] = {"gpu.sms=1", "memory.l1_sizing=fixed", NULL};
static const char *const with_victims[] = {"gpu.sms=1", "memory.l1_sizing=fixed",
                                           "l1d.victim_entries=8", NULL};

// 128 lines fit into the L1D (and 8 into its victim buffer), and the sweep has 512. Each load
// misses the L1D and evicts the line that was filled 128 (136) loads before. Fills of the first
// sweep come from DRAM and bypass the L2. The second sweep hits the evicted lines in the L2, which
// removes them. In the end each line is in one cache.
static void test_exclusive(void **state)
{
    (void)state;
    for (unsigned v = 0; v < 2; v++) {
        HookPlan plan = plan_of("exclusive");
        GpuOptions options = {.mechanisms = &plan};
        Bench *b = bench_new("fermi-macsim", v ? with_victims : one_sm, &options,
                             bench_ptx("gpu/sweep.ptx"));
        uint64_t in = bench_array(b, "in", NULL, LINES * 128);
        const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {in}});
        unsigned held = L1_LINES + (v ? VICTIMS : 0);
        assert_int_equal(r->sm.l1d.load_misses, 2 * LINES);
        assert_int_equal(r->sm.l1d.evictions, 2 * LINES - held);
        assert_int_equal(r->l2_allocations[0].misses, LINES);
        assert_int_equal(r->l2_allocations[0].hits, LINES);
        CopyBackCounters c;
        gpu_copy_backs(b->gpu, &c);
        assert_int_equal(c.sent, 2 * LINES - held);
        assert_int_equal(c.inserted, 2 * LINES - held);
        assert_int_equal(c.removed_on_hit, LINES);
        assert_int_equal(c.dropped + c.present + c.stale + c.declined + c.no_room, 0);
        // Requests: data and version in 5 flits. Replies: 5 flits of control, line and version.
        assert_int_equal(r->icnt.flits_to_memory_data, 5 * c.sent);
        bench_free(b);
        plan_free(&plan);
    }
}

// Without the mechanism the L2 keeps its fills, and no line is copied back.
static void test_none(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-macsim", one_sm, NULL, bench_ptx("gpu/sweep.ptx"));
    uint64_t in = bench_array(b, "in", NULL, LINES * 128);
    const LaunchResult *r = bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {in}});
    assert_int_equal(r->l2_allocations[0].misses, LINES);
    assert_int_equal(r->icnt.flits_to_memory_data, 0);
    CopyBackCounters c;
    gpu_copy_backs(b->gpu, &c);
    assert_int_equal(c.sent + c.arrived + c.removed_on_hit, 0);
    bench_free(b);
}

// A functional launch moves lines in the same way: the timed launch after it hits the 512 - 128
// evicted lines in the L2. The lines of the L1D, which is invalidated in between, are lost.
static void test_warming(void **state)
{
    (void)state;
    HookPlan plan = plan_of("exclusive");
    GpuOptions options = {.mechanisms = &plan, .detail_first = 2};
    Bench *b = bench_new("fermi-macsim", one_sm, &options, bench_ptx("gpu/sweep.ptx"));
    uint64_t in = bench_array(b, "in", NULL, LINES * 128);
    const LaunchResult *r = NULL;
    for (unsigned i = 0; i < 2; i++)
        r = bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {in}});
    assert_false(r->functional);
    assert_int_equal(r->l2_allocations[0].misses, L1_LINES);
    assert_int_equal(r->l2_allocations[0].hits, 2 * LINES - L1_LINES);
    CopyBackCounters c;
    gpu_copy_backs(b->gpu, &c);
    assert_int_equal(c.inserted, 2 * LINES - L1_LINES);
    bench_free(b);
    plan_free(&plan);
}

// With few MSHR entries lines are used again after they have come: the last two learn from hits.
static const char *const machines[][8] = {
    {"fermi-macsim", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=8KiB"},
    {"fermi-macsim", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed",
     "memory.invalidate_l1=false"},
    {"fermi-gtx480-gpgpusim4", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed",
     "l2.size=8KiB", "l1d.index=linear"},
    {"maxwell-gtx980", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=64KiB",
     "l1d.index=linear"},
    {"fermi-gtx480", "gpu.sms=3", "l1d.mode=unbounded"},
    {"volta-v100", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.mode=unbounded",
     "l1d.index=linear", "l1d.ways=4"},
    {"fermi-macsim", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=32KiB",
     "l1d.mshr_entries=8"},
    {"fermi-macsim", "gpu.sms=3", "l1d.size=2KiB", "memory.l1_sizing=fixed", "l2.size=32KiB",
     "l1d.mshr_entries=8"},
};
static const char *const mechanisms_of[] = {
    "exclusive",
    "exclusive:queue=1",
    "flexclusion",
    "flexclusion",
    "exclusive",
    "exclusive",
    "r-ex:period=100,reuse_divisor=255,launch=keep",
    "bypass-copyback:period=100,reuse_divisor=255,launch=keep"};

static void test_same_however_run(void **state)
{
    (void)state;
    CopyBackCounters all = {0};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        HookPlan plan = plan_of(mechanisms_of[m]);
        const char *settings[8] = {0};
        for (unsigned i = 0; i < 7; i++) settings[i] = machines[m][i + 1];
        GpuOptions plain = {.max_cycles = 20000000, .mechanisms = &plan};
        GpuOptions other = {.max_cycles = 20000000, .no_skip = true, .shuffle = m + 1,
                            .threads = 3, .mechanisms = &plan};
        Bench *a = bench_new(machines[m][0], settings, &plain, mix_ptx());
        Bench *b = bench_new(machines[m][0], settings, &other, mix_ptx());
        mix_run(a);
        mix_run(b);
        compare_records(a, b);
        CopyBackCounters c, d;
        gpu_copy_backs(a->gpu, &c);
        gpu_copy_backs(b->gpu, &d);
        assert_memory_equal(&c, &d, sizeof c);
        stats_add(&copy_back_table, &all, &c);
        if (strcmp(settings[1], "l1d.mode=unbounded") != 0 && m < 7) assert_true(c.sent > 0);
        bench_free(a);
        bench_free(b);
        plan_free(&plan);
    }
    assert_true(all.inserted && all.present && all.stale && all.removed_on_hit && all.dropped);
}

// Launches that warm the caches: the L2's answers, versions, decide what is copied back.
static void test_warm_however_run(void **state)
{
    (void)state;
    static const char *const names[] = {"exclusive", "flexclusion"};
    static const char *const small[] = {"l2.size=8KiB", "l1d.size=4KiB", "l1d.index=linear",
                                        "memory.l1_sizing=fixed", NULL};
    for (unsigned m = 0; m < 2; m++) {
        HookPlan plan = plan_of(names[m]);
        for (uint64_t shuffle = 1; shuffle <= 3; shuffle++)
            mix_same("fermi-gtx480", small,
                     &(GpuOptions){.detail_first = 6, .mechanisms = &plan},
                     &(GpuOptions){.detail_first = 6, .mechanisms = &plan, .threads = 3,
                                   .shuffle = shuffle});
        plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exclusive), cmocka_unit_test(test_none),
        cmocka_unit_test(test_warming), cmocka_unit_test(test_same_however_run),
        cmocka_unit_test(test_warm_however_run)};
    return cmocka_run_group_tests_name("copy-backs", tests, NULL, NULL);
}
