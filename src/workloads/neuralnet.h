// A convolutional network that reads digits; kernels in kernels/neuralnet.cu.
#ifndef HEDDLE_WORKLOADS_NEURALNET_H
#define HEDDLE_WORKLOADS_NEURALNET_H

#include "workloads/workload.h"

extern const Implementation neuralnet_implementations[];
extern const HdParameter neuralnet_parameters[];

#endif
