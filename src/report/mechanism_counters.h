// Counters of a mechanism, and their ratios, summed over the places of a run.
#ifndef HEDDLE_REPORT_MECHANISM_COUNTERS_H
#define HEDDLE_REPORT_MECHANISM_COUNTERS_H

#include "gpu/gpu.h"

// Counter `index` of the mechanism, over all its places at a level.
uint64_t mechanism_counter(const Gpu *gpu, const PlannedMechanism *planned, HookLevel level,
                           unsigned index);

// A ratio that the mechanism declares, over all places; 0 if its whole is 0.
double mechanism_ratio(const Gpu *gpu, const PlannedMechanism *planned, const HdRatio *ratio);

#endif
