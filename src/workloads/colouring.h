// Graph colouring; kernels in kernels/colouring.cu.
#ifndef HEDDLE_WORKLOADS_COLOURING_H
#define HEDDLE_WORKLOADS_COLOURING_H

#include "workloads/workload.h"

extern const Implementation colouring_implementations[];
extern const HdParameter colouring_parameters[];

#endif
