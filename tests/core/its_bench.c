// Runs of small kernels with independent threads, and with the stack.
#include "its_bench.h"

const char *const with_its[] = {"gpu.sms=1", "core.divergence=its", NULL};
const char *const with_stack[] = {"gpu.sms=1", NULL};

Outcome its_run_on(const char *const *settings, const GpuOptions *options, const char *ptx,
                   unsigned threads)
{
    Outcome o;
    GpuOptions limited = options ? *options : (GpuOptions){0};
    limited.max_cycles = 1000000;
    limited.max_instructions = 100000;
    Bench *b = bench_new("fermi-gtx480", settings, &limited, ptx);
    uint64_t out = bench_array(b, "out", NULL, sizeof o.out);
    uint64_t work = bench_array(b, "work", NULL, sizeof o.work);
    o.record = *bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {out, work}});
    bench_read(b, o.out, out, sizeof o.out);
    bench_read(b, o.work, work, sizeof o.work);
    bench_free(b);
    return o;
}

Outcome its_timed(const char *ptx, unsigned threads)
{
    Outcome o = its_run_on(with_its, NULL, ptx, threads);
    Outcome plain = its_run_on(with_its, &(GpuOptions){.no_skip = true}, ptx, threads);
    assert_int_equal(o.record.cycles, plain.record.cycles);
    assert_memory_equal(&o.record.sm.sm, &plain.record.sm.sm, sizeof plain.record.sm.sm);
    assert_memory_equal(o.out, plain.out, sizeof o.out);
    return o;
}

Outcome its_run(const char *ptx, unsigned threads)
{
    Outcome o = its_timed(ptx, threads);
    Outcome values = its_run_on(with_its, &(GpuOptions){.functional = true}, ptx, threads);
    assert_memory_equal(o.out, values.out, sizeof o.out);
    return o;
}

Outcome its_same(const char *ptx, unsigned threads)
{
    Outcome o = its_run(ptx, threads), stack = its_run_on(with_stack, NULL, ptx, threads);
    assert_memory_equal(&o.record.sm.sm, &stack.record.sm.sm, sizeof o.record.sm.sm);
    assert_memory_equal(o.record.sm.lanes, stack.record.sm.lanes, sizeof o.record.sm.lanes);
    assert_int_equal(o.record.cycles, stack.record.cycles);
    assert_memory_equal(o.out, stack.out, sizeof o.out);
    return o;
}

const char *its_fails(const char *const *settings, const GpuOptions *options, const char *ptx,
                      unsigned threads, Bench **b)
{
    *b = bench_new("fermi-gtx480", settings, options, ptx);
    uint64_t out = bench_array(*b, "out", NULL, ITS_MOST * 4);
    uint64_t work = bench_array(*b, "work", NULL, ITS_MOST * 4);
    return bench_fail(*b, &(BenchLaunch){"k", .block = {threads}, .args = {out, work}});
}

void its_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in\n%s", part, text);
}
