// Device time: the time between launches, by streams, graphs and the host's submissions. At 1 GHz a
// core cycle takes a nanosecond.
#include "support/bench.h"

#include "config/config.h"

static const char ptx[] =
    PTX_HEAD
    ".visible .entry empty() { ret; }\n"
    ".visible .entry spin(.param .u32 times)\n"
    "{\n"
    "    .reg .b32 %n, %i;\n"
    "    .reg .pred %q;\n"
    "    ld.param.u32 %n, [times];\n"
    "    mov.u32 %i, 0;\n"
    "L:\n"
    "    add.u32 %i, %i, 1;\n"
    "    setp.lt.u32 %q, %i, %n;\n"
    "    @%q bra L;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry timer(.param .u64 to)\n"
    "{\n"
    "    .reg .b64 %p, %t<2>;\n"
    "    ld.param.u64 %p, [to];\n"
    "    mov.u64 %t0, %clock64;\n"
    "    mov.u64 %t1, %globaltimer;\n"
    "    st.global.u64 [%p], %t0;\n"
    "    st.global.u64 [%p+8], %t1;\n"
    "    ret;\n"
    "}\n";

enum { OVERHEAD = 100, GRAPH = 40 };

static Bench *start(const char *interval, const GpuOptions *options)
{
    const char *settings[] = {"core.frequency=1GHz", "frontend.perfect=true",
                              "launch.overhead=100ns", "launch.graph_overhead=40ns", interval,
                              NULL};
    return bench_new("fermi-gtx480-gpgpusim4", settings, options, ptx);
}

// Runs a kernel; returns its cycles.
static uint64_t run(Bench *b, const char *kernel, GpuStream *stream)
{
    return bench_run(b, &(BenchLaunch){kernel, .args = {1000}, .stream = stream})->cycles;
}

// Expects the time that has passed since *time, and the counters of the last launch.
static void passed(const Bench *b, uint64_t *time, uint64_t expected, LaunchCounters counters)
{
    assert_int_equal(gpu_time(b->gpu) - *time, expected);
    *time = gpu_time(b->gpu);
    size_t count;
    const LaunchResult *r = gpu_results(b->gpu, &count);
    assert_memory_equal(&r[count - 1].launch, &counters, sizeof counters);
}

// An overhead before each launch, in no kernel's cycles.
static void test_overhead(void **state)
{
    (void)state;
    Bench *b = start(NULL, NULL), *none = bench_new("fermi-gtx480-gpgpusim4", NULL, NULL, ptx);
    uint64_t time = gpu_time(b->gpu), none_time = gpu_time(none->gpu);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t cycles = run(b, i == 1 ? "spin" : "empty", NULL);
        passed(b, &time, OVERHEAD + cycles,
               (LaunchCounters){.launches = 1, .overhead_cycles = OVERHEAD});
        cycles = run(none, i == 1 ? "spin" : "empty", NULL);
        passed(none, &none_time, cycles, (LaunchCounters){.launches = 1});
    }
    assert_int_equal(gpu_total(b->gpu)->launch.overhead_cycles, 3 * OVERHEAD);
    assert_int_equal(launch_overhead(&gpu_total(b->gpu)->launch), 3 * OVERHEAD);
    bench_free(b);
    bench_free(none);
}

// The overhead changes no counter of a kernel.
static void test_kernels_unchanged(void **state)
{
    (void)state;
    static const char *const settings[] = {"launch.overhead=12345ns", "launch.interval=1ms", NULL};
    Bench *b = bench_new("fermi-gtx480", settings, NULL, ptx),
          *none = bench_new("fermi-gtx480",
                            (const char *const[]){"launch.overhead=0", "launch.interval=0", NULL},
                            NULL, ptx);
    for (unsigned i = 0; i < 4; i++) {
        BenchLaunch launch = {i % 2 ? "spin" : "empty", .grid = {40}, .block = {64}, .args = {50}};
        const LaunchResult *x = bench_run(b, &launch), *y = bench_run(none, &launch);
        assert_int_equal(x->cycles, y->cycles);
        assert_memory_equal(&x->sm.sm, &y->sm.sm, sizeof x->sm.sm);
        assert_memory_equal(&x->l2, &y->l2, sizeof x->l2);
        assert_memory_equal(&x->dram, &y->dram, sizeof x->dram);
    }
    bench_free(b);
    bench_free(none);
}

// The host submits a launch in each interval, and goes on during a long kernel.
static void test_interval(void **state)
{
    (void)state;
    Bench *b = start("launch.interval=1us", NULL);
    uint64_t begin = gpu_time(b->gpu), time = begin, e = run(b, "empty", NULL);
    assert_true(e < 100);
    passed(b, &time, 1000 + e, (LaunchCounters){.launches = 1, .overhead_cycles = OVERHEAD,
                                                .interval_cycles = 1000 - OVERHEAD});
    e = run(b, "empty", NULL); // submitted at 2000, and the launch before ended at 1000 + e
    assert_int_equal(gpu_time(b->gpu), begin + 2000 + e);
    uint64_t spin = run(b, "spin", NULL); // from 3000 on
    assert_true(spin > 3000);
    assert_int_equal(gpu_time(b->gpu), begin + 3000 + spin);
    time = gpu_time(b->gpu);
    for (unsigned i = 0; i < 2; i++) { // submitted at 4000 and 5000, while the GPU spun
        e = run(b, "empty", NULL);
        passed(b, &time, OVERHEAD + e,
               (LaunchCounters){.launches = 1, .overhead_cycles = OVERHEAD});
    }
    gpu_host_waits(b->gpu); // the host submits the next launch only now
    e = run(b, "empty", NULL);
    passed(b, &time, 1000 + e, (LaunchCounters){.launches = 1, .overhead_cycles = OVERHEAD,
                                                .interval_cycles = 1000 - OVERHEAD});
    bench_free(b);
}

