// Longest matches of reads with a reference; kernels in kernels/mummer.cu.
#ifndef HEDDLE_WORKLOADS_MUMMER_H
#define HEDDLE_WORKLOADS_MUMMER_H

#include "workloads/workload.h"

extern const Implementation mummer_implementations[];
extern const HdParameter mummer_parameters[];

#endif
