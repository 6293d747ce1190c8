// Weakly connected components; kernels in kernels/cc.cu.
#ifndef HEDDLE_WORKLOADS_CC_H
#define HEDDLE_WORKLOADS_CC_H

#include "workloads/workload.h"

extern const Implementation cc_implementations[];

#endif