// The overhead of a stream's launch passes while the GPU runs kernels of other streams.
static void test_streams(void **state)
{
    (void)state;
    Bench *b = start(NULL, NULL);
    GpuStream one = {0}, two = {0}, apart = {.non_blocking = true};
    uint64_t spin = run(b, "spin", &one), time = gpu_time(b->gpu), e = run(b, "empty", &two);
    assert_true(spin > OVERHEAD && e < OVERHEAD);
    const LaunchCounters hidden = {.launches = 1, .hidden_cycles = OVERHEAD},
                         whole = {.launches = 1, .overhead_cycles = OVERHEAD};
    passed(b, &time, e, hidden);
    // The first stream's next launch: e cycles of its overhead have passed.
    uint64_t again = run(b, "empty", &one);
    passed(b, &time, OVERHEAD - e + again,
           (LaunchCounters){.launches = 1, .overhead_cycles = OVERHEAD - e, .hidden_cycles = e});
    e = run(b, "empty", NULL); // the default stream waits for all blocking streams
    passed(b, &time, OVERHEAD + e, whole);
    e = run(b, "empty", &two); // and they wait for it
    passed(b, &time, OVERHEAD + e, whole);
    spin = run(b, "spin", NULL);
    passed(b, &time, OVERHEAD + spin, whole);
    e = run(b, "empty", &apart); // this stream does not
    passed(b, &time, e, hidden);
    gpu_stream_waits(b->gpu, &two, gpu_time(b->gpu)); // for an event
    e = run(b, "empty", &two);
    passed(b, &time, OVERHEAD + e, whole);
    spin = run(b, "spin", &one);
    time = gpu_time(b->gpu);
    gpu_host_waits(b->gpu); // the next launch is submitted after this
    e = run(b, "empty", &two);
    passed(b, &time, OVERHEAD + e, whole);
    bench_free(b);
}

// Kernels of a graph have an overhead of their own. The host submits the graph once.
static void test_graph(void **state)
{
    (void)state;
    Bench *b = start("launch.interval=1us", NULL);
    run(b, "empty", NULL);
    uint64_t time = gpu_time(b->gpu);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t e = bench_run(b, &(BenchLaunch){"empty", .in_graph = true})->cycles;
        passed(b, &time, GRAPH + e, (LaunchCounters){.launches = 1, .graph_launches = 1,
                                                     .overhead_cycles = GRAPH});
    }
    bench_free(b);
}

// Functional launches take no time.
static void test_functional(void **state)
{
    (void)state;
    Bench *b = start("launch.interval=1us", &(GpuOptions){.functional = true});
    uint64_t time = gpu_time(b->gpu);
    for (unsigned i = 0; i < 2; i++) {
        run(b, "spin", NULL);
        passed(b, &time, 0, (LaunchCounters){0});
    }
    bench_free(b);
}

// A time is rounded up to a core cycle: 1081 ns are 756.7 cycles of 700 MHz.
static void test_rounding(void **state)
{
    (void)state;
    Bench *b = bench_new("fermi-gtx480-gpgpusim4",
                         (const char *const[]){"launch.overhead=1.081us", NULL}, NULL, ptx);
    uint64_t time = gpu_time(b->gpu), e = run(b, "empty", NULL);
    passed(b, &time, 757 + e, (LaunchCounters){.launches = 1, .overhead_cycles = 757});
    bench_free(b);
}

// Kernels read device time: between their begin and end.
static void test_timers(void **state)
{
    (void)state;
    Bench *b = start("launch.latency=70", NULL);
    uint64_t to = bench_array(b, "to", NULL, 16);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t from = gpu_time(b->gpu) + OVERHEAD + 70;
        bench_run(b, &(BenchLaunch){"timer", .args = {to}});
        uint64_t clock = bench_long(b, to, 0), timer = bench_long(b, to, 1);
        assert_true(from <= clock && clock < timer && timer < gpu_time(b->gpu));
    }
    assert_int_equal(gpu_total(b->gpu)->launch.latency_cycles, 3 * 70);
    bench_free(b);
}

static void test_wrong_values(void **state)
{
    (void)state;
    HdError err = {0};
    Config *config = config_new(&machine_schema, &err);
    assert_non_null(config);
    static const char *const wrong[][2] = {
        {"launch.overhead=5",
         "--set: launch.overhead = 5: expected a unit, ns, us or ms, as in 1.5us"},
        {"launch.interval=-1us", "--set: launch.interval = -1us: expected a number and a unit (ns, "
                                 "us or ms), as in 1.5us"},
        {"launch.graph_overhead=2000ms",
         "--set: launch.graph_overhead = 2000ms: expected 0ns to 1000000us"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err = (HdError){0};
        assert_false(config_set(config, wrong[i][0], "--set", &err));
        assert_string_equal(err.text, wrong[i][1]);
    }
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overhead),    cmocka_unit_test(test_kernels_unchanged),
        cmocka_unit_test(test_interval),    cmocka_unit_test(test_streams),
        cmocka_unit_test(test_graph),       cmocka_unit_test(test_functional),
        cmocka_unit_test(test_rounding),    cmocka_unit_test(test_timers),
        cmocka_unit_test(test_wrong_values),
    };
    return cmocka_run_group_tests_name("device time", tests, NULL, NULL);
}
