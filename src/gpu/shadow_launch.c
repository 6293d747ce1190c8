// Shadow data in the caches at the beginning of a launch.
#include "gpu/gpu_internal.h"

// Instructions have no shadow data.
static bool adopt_cache(void *memory, const CachePlace *place, CacheController *cache, HdError *err)
{
    (void)err;
    bool slice = place->owner == OWNER_SLICE;
    if (slice || place->number != SM_L1I)
        shadow_adopt(memory, cache->cache, slice ? (int)place->index : -1);
    return true;
}

void shadow_launch(Gpu *gpu)
{
    ShadowMemory *memory = memory_side_shadow(gpu->memory_side);
    shadow_begin_launch(memory, clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle));
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) shadow_sm_begin(gpu->sms[i]);
    // What a functional launch or a host copy has left in the caches has no shadow data yet.
    if (gpu->machine.path.copy_fills_l2 || gpu->last_functional)
        gpu_each_cache(gpu, adopt_cache, memory, NULL);
}
