// Separable convolution of an image; kernels in kernels/convolution.cu.
#ifndef HEDDLE_WORKLOADS_CONVOLUTION_H
#define HEDDLE_WORKLOADS_CONVOLUTION_H

#include "workloads/workload.h"

extern const Implementation convolution_implementations[];
extern const HdParameter convolution_parameters[];

#endif
