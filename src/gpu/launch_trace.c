// Output of a trace: the SM writes the text on any host thread; the thread that called gpu_launch
// passes it on at the end of each quantum.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>

bool gpu_trace(Gpu *gpu, const GpuTrace *trace, HdError *err)
{
    const Machine *m = &gpu->machine;
    unsigned warps = m->core.threads / m->core.width;
    if (trace->sm >= m->gpu.sms)
        return hd_fail(err, "SM %u: expected 0 to %u, the SMs of the machine", trace->sm,
                       m->gpu.sms - 1);
    if (trace->warp >= warps)
        return hd_fail(err, "warp %u: expected 0 to %u, the warp slots of an SM", trace->warp,
                       warps - 1);
    gpu->trace = *trace;
    return true;
}

bool trace_begin(Gpu *gpu, const LaunchState *s, HdError *err)
{
    const GpuTrace *trace = &gpu->trace;
    if (!trace->put) return true;
    Sm *sm = gpu->sms[trace->sm];
    if (!sm_trace(sm, NULL, err)) return false;
    if (gpu->launches + 1 != trace->launch) return true;
    if (!s->timed)
        return hd_fail(err,
                       "launch %" PRIu64 " is functional; only a timed launch can be traced",
                       trace->launch);
    const uint32_t *block = s->launch.block;
    unsigned threads = block[0] * block[1] * block[2];
    unsigned warps =
        (unsigned)divide_up(threads, gpu->machine.core.width) * s->launch.blocks_per_sm;
    char name[256], head[512], overhead[64] = "";
    ptx_base_name(s->launch.kernel->name, name, sizeof name);
    if (trace->warp >= warps)
        return hd_fail(err,
                       "warp %u: expected 0 to %u, the warp slots of an SM in launch %" PRIu64
                       " (%s)",
                       trace->warp, warps - 1, trace->launch, name);
    gpu->traced.warp = trace->warp;
    gpu->traced.start = s->start;
    gpu->traced.from = trace->from;
    gpu->traced.to = trace->to;
    gpu->traced.all_lanes = trace->all_lanes;
    if (!sm_trace(sm, &gpu->traced, err)) return false;
    uint64_t cycles = launch_overhead(&s->between);
    if (cycles)
        snprintf(overhead, sizeof overhead, ", after %" PRIu64 " cycles of launch overhead",
                 cycles);
    int length = snprintf(head, sizeof head, "launch %" PRIu64 ", %s: SM %u, warp %u%s\n",
                          trace->launch, name, trace->sm, trace->warp, overhead);
    trace->put(trace->context, head, (size_t)length);
    return true;
}

bool trace_finished(const Gpu *gpu, const LaunchState *s)
{
    const GpuTrace *trace = &gpu->trace;
    if (!trace->put || gpu->launches + 1 < trace->launch) return false;
    return gpu->launches >= trace->launch || gpu->cycle - s->start > trace->to;
}

bool trace_flush(Gpu *gpu, HdError *err)
{
    SmTrace *t = &gpu->traced;
    if (t->length) gpu->trace.put(gpu->trace.context, t->text, t->length);
    t->length = 0;
    return !t->failed || hd_fail_memory(err, "tracing");
}
