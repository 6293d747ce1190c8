// The potential of point charges; kernels in kernels/coulomb.cu.
#ifndef HEDDLE_WORKLOADS_COULOMB_H
#define HEDDLE_WORKLOADS_COULOMB_H

#include "workloads/workload.h"

extern const Implementation coulomb_implementations[];
extern const HdParameter coulomb_parameters[];

#endif
