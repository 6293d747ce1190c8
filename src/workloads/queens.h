// Solutions of the n queens problem; kernels in kernels/queens.cu.
#ifndef HEDDLE_WORKLOADS_QUEENS_H
#define HEDDLE_WORKLOADS_QUEENS_H

#include "workloads/workload.h"

extern const Implementation queens_implementations[];
extern const HdParameter queens_parameters[];

#endif
