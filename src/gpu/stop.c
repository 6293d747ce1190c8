// Ends a launch early, with a report: at a limit, a signal or a deadlock.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const LaunchStop *gpu_stop(const Gpu *gpu) { return &gpu->stop; }

uint64_t blocks_done(const Gpu *gpu)
{
    uint64_t done = 0;
    for (unsigned i = 0; i < gpu->active_sms; i++) done += sm_blocks_done(gpu->sms[i]);
    return done;
}

// Writes whole lines, without the last newline.
void gpu_describe_warps(const Gpu *gpu, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (unsigned i = 0; i < gpu->active_sms && at + 1 < size; i++) {
        sm_describe(gpu->sms[i], text + at, size - at);
        at += strlen(text + at);
    }
    char *end = strrchr(text, '\n');
    if (end) *end = 0;
}

// Advice if lanes of one warp may wait for each other.
static const char *advice(const Gpu *gpu)
{
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++)
        if (sm_diverged(gpu->sms[i]))
            return "\nlanes of one warp that wait for each other need independent threads: --set "
                   "core.divergence=its";
    return "";
}

bool launch_deadlocked(Gpu *gpu, const LaunchState *s, HdError *err)
{
    if (!mechanisms_check(gpu, err)) return false; // the reason
    gpu->fault.kind = GPU_FAULT_DEADLOCK;
    char name[256], warps[HD_ERROR_TEXT - 1024], memory[256];
    ptx_base_name(s->launch.kernel->name, name, sizeof name);
    gpu_describe_warps(gpu, warps, sizeof warps);
    memory_side_describe(gpu->memory_side, memory, sizeof memory);
    size_t length = strlen(memory);
    if (length && memory[length - 1] == '\n') memory[length - 1] = 0;
    return hd_fail(err, "%s: deadlock at cycle %" PRIu64
                        ": no event is left, and these warps wait:\n%s%s%s%s",
                   name, gpu->cycle, warps, *memory ? "\n" : "", memory, advice(gpu));
}

static uint64_t instructions(const Gpu *gpu, const LaunchState *s)
{
    uint64_t sum = gpu->total.sm.sm.warp_instructions +
                   gpu->functional.sm.sm.warp_instructions + s->part.sm.sm.warp_instructions;
    for (unsigned i = 0; i < gpu->active_sms; i++) sum += sm_instructions(gpu->sms[i]);
    return sum;
}

// The least number of cycles in which the SMs could issue what they have executed functionally in
// this launch.
static uint64_t functional_cycles(const Gpu *gpu)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        uint64_t ran = sm_functional_instructions(gpu->sms[i]);
        if (ran > most) most = ran;
    }
    return most / machine_issue_width(&gpu->machine);
}

static StopReason stop_reason(const Gpu *gpu, const LaunchState *s)
{
    const GpuOptions *o = &gpu->options;
    if (o->stop && *o->stop) return STOP_ASKED;
    if (trace_finished(gpu, s)) return STOP_TRACED;
    uint64_t cycles = s->cut.launch ? s->cut.cycle : gpu->cycle - s->start;
    if (o->max_cycles && cycles + functional_cycles(gpu) > o->max_cycles) return STOP_CYCLES;
    if (o->max_instructions && instructions(gpu, s) >= o->max_instructions)
        return STOP_INSTRUCTIONS;
    return STOP_NONE;
}

static bool fail_limit(const Gpu *gpu, const char *limit, HdError *err)
{
    const LaunchStop *stop = &gpu->stop;
    const char *warps = stop->warps;
    return hd_fail(err, "%s has not ended after %s; %" PRIu64 " of %" PRIu64
                        " blocks are done%s%s%s",
                   stop->kernel, limit, stop->blocks_done, stop->blocks,
                   *warps ? "; among its warps:\n" : "", warps, advice(gpu));
}

static void stop_launch(Gpu *gpu, const LaunchState *s, StopReason reason)
{
    LaunchStop *stop = &gpu->stop;
    stop->reason = reason;
    gpu->fault.kind = GPU_FAULT_STOPPED;
    ptx_base_name(s->launch.kernel->name, stop->kernel, sizeof stop->kernel);
    stop->cycle = gpu->cycle - s->start;
    stop->blocks_done = blocks_done(gpu);
    stop->blocks = s->blocks;
    gpu_describe_warps(gpu, stop->warps, sizeof stop->warps);
}

void gpu_abandon(Gpu *gpu)
{
    if (gpu->watched) stop_launch(gpu, gpu->watched, STOP_ASKED);
}

bool launch_may_continue(Gpu *gpu, const LaunchState *s, HdError *err)
{
    const LaunchStop *stop = &gpu->stop;
    gpu->stop.reason = stop_reason(gpu, s);
    if (stop->reason == STOP_NONE) return true;
    stop_launch(gpu, s, stop->reason);
    char limit[128];
    switch (stop->reason) {
    case STOP_CYCLES:
        snprintf(limit, sizeof limit, "%" PRIu64 " cycles (--max-cycles)", gpu->options.max_cycles);
        return fail_limit(gpu, limit, err);
    case STOP_INSTRUCTIONS:
        snprintf(limit, sizeof limit, "%" PRIu64 " warp instructions in all (--max-instructions)",
                 gpu->options.max_instructions);
        return fail_limit(gpu, limit, err);
    case STOP_TRACED: return hd_fail(err, "the trace ends before %s does", stop->kernel);
    default:
        return hd_fail(err, "interrupted in %s, at cycle %" PRIu64 " of the launch; %" PRIu64
                            " of %" PRIu64 " blocks are done",
                       stop->kernel, stop->cycle, stop->blocks_done, stop->blocks);
    }
}
