// Maximal independent set; kernels in kernels/mis.cu.
#ifndef HEDDLE_WORKLOADS_MIS_H
#define HEDDLE_WORKLOADS_MIS_H

#include "workloads/workload.h"

extern const Implementation mis_implementations[];
extern const HdParameter mis_parameters[];

#endif
