// The cheapest path through a grid; kernels in kernels/pathfinder.cu.
#ifndef HEDDLE_WORKLOADS_PATHFINDER_H
#define HEDDLE_WORKLOADS_PATHFINDER_H

#include "workloads/workload.h"

extern const Implementation pathfinder_implementations[];
extern const HdParameter pathfinder_parameters[];

#endif
