// Other machines, the same answers: warp widths, schedulers, shapes of caches and network. Each run
// checks its answers and the invariants.
#include "mix.h"

#include "core/issue/policy.h"
#include "support/machines.h"

static void run_with(const char *machine, const char *const *settings)
{
    Bench *b = bench_new(machine, settings, NULL, mix_ptx());
    mix_run(b);
    bench_free(b);
}

// Width 4 gives 384 warps per SM, 192 per scheduler: sets of three words.
static void test_widths(void **state)
{
    (void)state;
    static const char *const widths[] = {"core.width=4", "core.width=8", "core.width=16",
                                         "core.width=32"};
    uint64_t threads = 0;
    for (unsigned i = 0; i < 4; i++) {
        Bench *b =
            bench_new("fermi-gtx480", (const char *const[]){widths[i], NULL}, NULL, mix_ptx());
        mix_run(b);
        size_t count;
        const LaunchResult *r = gpu_results(b->gpu, &count);
        // 100 threads per block: 25, 13, 7, 4 warps.
        static const unsigned warps[] = {25, 13, 7, 4};
        assert_int_equal(r[0].sm.sm.warps, 15 * warps[i]);
        // A thread of collatz does the same work in whichever warp it is.
        if (i) assert_int_equal(r[0].sm.sm.thread_instructions, threads);
        threads = r[0].sm.sm.thread_instructions;
        for (unsigned l = (4u << i) + 1; l <= HD_MAX_LANES; l++)
            assert_int_equal(r[0].sm.lanes[l], 0);
        bench_free(b);
    }
}

#define POLICY_SETTING(constant, name, ...) "core.policy=" name,
static const char *const policies[] = {SCHEDULER_POLICIES(POLICY_SETTING)};
enum { POLICIES = sizeof policies / sizeof *policies };

static void test_policies(void **state)
{
    (void)state;
    static const char *const issues[] = {"core.issue=1", "core.issue=2"};
    static const char *const counts[] = {"core.schedulers=1", "core.schedulers=2",
                                         "core.schedulers=3", "core.schedulers=4"};
    for (unsigned i = 0; i < POLICIES * 2 * 4; i++)
        run_with("fermi-gtx480",
                 (const char *const[]){policies[i % POLICIES], issues[i / POLICIES % 2],
                                       counts[i / POLICIES / 2], NULL});
}

// Pairs by each policy, on 1 to 4 schedulers, and in machines of other kinds.
static void test_pairs(void **state)
{
    (void)state;
    static const char *const counts[] = {"core.schedulers=1", "core.schedulers=2",
                                         "core.schedulers=3", "core.schedulers=4"};
    for (unsigned i = 0; i < POLICIES * 4; i++)
        run_with("fermi-c2050-gw8",
                 (const char *const[]){policies[i % POLICIES], counts[i / POLICIES], NULL});
    for (const char *const *machine = machine_names(); *machine; machine++)
        run_with(*machine, (const char *const[]){"core.width=16", "core.paired=on",
                                                    "core.issue=1", "core.divergence=stack",
                                                    "scalar.mode=waves", NULL});
}

static void test_small_two_level_sets(void **state)
{
    (void)state;
    run_with("fermi-gtx480",
             (const char *const[]){"core.policy=two-level", "core.two_level_active=1", NULL});
    run_with("fermi-gtx480",
             (const char *const[]){"core.policy=two-level", "core.two_level_active=2",
                                   "core.width=4", "gpu.sms=2", NULL});
}

static void test_narrow_and_small(void **state)
{
    (void)state;
    run_with("fermi-gtx480", (const char *const[]){"core.width=4", "core.schedulers=1", "gpu.sms=2",
                                                   "core.issue=2", "core.blocks=16", NULL});
    run_with("fermi-gtx480", (const char *const[]){"core.width=8", "core.policy=two-level", NULL});
}

static void test_machines(void **state)
{
    (void)state;
    for (const char *const *machine = machine_names(); *machine; machine++)
        run_with(*machine, NULL);
}

static void test_memory_paths(void **state)
{
    (void)state;
    static const char *const paths[][4] = {
        {"memory.global_in_l1=false"},
        {"memory.coalesce=sector"},
        {"memory.coalesce=sector", "l1d.sector=32B"},
        {"l1d.allocate=on_fill", "l1d.local_write=through"},
        {"l1d.write=through"},
        {"memory.l1_banks=4"},
        {"memory.l1_sizing=by-shared-need"},
        {"memory.l1_sizing=unified-registers", "memory.unified=192KiB", "l1d.index=linear"},
        {"icnt.frequency=1400MHz", "slice.frequency=525MHz"},
        {"core.frequency=1GHz", "dram.frequency=1.5GHz"},
        {"launch.latency=1000", "launch.queue=0"},
        {"frontend.perfect=true", "units.dp=1"},
        {"l1i.size=512B", "frontend.fetches=2"},
        {"l2.allocate=on_miss", "l2.write=through"},
    };
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) run_with("fermi-gtx480", paths[i]);
}

// Blocks poll a word through the L2, while the store that they wait for leaves by the queue of the
// L1D's misses. With few credits the polls could take every credit, and the store none.
static void test_few_credits(void **state)
{
    (void)state;
    static const char *const credits[] = {"icnt.credits=1", "icnt.credits=2", "icnt.credits=3"};
    GpuOptions options = {.max_cycles = 1000000};
    for (unsigned i = 0; i < sizeof credits / sizeof *credits; i++) {
        const char *settings[] = {"gpu.sms=1", "memory.strong_in_l1=false", credits[i], NULL};
        Bench *b = bench_new("fermi-gtx480", settings, &options, mix_ptx());
        mix_run(b);
        bench_free(b);
    }
}

// Blocks wait: 15 blocks of 100 threads, and one SM that holds 2.
static void test_more_blocks_than_places(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=1", "core.blocks=2", NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, mix_ptx());
    uint64_t out = bench_array(b, "out", NULL, 6000);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"collatz", .grid = {15}, .block = {100}, .args = {out}});
    assert_int_equal(r->blocks_per_sm, 2);
    assert_string_equal(r->limit, "blocks");
    assert_int_equal(r->sm.sm.blocks, 15);
    assert_int_equal(r->sm.sm.warps, 60);
    assert_int_equal(bench_word(b, out, 26), 111); // 27 takes 111 steps
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_small_two_level_sets),
        cmocka_unit_test(test_narrow_and_small),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_memory_paths),
        cmocka_unit_test(test_few_credits),
        cmocka_unit_test(test_more_blocks_than_places),
    };
    return cmocka_run_group_tests_name("variants", tests, NULL, NULL);
}
