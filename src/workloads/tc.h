// Triangle counting; kernels in kernels/tc.cu.
#ifndef HEDDLE_WORKLOADS_TC_H
#define HEDDLE_WORKLOADS_TC_H

#include "workloads/workload.h"

extern const Implementation tc_implementations[];

#endif
