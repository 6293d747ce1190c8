// Discrete Haar wavelet decomposition; kernels in kernels/haar.cu.
#ifndef HEDDLE_WORKLOADS_HAAR_H
#define HEDDLE_WORKLOADS_HAAR_H

#include "workloads/workload.h"

extern const Implementation haar_implementations[];
extern const HdParameter haar_parameters[];

#endif
