// The L1.5 of a GPU: which accesses come to it and which leave it, that it is warmed functionally,
// and the same counters however the simulation runs. Each launch checks the invariants.
#include "compare.h"
#include "mix.h"

// The table has 64 lines of the L1C, which holds 16, and 32 of the L1.5, which holds them all. The
// kernel has one parameter, in a line of its own.
enum { LINES = 64, SWEEPS = 2, PARAMETERS = 1 };

#define SMALL_L1C "gpu.sms=1", "l1c.size=1KiB", "l1c.ways=all"
static const char *const without[] = {SMALL_L1C, NULL};
static const char *const with[] = {SMALL_L1C, "l15.mode=cache", "l15.latency=30", NULL};
static const char *const for_all[] = {SMALL_L1C, "l15.mode=cache", "l15.latency=30",
                                      "l15.instructions=on", NULL};

// The result of the last of `launches` launches.
static const LaunchResult *swept(Bench **bench, const char *const *settings,
                                 const GpuOptions *options, unsigned launches)
{
    Bench *b = *bench = bench_new("fermi-gtx480-gpgpusim4", settings, options,
                                  bench_ptx("gpu/constants.ptx"));
    uint64_t out = bench_array(b, "out", NULL, 4);
    for (unsigned i = 0; i < launches; i++)
        bench_run(b, &(BenchLaunch){"k", .block = {32}, .args = {out}});
    size_t count;
    const LaunchResult *results = gpu_results(b->gpu, &count);
    assert_int_equal(count, launches);
    assert_int_equal(bench_word(b, out, 0), 1);
    return &results[launches - 1];
}

// The L1C misses at each line. The L1.5 misses at the first of two lines that it holds as one, in
// the first sweep; only these misses cross the network.
static void test_sweep(void **state)
{
    (void)state;
    Bench *b;
    const LaunchResult *r = swept(&b, without, NULL, 1);
    uint64_t cycles = r->cycles, instructions = r->icnt.to_memory_by_kind[MEM_INSTRUCTION];
    uint64_t flits = r->icnt.to_memory_by_kind[MEM_CONSTANT];
    assert_int_equal(r->sm.l1c.misses, SWEEPS * LINES + PARAMETERS);
    assert_int_equal(flits, SWEEPS * LINES + PARAMETERS);
    assert_int_equal(r->sm.l15.accesses, 0);
    bench_free(b);

    r = swept(&b, with, NULL, 1);
    assert_int_equal(r->sm.l1c.misses, SWEEPS * LINES + PARAMETERS);
    assert_int_equal(r->sm.l15.accesses, SWEEPS * LINES + PARAMETERS);
    assert_int_equal(r->sm.l15.misses, LINES / 2 + PARAMETERS);
    assert_int_equal(r->sm.l15.hits, SWEEPS * LINES - LINES / 2);
    assert_int_equal(r->sm.l15.evictions, 0);
    assert_int_equal(r->icnt.to_memory_by_kind[MEM_CONSTANT], LINES / 2 + PARAMETERS);
    assert_int_equal(r->icnt.to_memory_by_kind[MEM_INSTRUCTION], instructions);
    assert_true(r->cycles < cycles);
    bench_free(b);

    r = swept(&b, for_all, NULL, 1);
    assert_int_not_equal(r->sm.l1i.misses, 0);
    assert_int_equal(r->sm.l15.accesses, SWEEPS * LINES + PARAMETERS + r->sm.l1i.misses);
    assert_int_equal(r->sm.l15.misses, LINES / 2 + PARAMETERS + r->sm.l1i.misses);
    bench_free(b);
}

// With a warm L1.5 each load of the table hits there, and the next instruction waits for it: a
// latency of one cycle more is one cycle more for each.
static void test_latency(void **state)
{
    (void)state;
    static const char *const slower[] = {SMALL_L1C, "l15.mode=cache", "l15.latency=31", NULL};
    static const char *const *const kinds[] = {with, slower};
    uint64_t waits[2];
    for (unsigned k = 0; k < 2; k++) {
        Bench *b;
        const LaunchResult *r = swept(&b, kinds[k], &(GpuOptions){.detail_first = 2}, 2);
        waits[k] = bench_at(b, r, "add.u32 %r5").waits[WARP_MEMORY];
        bench_free(b);
    }
    assert_int_equal(waits[1], waits[0] + SWEEPS * LINES);
}

// A functional launch leaves the table, the parameters and the instructions in the L1.5.
static void test_warming(void **state)
{
    (void)state;
    Bench *b;
    const LaunchResult *r = swept(&b, for_all, &(GpuOptions){.detail_first = 2}, 2);
    assert_false(r->functional);
    assert_int_equal(r->sm.l15.misses, 0);
    assert_int_equal(r->sm.l15.hits, r->sm.l1c.misses + r->sm.l1i.misses);
    assert_int_equal(r->icnt.to_memory_by_kind[MEM_CONSTANT], 0);
    assert_int_equal(r->icnt.to_memory_by_kind[MEM_INSTRUCTION], 0);
    bench_free(b);
}

// 32 misses meet a queue of one entry. The network, at a seventh of the core's clock, takes a
// request every 7 cycles, and then the next look-up goes on: each of the other 31 stalls for 4 to 7
// cycles. The first data come hundreds of cycles later.
static void test_queue(void **state)
{
    (void)state;
    static const char *const settings[] = {"gpu.sms=1", "l15.mode=cache", "l15.miss_queue=1",
                                           "l1c.mshr_entries=32", "l1c.miss_queue=32",
                                           "icnt.frequency=100MHz", "memory.inject_buffer=1",
                                           NULL};
    Bench *b = bench_new("fermi-gtx480-gpgpusim4", settings, NULL, bench_ptx("gpu/constants.ptx"));
    uint64_t out = bench_array(b, "out", NULL, 4);
    const LaunchResult *r =
        bench_run(b, &(BenchLaunch){"spread", .block = {32}, .args = {out}});
    assert_int_equal(r->sm.l15.misses, 32 + PARAMETERS);
    assert_in_range(r->sm.l15.stalls[STALL_MISS_QUEUE], 31 * 4, 31 * 7);
    bench_free(b);
}

static void test_same_however_run(void **state)
{
    (void)state;
    static const char *const kinds[][6] = {
        {"gpu.sms=3", "l15.mode=cache", "l15.instructions=on", "l1i.size=1KiB", "l1c.size=512B"},
        {"gpu.sms=3", "l15.mode=unbounded", "l15.instructions=on", "l15.mshr_entries=1",
         "l15.miss_queue=1"},
        {"gpu.sms=3", "l15.mode=cache", "l15.allocate=on_fill", "l15.mshr_merges=1",
         "l15.size=1KiB"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        GpuOptions plain = {.max_cycles = 20000000};
        GpuOptions other = {.max_cycles = 20000000, .no_skip = true, .shuffle = k + 1,
                            .threads = 3};
        mix_same("fermi-gtx480", kinds[k], &plain, &other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_warming),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_same_however_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
