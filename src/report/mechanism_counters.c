// Ratios of a mechanism's counters.
#include "report/mechanism_counters.h"

#include "hooks/counter_ratio.h"

typedef struct Counted { // what a ratio is made of
    const Gpu *gpu;
    const PlannedMechanism *planned;
} Counted;

static uint64_t at_all_levels(const void *context, unsigned index)
{
    const Counted *counted = context;
    uint64_t sum = 0;
    for (HookLevel level = 0; level < HOOK_LEVELS; level++)
        if (plan_applies(counted->planned, level))
            sum += gpu_mechanism_counter(counted->gpu, counted->planned, level, index);
    return sum;
}

double mechanism_ratio(const Gpu *gpu, const PlannedMechanism *planned, const HdRatio *ratio)
{
    Counted counted = {gpu, planned};
    return counter_ratio(planned->mechanism, ratio, at_all_levels, &counted);
}
