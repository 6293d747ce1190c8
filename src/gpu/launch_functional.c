// Functional launches: which ones, and the order in which their warps run.
#include "gpu/gpu_internal.h"

bool launch_is_timed(const Gpu *gpu)
{
    const GpuOptions *o = &gpu->options;
    uint64_t number = gpu->launches + 1;
    return !o->functional && !gpu->cut.launch && number >= o->detail_first &&
           (!o->detail_last || number <= o->detail_last);
}

static uint32_t warm_memory_side(void *memory_side, const MemRequest *request)
{
    return memory_side_access_warm(memory_side, request);
}

// Fills the SMs' block slots, one block per SM and round.
static void give_blocks(Gpu *gpu, LaunchState *s)
{
    unsigned sms = gpu->active_sms;
    for (unsigned held = 0; held < s->launch.blocks_per_sm; held++) {
        unsigned first = gpu->next_sm;
        for (unsigned i = 0; i < sms && s->next_block < s->blocks; i++) {
            unsigned sm = (first + i) % sms;
            if (sm_blocks_held(gpu->sms[sm]) == held) give_block(gpu, s, sm);
        }
    }
}

bool run_functional(Gpu *gpu, LaunchState *s, HdError *err)
{
    // Programs with benign races rely on warps that progress at about the same rate, as on a GPU,
    // above all after the start of a block or a barrier. Longer turns are somewhat faster, because
    // a warp's values stay in the host's caches.
    static const FunctionalTurns turns = {.first = 16, .later = 32};
    FunctionalMemory touch = {warm_memory_side, gpu->memory_side};
    // Caches are warmed only for a later timed launch.
    bool warm = !gpu->options.functional && gpu->launches + 1 < gpu->options.detail_first;
    endless_begin(gpu, &s->endless, false);
    for (uint64_t turns_done = 0; blocks_done(gpu) < s->blocks; turns_done++) {
        if (!launch_may_continue(gpu, s, err)) return false;
        if (turns_done >= s->endless.next && !endless_look(gpu, s, turns_done, err)) return false;
        give_blocks(gpu, s);
        uint64_t all = 0;
        thread_memory_share(gpu, s);
        for (unsigned i = 0; i < gpu->active_sms; i++) {
            uint64_t ran;
            bool ok = sm_run_functional(gpu->sms[i], turns, warm ? &touch : NULL, &ran, err);
            if (!ok) gpu->fault = sm_fault_of(gpu->sms[i]);
            // All text was printed before the fault.
            if (!system_serve(gpu, ok ? UINT64_MAX : UINT64_MAX - 1, 0, ok ? err : NULL) || !ok)
                return false;
            all += ran;
        }
        if (!thread_memory_count(gpu, err)) return false;
        if (!all) return launch_deadlocked(gpu, s, err);
        show_progress(gpu, s);
    }
    return true;
}
