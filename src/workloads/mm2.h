// Two matrix products in a row; kernels in kernels/mm2.cu.
#ifndef HEDDLE_WORKLOADS_MM2_H
#define HEDDLE_WORKLOADS_MM2_H

#include "workloads/workload.h"

extern const Implementation mm2_implementations[];
extern const HdParameter mm2_parameters[];

#endif
