// Ratios of a mechanism's counters, which are summed over the places of a run.
#ifndef HEDDLE_REPORT_MECHANISM_COUNTERS_H
#define HEDDLE_REPORT_MECHANISM_COUNTERS_H

#include "gpu/gpu.h"

// A ratio that the mechanism declares, over all places; 0 if its whole is 0.
double mechanism_ratio(const Gpu *gpu, const PlannedMechanism *planned, const HdRatio *ratio);

#endif
