// Caches that are off, unbounded, or of one set: right answers, invariants (which each launch
// checks), the same counters however the simulation runs, and which lines they hold.
#include "compare.h"
#include "mix.h"

static const char *const modes[][4] = {
    {"l1d.mode=off", "l1r.mode=off", "memory.nc_path=readonly"},
    {"l2.mode=off"},
    {"l1d.mode=off", "l2.mode=off", "l2.mshr_entries=2"},
    {"l1d.mode=off", "l1d.off_request=128B", "l2.mode=off", "l2.mshr_entries=2"},
    {"l1d.mode=unbounded", "l1c.mode=unbounded", "l1r.mode=unbounded"},
    {"l2.mode=unbounded", "l1d.ways=all"},
    {"l1d.index=prime", "l1i.mode=unbounded", "l2.ways=all"},
};

static void test_same_however_run(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        const char *settings[6] = {"gpu.sms=3"}; // and NULL
        for (unsigned i = 0; i < 4; i++) settings[i + 1] = modes[m][i];
        GpuOptions plain = {.max_cycles = 20000000};
        GpuOptions other = {.max_cycles = 20000000, .no_skip = true, .shuffle = m + 1,
                            .threads = 3};
        mix_same("fermi-gtx480", settings, &plain, &other);
    }
}

// One warp runs sweep.ptx: 512 lines, twice.
enum { LINES = 512, BYTES = LINES * 128 };

// The record of the last of `launches` launches of the sweep, by the first lanes of the warp.
static const LaunchResult *swept_by(unsigned lanes, Bench **bench, const char *const *settings,
                                    const GpuOptions *options, unsigned launches)
{
    Bench *b = *bench = bench_new("fermi-gtx480-gpgpusim4", settings, options,
                                  bench_ptx("gpu/sweep.ptx"));
    uint64_t in = bench_array(b, "in", NULL, BYTES);
    for (unsigned i = 0; i < launches; i++)
        bench_run(b, &(BenchLaunch){"k", .block = {lanes}, .args = {in}});
    size_t count;
    const LaunchResult *records = gpu_results(b->gpu, &count);
    assert_int_equal(count, launches);
    return &records[launches - 1];
}

static const LaunchResult *swept(Bench **bench, const char *const *settings,
                                 const GpuOptions *options, unsigned launches)
{
    return swept_by(32, bench, settings, options, launches);
}

// 16 KiB hold 128 lines, so a sweep of 512 always misses; in an unbounded cache only the first
// sweep does. The L2 sees the 4 sectors that each line fetches.
static void test_l1_holds(void **state)
{
    (void)state;
    static const char *const kinds[][3] = {
        {"gpu.sms=1"}, {"gpu.sms=1", "l1d.ways=all"}, {"gpu.sms=1", "l1d.mode=unbounded"}};
    static const unsigned misses[] = {2 * LINES, 2 * LINES, LINES};
    for (unsigned k = 0; k < 3; k++) {
        Bench *b;
        const LaunchResult *r = swept(&b, kinds[k], NULL, 1);
        assert_int_equal(r->sm.l1d.load_accesses, 2 * LINES);
        assert_int_equal(r->sm.l1d.load_misses, misses[k]);
        assert_int_equal(r->sm.l1d.load_hits, 2 * LINES - misses[k]);
        assert_int_equal(r->l2_allocations[0].accesses, 4 * misses[k]);
        if (k == 2) assert_int_equal(r->sm.l1d.evictions, 0);
        assert_int_equal(r->l1d_bytes, k == 2 ? 0 : 16384);
        bench_free(b);
    }
}

