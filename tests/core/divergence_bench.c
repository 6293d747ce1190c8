// Runs of small kernels with independent threads, and with the stack.
#include "divergence_bench.h"

const char *const with_its[] = {"gpu.sms=1", "core.divergence=its", NULL};
const char *const with_stack[] = {"gpu.sms=1", NULL};

// Runs kernel k on its two arrays and reads them. The record is the Gpu's own.
static const LaunchResult *run_kernel(Bench *b, unsigned threads, uint32_t *out, uint32_t *work)
{
    uint64_t bytes = DIVERGENCE_WORDS * sizeof *out;
    uint64_t outs = bench_array(b, "out", NULL, bytes), works = bench_array(b, "work", NULL, bytes);
    const LaunchResult *record =
        bench_run(b, &(BenchLaunch){"k", .block = {threads}, .args = {outs, works}});
    bench_read(b, out, outs, bytes);
    bench_read(b, work, works, bytes);
    return record;
}

Outcome run_on(const char *const *settings, const GpuOptions *options, const char *ptx,
                   unsigned threads)
{
    Outcome o;
    GpuOptions limited = options ? *options : (GpuOptions){0};
    limited.max_cycles = 1000000;
    limited.max_instructions = 100000;
    Bench *b = bench_new("fermi-gtx480", settings, &limited, ptx);
    o.record = *run_kernel(b, threads, o.out, o.work);
    bench_free(b);
    return o;
}

// Same cycles, counters and values.
static void check_same(const LaunchResult *a, const uint32_t *a_out, const LaunchResult *b,
                       const uint32_t *b_out)
{
    assert_int_equal(a->cycles, b->cycles);
    assert_memory_equal(&a->sm.sm, &b->sm.sm, sizeof a->sm.sm);
    assert_memory_equal(a->sm.lanes, b->sm.lanes, sizeof a->sm.lanes);
    assert_memory_equal(a_out, b_out, DIVERGENCE_WORDS * sizeof *a_out);
}

Outcome its_timed(const char *ptx, unsigned threads)
{
    Outcome o = run_on(with_its, NULL, ptx, threads);
    Outcome plain = run_on(with_its, &(GpuOptions){.no_skip = true}, ptx, threads);
    check_same(&o.record, o.out, &plain.record, plain.out);
    return o;
}

Outcome its_run(const char *ptx, unsigned threads)
{
    Outcome o = its_timed(ptx, threads);
    Outcome values = run_on(with_its, &(GpuOptions){.functional = true}, ptx, threads);
    assert_memory_equal(o.out, values.out, sizeof o.out);
    for (uint64_t most = 1; most < 32 * 40; most += 101) {
        GpuOptions options = {.max_thread_instructions = most};
        Outcome cut = run_on(with_its, &options, ptx, threads);
        assert_memory_equal(o.out, cut.out, sizeof o.out);
    }
    return o;
}

Outcome its_same(const char *ptx, unsigned threads)
{
    Outcome o = its_run(ptx, threads), stack = run_on(with_stack, NULL, ptx, threads);
    check_same(&o.record, o.out, &stack.record, stack.out);
    return o;
}

const char *its_fails(const char *const *settings, const GpuOptions *options, const char *ptx,
                      unsigned threads, Bench **b)
{
    *b = bench_new("fermi-gtx480", settings, options, ptx);
    uint64_t out = bench_array(*b, "out", NULL, DIVERGENCE_WORDS * 4);
    uint64_t work = bench_array(*b, "work", NULL, DIVERGENCE_WORDS * 4);
    return bench_fail(*b, &(BenchLaunch){"k", .block = {threads}, .args = {out, work}});
}

// ---- one warp, with the stack and with independent threads ----

void warp_run(WarpRun *run, const char *ptx)
{
    uint32_t out[DIVERGENCE_WORDS], stack_out[DIVERGENCE_WORDS], work[DIVERGENCE_WORDS];
    its_run(ptx, 32);
    run->independent = bench_new("fermi-gtx480", with_its, NULL, ptx);
    run->record = run_kernel(run->independent, 32, out, work);
    run->stack = bench_new("fermi-gtx480", with_stack, NULL, ptx);
    run->stack_record = run_kernel(run->stack, 32, stack_out, work);
    check_same(run->record, out, run->stack_record, stack_out);
    memcpy(run->out, out, sizeof run->out);
}

void warp_free(WarpRun *run)
{
    bench_free(run->stack);
    bench_free(run->independent);
}

static void check_issued(const Bench *b, const LaunchResult *r, const char *text, unsigned issued,
                         unsigned lanes)
{
    PcCounters c = bench_at(b, r, text);
    if (c.issued != issued || c.lanes != lanes)
        fail_msg("'%s': issued %u with %u lanes, expected %u with %u", text, (unsigned)c.issued,
                 (unsigned)c.lanes, issued, lanes);
}

void warp_issued(const WarpRun *run, const char *text, unsigned issued, unsigned lanes)
{
    check_issued(run->stack, run->stack_record, text, issued, lanes);
    check_issued(run->independent, run->record, text, issued, lanes);
}

GpuFault warp_fails(const char *ptx, const char *setting, const char *const *parts)
{
    GpuFault fault = GPU_FAULT_NONE;
    for (unsigned independent = 0; independent < 2; independent++) {
        const char *const settings[] = {
            "gpu.sms=1", independent ? "core.divergence=its" : "core.divergence=stack", setting,
            NULL};
        Bench *b;
        const char *text = its_fails(settings, NULL, ptx, 32, &b);
        for (const char *const *part = parts; *part; part++) assert_contains(text, *part);
        fault = gpu_fault(b->gpu);
        bench_free(b);
    }
    return fault;
}
