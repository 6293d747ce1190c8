// Shadow data in the caches at the beginning of a launch.
#include "gpu/gpu_internal.h"

void shadow_launch(Gpu *gpu)
{
    // What a functional launch or a host copy has left in the caches has no shadow data yet.
    bool adopt = gpu->machine.path.copy_fills_l2 || gpu->last_functional;
    shadow_begin_launch(memory_side_shadow(gpu->memory_side),
                        clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle), adopt);
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) shadow_sm_begin(gpu->sms[i], adopt);
}
