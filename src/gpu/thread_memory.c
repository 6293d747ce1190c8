// The host's memory for local memory, spilled registers and parameters of functions of all threads:
// counted before a launch or, if the kernel is recursive, quantum by quantum.
#include "gpu/gpu_internal.h"

#include "base/number.h"

#include <inttypes.h>

// The SMs keep the storage of a launch for the next ones, which may need as much without counting
// again. A recursion is counted in another way: the storage is freed before and after it.
bool thread_memory_begin(Gpu *gpu, const PtxFunction *kernel, uint64_t bytes, uint64_t threads,
                         const char *name, HdError *err)
{
    GuestMemory *memory = &gpu->memory;
    bool recursive = !kernel->max_call_depth;
    if (gpu->recursive || recursive) {
        for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) sm_drop_storage(gpu->sms[i]);
        guest_count(memory, gpu->thread_bytes, 0, "", NULL);
        gpu->thread_bytes = 0;
    }
    gpu->recursive = recursive;
    if (recursive || bytes <= gpu->thread_bytes) return true;
    char who[HD_ERROR_TEXT / 2];
    number_format(who, sizeof who, "%.256s: local memory and frames of %" PRIu64 " threads", name,
                  threads);
    if (!guest_count(memory, gpu->thread_bytes, bytes, who, err)) return false;
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
