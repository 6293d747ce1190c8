// Vector addition and scalar products; kernels in kernels/vectors.cu.
#ifndef HEDDLE_WORKLOADS_VECTORS_H
#define HEDDLE_WORKLOADS_VECTORS_H

#include "workloads/workload.h"

extern const Implementation vecadd_implementations[], scalarprod_implementations[];
extern const HdParameter vecadd_parameters[], scalarprod_parameters[];

#endif
