// Fast Walsh transform; kernels in kernels/walsh.cu.
#ifndef HEDDLE_WORKLOADS_WALSH_H
#define HEDDLE_WORKLOADS_WALSH_H

#include "workloads/workload.h"

extern const Implementation walsh_implementations[];
extern const HdParameter walsh_parameters[];

#endif