// Without an L1D each sector is a request of its own; without an L2 it is a DRAM access as well,
// which uses half of a burst's 64 bytes.
static void test_off(void **state)
{
    (void)state;
    static const char *const l1[] = {"gpu.sms=1", "l1d.mode=off", NULL};
    static const char *const both[] = {"gpu.sms=1", "l1d.mode=off", "l2.mode=off", NULL};
    for (unsigned k = 0; k < 2; k++) {
        Bench *b;
        const LaunchResult *r = swept(&b, k ? both : l1, NULL, 1);
        assert_int_equal(r->sm.l1d.accesses, 0);
        assert_int_equal(r->l2_allocations[0].accesses, 4 * 2 * LINES);
        assert_int_equal(r->l2_allocations[0].misses, k ? 4 * 2 * LINES : 4 * LINES);
        assert_int_equal(r->l2_allocations[0].pending_hits, 0);
        if (k) assert_int_equal(r->dram.reads, r->l2.misses); // instructions and parameters too
        bench_free(b);
    }
}

// khairy2015's simulator requests segments of 128 bytes, which are halved while no lane accesses
// one half (l1d.off_request). 8 lanes of 4 bytes need one sector of the line, 16 need two, and 24
// need three, for which the whole line is requested. Launches without timing warm the same sectors.
static void test_off_request(void **state)
{
    (void)state;
    static const struct {
        unsigned lanes, sectors, covered;
    } cases[] = {{8, 1, 1}, {16, 2, 2}, {24, 3, 4}, {32, 4, 4}};
    static const char *const apart[] = {"gpu.sms=1", "l1d.mode=off", NULL};
    static const char *const together[] = {"gpu.sms=1", "l1d.mode=off", "l1d.off_request=128B",
                                           NULL};
    static const char *const cached[] = {"gpu.sms=1", "l1d.off_request=128B", NULL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bench *b;
        const LaunchResult *r = swept_by(cases[i].lanes, &b, apart, NULL, 1);
        uint64_t flits = r->icnt.flits_to_memory_control;
        assert_int_equal(r->sm.sm.memory_requests, 2 * LINES * cases[i].sectors);
        assert_int_equal(r->l2_allocations[0].accesses, 2 * LINES * cases[i].sectors);
        bench_free(b);
        r = swept_by(cases[i].lanes, &b, together, NULL, 1);
        assert_int_equal(r->sm.sm.memory_requests, 2 * LINES);
        assert_int_equal(r->l2_allocations[0].accesses, 2 * LINES * cases[i].covered);
        assert_int_equal(r->l2_allocations[0].misses, LINES * cases[i].covered);
        assert_int_equal(flits - r->icnt.flits_to_memory_control,
                         2 * LINES * (cases[i].sectors - 1));
        bench_free(b);
        r = swept_by(cases[i].lanes, &b, together, &(GpuOptions){.detail_first = 2}, 2);
        assert_int_equal(r->l2_allocations[0].misses, 0);
        bench_free(b);
        r = swept_by(cases[i].lanes, &b, cached, NULL, 1); // an L1D that is on ignores it
        assert_int_equal(r->l2_allocations[0].accesses, 4 * 2 * LINES);
        bench_free(b);
    }
}

// A functional launch leaves all its lines in an unbounded L2, and none in one that is off. The
// lines that it leaves in an unbounded L1D are invalidated by the next launch.
static void test_warming(void **state)
{
    (void)state;
    static const char *const kinds[][4] = {
        {"gpu.sms=1", "l2.mode=unbounded"},
        {"gpu.sms=1", "l2.mode=off"},
        {"gpu.sms=1", "l1d.mode=unbounded"},
        {"gpu.sms=1", "l1d.mode=unbounded", "memory.invalidate_l1=false"},
    };
    static const unsigned l1_misses[] = {2 * LINES, 2 * LINES, LINES, 0};
    static const unsigned l2_misses[] = {0, 8 * LINES, 0, 0};
    for (unsigned k = 0; k < 4; k++) {
        Bench *b;
        const LaunchResult *r = swept(&b, kinds[k], &(GpuOptions){.detail_first = 2}, 2);
        assert_false(r->functional);
        assert_int_equal(r->sm.l1d.load_misses, l1_misses[k]);
        assert_int_equal(r->l2_allocations[0].misses, l2_misses[k]);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_however_run),
        cmocka_unit_test(test_l1_holds),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_off_request),
        cmocka_unit_test(test_warming),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
