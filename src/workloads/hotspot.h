// Temperatures of a chip; kernel in kernels/hotspot.cu.
#ifndef HEDDLE_WORKLOADS_HOTSPOT_H
#define HEDDLE_WORKLOADS_HOTSPOT_H

#include "workloads/workload.h"

extern const Implementation hotspot_implementations[];
extern const HdParameter hotspot_parameters[];

#endif
