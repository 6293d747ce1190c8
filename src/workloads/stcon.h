// s-t connectivity: two searches that meet. Kernels in kernels/stcon.cu.
#ifndef HEDDLE_WORKLOADS_STCON_H
#define HEDDLE_WORKLOADS_STCON_H

#include "workloads/workload.h"

extern const Implementation stcon_implementations[];
extern const HdParameter stcon_parameters[];

#endif
