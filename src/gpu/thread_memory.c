// The host's memory for local memory, spilled registers and parameters of functions of all threads:
// counted before a launch or, what calls take while they run, quantum by quantum.
#include "gpu/gpu_internal.h"

#include "base/bits.h"
#include "base/number.h"

#include <inttypes.h>

static uint64_t sum(const BlockBytes *b)
{
    return b->local + b->parameters + b->registers + b->predicates;
}

// What the SMs have touched after the launch, at most: each as much as the launch may need there,
// or the launch's blocks on others than those that hold storage already.
static uint64_t touched_after(const Gpu *gpu, const ThreadStorage *need)
{
    uint64_t most = 0, apart = need->blocks * sum(&need->block);
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) {
        most += sm_storage_after(gpu->sms[i], &need->block, need->per_sm);
        apart += sm_storage_after(gpu->sms[i], &need->block, 0);
    }
    return smaller(most, apart);
}

// The SMs keep the storage of a launch for the next ones, unless both together are too much. What
// calls take while they run is counted then, and freed with all storage before and after it.
bool thread_memory_begin(Gpu *gpu, const PtxFunction *kernel, const ThreadStorage *need,
                         const char *name, HdError *err)
{
    GuestMemory *memory = &gpu->memory;
    bool recursive = !kernel->max_call_depth, grew = gpu->thread_bytes > gpu->placed_bytes;
    uint64_t bytes = touched_after(gpu, need);
    guest_count(memory, gpu->thread_bytes, 0, "", NULL);
    gpu->thread_bytes = gpu->placed_bytes = 0;
    // With independent threads, each path of calls may need registers of its own.
    gpu->calls_grow = recursive || (gpu->machine.core.divergence == DIVERGENCE_ITS &&
                                    kernel->max_call_depth > 1);
    if (grew || recursive || bytes > guest_left(memory)) {
        for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) sm_drop_storage(gpu->sms[i]);
        bytes = need->blocks * sum(&need->block);
    }
    if (recursive) return true;
    char who[HD_ERROR_TEXT / 2];
    number_format(who, sizeof who, "%.256s: local memory and frames of %" PRIu64 " threads", name,
                  need->blocks * need->block.threads);
    if (!guest_count(memory, 0, bytes, who, err)) return false;
    gpu->thread_bytes = gpu->placed_bytes = bytes;
    return true;
}

void thread_memory_share(Gpu *gpu, const LaunchState *s)
{
    if (!gpu->calls_grow) return;
    uint64_t part = guest_left(&gpu->memory) / gpu->active_sms;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        uint64_t most = sm_frame_bytes(gpu->sms[i]) + part;
        bool less = most < s->launch.frame_limit;
        sm_limit_frames(gpu->sms[i], less ? most : s->launch.frame_limit);
    }
}

bool thread_memory_count(Gpu *gpu, HdError *err)
{
    if (!gpu->calls_grow) return true;
    uint64_t taken = gpu->placed_bytes;
    for (unsigned i = 0; i < gpu->active_sms; i++) taken += sm_frame_bytes(gpu->sms[i]);
    if (!guest_count(&gpu->memory, gpu->thread_bytes, taken, "the calls of all threads", err))
        return false;
    gpu->thread_bytes = taken;
    return true;
}
