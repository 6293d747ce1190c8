// Cuts a launch at GpuOptions.max_thread_instructions, and computes the rest of it functionally
// (docs/decisions/0014).
//
// The launch is cut at the end of a quantum. Its counters up to there are its result. Then nothing
// issues any more, until what has issued is done. All warps are then between two instructions, and
// continue as in a functional launch.
#include "gpu/gpu_internal.h"

const LaunchCut *gpu_cut(const Gpu *gpu) { return &gpu->cut; }

static uint64_t thread_instructions(const Gpu *gpu)
{
    uint64_t sum = gpu->total.sm.sm.thread_instructions;
    for (unsigned i = 0; i < gpu->active_sms; i++) sum += sm_thread_instructions(gpu->sms[i]);
    return sum;
}

bool launch_is_cut(const Gpu *gpu, const LaunchState *s)
{
    uint64_t most = gpu->options.max_thread_instructions;
    return most && thread_instructions(gpu) >= most && blocks_done(gpu) < s->blocks;
}

LaunchCut launch_describe_cut(const Gpu *gpu, const LaunchState *s)
{
    LaunchCut cut = {.launch = gpu->launches + 1, .cycle = s->collected - s->start,
                     .blocks_done = blocks_done(gpu), .blocks = s->blocks};
    ptx_base_name(s->launch.kernel->name, cut.kernel, sizeof cut.kernel);
    return cut;
}

// Runs until what has issued is done: no event is left, as in a deadlock.
static bool complete_issued(Gpu *gpu, LaunchState *s, HdError *err)
{
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        sm_stop_issue(gpu->sms[i]);
        gpu->next[i] = 0;
    }
    while (skip_quanta(gpu)) {
        if (!launch_may_continue(gpu, s, err) || !run_quantum(gpu, s, err)) return false;
        show_progress(gpu, s);
    }
    for (unsigned i = 0; i < gpu->active_sms; i++) sm_begin_functional(gpu->sms[i], gpu->cycle);
    return true;
}

bool launch_cut(Gpu *gpu, LaunchState *s, HdError *err)
{
    LaunchResult completed = {0}; // from the cut until what had issued was done
    bool ok = launch_result_init(&s->part, &gpu->machine, s->allocations, s->pcs, err) &&
              launch_result_init(&completed, &gpu->machine, s->allocations, s->pcs, err);
    s->part.cut = true;
    ok = ok && launch_collect_part(gpu, s, &s->part, err);
    if (ok) s->cut = launch_describe_cut(gpu, s);
    ok = ok && mechanisms_keep_sums(gpu, err) && complete_issued(gpu, s, err) &&
         launch_collect_part(gpu, s, &completed, err) &&
         launch_result_add(&completed, &s->part, err) &&
         launch_check(gpu, &completed, check_completed, err) && run_functional(gpu, s, err);
    launch_result_free(&completed);
    return ok;
}
