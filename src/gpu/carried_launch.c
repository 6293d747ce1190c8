// Data in the caches at the beginning of a launch.
#include "gpu/gpu_internal.h"

void carried_launch(Gpu *gpu)
{
    // What a launch without time, or a host copy, has left in the caches has no data yet.
    bool adopt = gpu->machine.path.copy_fills_l2 || gpu->last_functional;
    carried_begin(memory_side_carried(gpu->memory_side),
                  clock_tick(&gpu->clocks, CLOCK_CORE, gpu->cycle), adopt);
    for (unsigned i = 0; i < gpu->machine.gpu.sms; i++) sm_carry_begin(gpu->sms[i], adopt);
}
