// Alignment of two sequences; kernel in kernels/needle.cu.
#ifndef HEDDLE_WORKLOADS_NEEDLE_H
#define HEDDLE_WORKLOADS_NEEDLE_H

#include "workloads/workload.h"

extern const Implementation needle_implementations[];
extern const HdParameter needle_parameters[];

#endif
