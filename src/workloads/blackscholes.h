// Prices of options; kernels in kernels/blackscholes.cu.
#ifndef HEDDLE_WORKLOADS_BLACKSCHOLES_H
#define HEDDLE_WORKLOADS_BLACKSCHOLES_H

#include "workloads/workload.h"

extern const Implementation blackscholes_implementations[];
extern const HdParameter blackscholes_parameters[];

#endif
