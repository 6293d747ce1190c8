// The host's memory for local memory, spilled registers and parameters of functions of all threads:
// counted before a launch or, if the kernel is recursive, quantum by quantum.
#include "gpu/gpu_internal.h"

#include "base/number.h"

#include <inttypes.h>

static void drop(Gpu *gpu)
{
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) sm_drop_storage(gpu->sms[i]);
}

// What the SMs have touched after the launch, at most: each as much as the launch may need there,
// or the launch's blocks on others than those that hold storage already.
static uint64_t touched_after(const Gpu *gpu, const ThreadStorage *need)
{
    uint64_t most = 0, apart = need->blocks * need->block;
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) {
        uint64_t held = sm_storage_bytes(gpu->sms[i]), filled = need->per_sm * need->block;
        most += held > filled ? held : filled;
        apart += held;
    }
    return most < apart ? most : apart;
}

// The SMs keep the storage of a launch for the next ones, unless both together are too much. A
// recursion is counted in another way: the storage is freed before and after it.
bool thread_memory_begin(Gpu *gpu, const PtxFunction *kernel, const ThreadStorage *need,
                         const char *name, HdError *err)
{
    GuestMemory *memory = &gpu->memory;
    bool recursive = !kernel->max_call_depth;
    bool fresh = gpu->recursive || recursive;
    gpu->recursive = recursive;
    uint64_t bytes = touched_after(gpu, need);
    guest_count(memory, gpu->thread_bytes, 0, "", NULL);
    gpu->thread_bytes = 0;
    if (fresh || bytes > guest_left(memory)) {
        drop(gpu);
        bytes = need->blocks * need->block;
    }
    if (recursive) return true;
    char who[HD_ERROR_TEXT / 2];
    number_format(who, sizeof who, "%.256s: local memory and frames of %" PRIu64 " threads", name,
                  need->threads);
    if (!guest_count(memory, 0, bytes, who, err)) return false;
    gpu->thread_bytes = bytes;
    return true;
}

void thread_memory_share(Gpu *gpu, const LaunchState *s)
{
    if (!gpu->recursive) return;
    uint64_t part = guest_left(&gpu->memory) / gpu->active_sms;
    for (unsigned i = 0; i < gpu->active_sms; i++) {
        uint64_t most = sm_frame_bytes(gpu->sms[i]) + part;
        bool less = most < s->launch.frame_limit;
        sm_limit_frames(gpu->sms[i], less ? most : s->launch.frame_limit);
    }
}

bool thread_memory_count(Gpu *gpu, HdError *err)
{
    if (!gpu->recursive) return true;
    uint64_t sum = 0;
    for (unsigned i = 0; i < gpu->active_sms; i++) sum += sm_frame_bytes(gpu->sms[i]);
    if (!guest_count(&gpu->memory, gpu->thread_bytes, sum, "the calls of all threads", err))
        return false;
    gpu->thread_bytes = sum;
    return true;
}
