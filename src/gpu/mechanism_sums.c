// What mechanisms counted, summed over all places: so far or, where the run is cut, up to the cut.
// Mechanisms themselves go on counting.
#include "gpu/gpu_internal.h"

#include "base/memory.h"
#include "hooks/gpu_hooks.h"

#include <stdlib.h>

// Of one mechanism of the plan.
typedef struct PlannedSums {
    uint64_t *counters[HOOK_LEVELS]; // in the order of their declaration
    PrefetchCounters prefetches[HOOK_CACHES];
    bool prefetching[HOOK_CACHES];   // it has prefetch queues there
} PlannedSums;

struct MechanismSums {
    PlannedSums *of; // by mechanism of the plan
    size_t count;
    HookCounters decisions[HOOK_CACHES];
    CopyBackCounters copied;
};

static uint64_t sum_counter(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                            unsigned index)
{
    uint64_t sum = 0;
    for (unsigned place = 0; place < gpu_mechanism_places(gpu, level); place++)
        sum += cache_hooks_counter(gpu_hooks(gpu, level, place), planned, index);
    return sum;
}

static bool keep_counters(const Gpu *gpu, const PlannedMechanism *planned, PlannedSums *sums)
{
    const HdCounter *list = planned->mechanism->counters;
    unsigned count = 0;
    while (list && list[count].name) count++;
    for (HookLevel level = 0; level < HOOK_LEVELS; level++) {
        sums->counters[level] = hd_new(count + 1, sizeof *sums->counters[level]);
        if (!sums->counters[level]) return false;
        for (unsigned i = 0; i < count; i++)
            sums->counters[level][i] = sum_counter(gpu, planned, level, i);
    }
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        sums->prefetching[level] =
            mechanisms_prefetches(gpu, planned, level, &sums->prefetches[level]);
    return true;
}

bool mechanisms_keep_sums(Gpu *gpu, HdError *err)
{
    const HookPlan *plan = gpu->options.mechanisms;
    if (!plan || !plan->count) return true;
    MechanismSums *sums = gpu->sums = hd_new(1, sizeof *sums);
    bool ok = sums && (sums->of = hd_new(plan->count, sizeof *sums->of));
    if (ok) sums->count = plan->count;
    for (size_t i = 0; ok && i < plan->count; i++)
        ok = keep_counters(gpu, &plan->items[i], &sums->of[i]);
    if (!ok) return hd_fail_memory(err, "keeping counters of mechanisms");
    for (HookLevel level = 0; level < HOOK_CACHES; level++)
        sums->decisions[level] = mechanisms_counters(gpu, level);
    mechanisms_copy_backs(gpu, &sums->copied);
    if (gpu->own_hooks) gpu_hooks_close_reports(gpu->own_hooks);
    return true;
}

void mechanisms_free_sums(MechanismSums *sums)
{
    if (!sums) return;
    for (size_t i = 0; i < sums->count; i++)
        for (HookLevel level = 0; level < HOOK_LEVELS; level++) free(sums->of[i].counters[level]);
    free(sums->of);
    free(sums);
}

// ---- for the report ----

// NULL: the run is not cut.
static const PlannedSums *kept(const Gpu *gpu, const PlannedMechanism *planned)
{
    return gpu->sums ? &gpu->sums->of[planned - gpu->options.mechanisms->items] : NULL;
}

uint64_t gpu_mechanism_counter(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                               unsigned index)
{
    const PlannedSums *sums = kept(gpu, planned);
    return sums ? sums->counters[level][index] : sum_counter(gpu, planned, level, index);
}

void gpu_decisions(const Gpu *gpu, HookLevel level, HookCounters *sum)
{
    *sum = gpu->sums ? gpu->sums->decisions[level] : mechanisms_counters(gpu, level);
}

void gpu_copy_backs(const Gpu *gpu, CopyBackCounters *sum)
{
    if (gpu->sums) *sum = gpu->sums->copied;
    else mechanisms_copy_backs(gpu, sum);
}

bool gpu_prefetches(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                    PrefetchCounters *sum)
{
    const PlannedSums *sums = kept(gpu, planned);
    if (!sums) return mechanisms_prefetches(gpu, planned, level, sum);
    *sum = sums->prefetches[level];
    return sums->prefetching[level];
}
