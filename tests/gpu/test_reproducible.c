// The same counters however the host runs the simulation: cycle by cycle or with skipped cycles,
// the SMs of a quantum in any order, on any number of threads, alone in the process or beside
// another GPU.
#include "compare.h"
#include "mix.h"

#include "support/crossed.h"
#include "support/machines.h"

// Runs on each machine as the host does by default, in the order of machine_names().
enum { MOST_MACHINES = 64 };
static Bench *expected[MOST_MACHINES + 1];

static int run_expected(void **state)
{
    (void)state;
    for (unsigned m = 0; machine_names()[m]; m++) {
        assert_true(m < MOST_MACHINES);
        expected[m] = bench_new(machine_names()[m], NULL, NULL, mix_ptx());
        mix_run(expected[m]);
    }
    return 0;
}

static int free_expected(void **state)
{
    (void)state;
    for (unsigned m = 0; expected[m]; m++) bench_free(expected[m]);
    return 0;
}

// On each machine with one of these options, in turn (all_crossed: with all).
static void expect_same(const GpuOptions *options, unsigned count)
{
    for (unsigned m = 0; machine_names()[m]; m++)
        for (unsigned i = 0; i < count; i++) {
            if (!all_crossed() && i != m % count) continue;
            Bench *b = bench_new(machine_names()[m], NULL, &options[i], mix_ptx());
            mix_run(b);
            compare_records(expected[m], b);
            bench_free(b);
        }
}

static void test_no_skip(void **state)
{
    (void)state;
    expect_same(&(GpuOptions){.no_skip = true}, 1);
}

static void test_shuffle(void **state)
{
    (void)state;
    static const GpuOptions options[] = {{.shuffle = 1}, {.shuffle = 2}, {.shuffle = 3}};
    expect_same(options, 3);
}

static void test_shuffle_and_no_skip(void **state)
{
    (void)state;
    expect_same(&(GpuOptions){.no_skip = true, .shuffle = 77}, 1);
}

static void test_threads(void **state)
{
    (void)state;
    static const GpuOptions options[] = {
        {.threads = 2}, {.threads = 3}, {.threads = 4}, {.threads = 8}};
    expect_same(options, 4);
}

static void test_threads_at_random(void **state)
{
    (void)state;
    static const GpuOptions options[] = {{.threads = 3, .shuffle = 1},
                                         {.threads = 3, .shuffle = 2},
                                         {.threads = 3, .shuffle = 3},
                                         {.threads = 4, .shuffle = 9, .no_skip = true}};
    expect_same(options, 4);
}

static void expect_same_with(const char *const *settings)
{
    mix_same("fermi-gtx480", settings, NULL,
             &(GpuOptions){.no_skip = true, .shuffle = 5, .threads = 2});
}

// Small buffers everywhere: skipping cycles goes wrong at stalls, blocked queues and full networks.
static void test_tight_machine(void **state)
{
    (void)state;
    expect_same_with((const char *const[]){
        "gpu.sms=4", "l1d.mshr_entries=2", "l1d.mshr_merges=2", "l1d.miss_queue=2",
        "l2.mshr_entries=4", "l2.mshr_merges=1", "l2.miss_queue=2", "icnt.credits=2",
        "memory.inject_buffer=4", "dram.queue=4", "dram.return_queue=2", "slice.reply_queue=1",
        "l1c.mshr_entries=1", "l1c.mshr_merges=1", "l1i.mshr_merges=2", "operand.mem=1",
        "launch.queue=0", NULL});
}

// No head of a queue has a credit when an instruction miss for another slice arrives.
static void test_one_credit(void **state)
{
    (void)state;
    expect_same_with((const char *const[]){"icnt.credits=1", "memory.global_in_l1=false",
                                           "l1i.size=512B", "core.issue=2", NULL});
}

// The injection port, or the queue in front of the crossbar, gets room between two cycles of the
// core.
static void test_unequal_clocks(void **state)
{
    (void)state;
    expect_same_with((const char *const[]){"core.frequency=1GHz", "memory.inject_buffer=1",
                                           "icnt.credits=2", "icnt.flit=8B", NULL});
    expect_same_with((const char *const[]){"core.frequency=350MHz", "memory.inject_buffer=1",
                                           "slice.frequency=525MHz", "dram.frequency=1.4GHz",
                                           NULL});
    expect_same_with((const char *const[]){"core.frequency=1GHz", "icnt.arbiter=input-queued",
                                           "icnt.input_buffer=17", "icnt.credits=2",
                                           "icnt.flit=8B", NULL});
}

