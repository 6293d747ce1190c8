// Sums of a mechanism's counters.
#include "report/mechanism_counters.h"

#include "hooks/counter_ratio.h"

uint64_t mechanism_counter(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                           unsigned index)
{
    uint64_t sum = 0;
    unsigned places = gpu_mechanism_places(gpu, level);
    for (unsigned place = 0; place < places; place++)
        sum += cache_hooks_counter(gpu_hooks(gpu, level, place), planned, index);
    return sum;
}

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
            sum += mechanism_counter(counted->gpu, counted->planned, level, index);
    return sum;
}

double mechanism_ratio(const Gpu *gpu, const PlannedMechanism *planned, const HdRatio *ratio)
{
    Counted counted = {gpu, planned};
    return counter_ratio(planned->mechanism, ratio, at_all_levels, &counted);
}
