// Betweenness centrality; kernels in kernels/bc.cu.
#ifndef HEDDLE_WORKLOADS_BC_H
#define HEDDLE_WORKLOADS_BC_H

#include "workloads/workload.h"

extern const Implementation bc_implementations[];
extern const HdParameter bc_parameters[];

#endif