// Short replies pass while the flits of a long one leave, and free their room first.
static void test_short_and_long_replies(void **state)
{
    (void)state;
    expect_same_with((const char *const[]){"icnt.arbiter=input-queued", "icnt.matching=in-turn",
                                           "icnt.speedup=1", "icnt.flit=8B",
                                           "slice.miss_latency=3", NULL});
}

// Pairs and waves of every width, with the tables and orders that they can have.
static void test_groups(void **state)
{
    (void)state;
    static const char *const groups[][5] = {
        {"scalar.mode=off"},
        {"scalar.mode=execute"},
        {"scalar.entries=1"},
        {"scalar.members=any", "scalar.order=pair>wave>lone", "scalar.patience=1"},
        {"scalar.members=consecutive", "scalar.entries=3", "scalar.match=all"},
        {"scalar.members=any", "scalar.entries=192", "scalar.match=all"},
        {"scalar.members=consecutive", "core.width=4", "core.schedulers=3", "core.policy=gto"},
        {"scalar.go_on=on", "core.policy=gto"},
        {"scalar.go_on=on", "scalar.members=consecutive", "core.width=4", "scalar.match=all"},
        {"scalar.go_on=on", "scalar.members=any", "frontend.buffer=per-warp", "scalar.entries=5"},
        {"core.width=4", "core.schedulers=3"},
        {"core.width=16", "core.schedulers=1", "core.policy=gto"},
        {"core.width=32", "core.paired=off", "scalar.members=any"},
        {"frontend.buffer=per-warp", "core.policy=two-level", "frontend.branch=fall-through"},
        {"frontend.store_entries=4", "frontend.store_lookups=1", "l1i.size=512B"}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        mix_same("fermi-c2050-gw8", groups[i], NULL,
                 &(GpuOptions){.no_skip = true, .shuffle = 1 + i, .threads = 1 + i % 3});
}

// Two GPUs that run in turns in one process do not affect each other.
static void test_two_gpus(void **state)
{
    (void)state;
    Bench *alone = bench_new("fermi-gtx480", NULL, NULL, mix_ptx());
    mix_run(alone);
    mix_run(alone);
    Bench *a = bench_new("fermi-gtx480", NULL, NULL, mix_ptx());
    Bench *b = bench_new("fermi-macsim", NULL, NULL, mix_ptx());
    mix_run(a);
    mix_run(b);
    mix_run(a);
    mix_run(b);
    compare_records(alone, a);
    bench_free(alone);
    bench_free(a);
    bench_free(b);
}

// The total is the sum of the launches.
static void test_total(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480", NULL, NULL, mix_ptx());
    mix_run(b);
    size_t count;
    const LaunchResult *records = gpu_results(b->gpu, &count), *total = gpu_total(b->gpu);
    assert_int_equal(count, MIX_KERNELS);
    uint64_t cycles = 0, instructions = 0, reads = 0, accesses = 0, by_pc = 0;
    for (size_t i = 0; i < count; i++) {
        cycles += records[i].cycles;
        instructions += records[i].sm.sm.warp_instructions;
        reads += records[i].dram.reads;
        accesses += records[i].l2.accesses;
    }
    for (size_t pc = 0; pc < total->pcs; pc++) by_pc += total->sm.pcs[pc].issued;
    assert_int_equal(total->cycles, cycles);
    assert_int_equal(total->sm.sm.warp_instructions, instructions);
    assert_int_equal(total->dram.reads, reads);
    assert_int_equal(total->l2.accesses, accesses);
    assert_int_equal(by_pc, instructions);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_skip),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_shuffle_and_no_skip),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_at_random),
        cmocka_unit_test(test_tight_machine),
        cmocka_unit_test(test_one_credit),
        cmocka_unit_test(test_unequal_clocks),
        cmocka_unit_test(test_short_and_long_replies),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_two_gpus),
        cmocka_unit_test(test_total),
    };
    return cmocka_run_group_tests_name("sameness", tests, run_expected, free_expected);
}
